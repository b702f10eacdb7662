package stream

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// split takes the label off an Adult record, and gives both a key.
func split(line string, key int) (unlabelled, label string) {
	at := strings.LastIndex(line, `,"income"`)
	return fmt.Sprintf(`%s,"person":"%d"}`, line[:at], key), fmt.Sprintf(`{"person":"%d"%s`, key, line[at:])
}

func labelOptions() Options {
	options := testOptions()
	options.Model.Record.Key = "person"
	options.Model.Learner.Warmup = 50
	return options
}

// TestARecordIsLearntWhenItsLabelComes: also if the job ends while records wait. Whether they count before changes the weights, in the
// same way as without a stream.
func TestARecordIsLearntWhenItsLabelComes(t *testing.T) {
	for _, unlabelled := range []record.Unlabelled{record.Count, record.Reject} {
		t.Run(string(unlabelled), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { learntLater(t, unlabelled) }) })
	}
}

func learntLater(t *testing.T, how record.Unlabelled) {
	world := newWorld(1)
	var messages, complete []string
	var came []coming
	const delay = 40
	records := adultLines()[:600]
	for i := range len(records) + delay {
		if i < len(records) {
			unlabelled, _ := split(records[i], i)
			messages, came = append(messages, unlabelled), append(came, coming{records[i], control.Itself, int64(i) + 1})
		}
		if i >= delay {
			_, label := split(records[i-delay], i-delay)
			messages, came = append(messages, label), append(came, coming{records[i-delay], control.Label, int64(i-delay) + 1})
			complete = append(complete, records[i-delay])
		}
	}
	world.Put(testTopics.Input, 0, messages...)
	options := labelOptions()
	options.Model.Record.Unlabelled = how
	options.Snapshot = Cadence{Records: 70}
	b := inBackground(t, world, options) // stopped somewhere on the way, records waiting
	for b.Status().Phase != PhaseEnded && b.Status().Version < 200 {
		synctest.Wait()
	}
	if err := b.end(); err != nil {
		t.Fatal(err)
	}
	s := run(t, world, options)
	status := s.Status()
	l := status.Labels
	version := map[record.Unlabelled]int64{record.Count: 1200, record.Reject: 600}[how]
	if status.Version != version || status.Labelled != 600 || l.Joined != 600 || l.Waiting != 0 || l.Bytes != 0 || l.Dropped != 0 {
		t.Errorf("learnt %d, labels %+v", status.Version, l)
	}
	if l.Scored == 0 || l.Judged != l.Scored || float64(l.Right) < .6*float64(l.Judged) || l.Positive == 0 {
		t.Errorf("scores: %+v", l)
	}
	ledger := status.Partitions[0]
	if ledger.Kept.Count != 600 || ledger.Learnt.Count != 600 || ledger.Next != 1200 {
		t.Errorf("ledger %+v", ledger)
	}
	want := countedWith(t, options.Model, came)
	if how == record.Reject {
		config := options.Model.WithDefaults()
		config.Record.Key, config.Record.Unlabelled = "", ""
		want = plainWith(t, config, complete)
	}
	if got := newest(t, world).WeightsSHA256; got != want {
		t.Errorf("weights %s, without a stream %s", got, want)
	}
}

// coming is a record as it comes to a learner. The line has its label.
type coming struct {
	line   string
	brings control.Brings
	number int64
}

// countedWith is the weights' sum after records and labels that come apart, without a stream.
func countedWith(t *testing.T, config model.Config, all []coming) string {
	t.Helper()
	config = config.WithDefaults()
	config.Record.Key = ""
	learner, err := model.New(config)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var r record.Record
	for _, one := range all {
		if err := decoder.DecodeJSON(&r, []byte(one.line)); err != nil {
			t.Fatal(err)
		}
		switch one.brings {
		case control.Both:
			learner.Learn(&r)
		case control.Itself:
			r.HasLabel, r.Positive, r.Label = false, false, 0
			learner.Count(&r, one.number)
		case control.Label:
			learner.LearnLate(&r, one.number)
		}
	}
	document, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	return document.WeightsSHA256
}

// plainWith is the weights' sum after learning lines without a stream.
func plainWith(t *testing.T, config model.Config, lines []string) string {
	t.Helper()
	learner, err := model.New(config)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var r record.Record
	for _, line := range lines {
		if err := decoder.DecodeJSON(&r, []byte(line)); err != nil {
			t.Fatal(err)
		}
		learner.Learn(&r)
	}
	document, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	return document.WeightsSHA256
}

func TestWhatBecomesOfRecordsWithKeys(t *testing.T) {
	line := adultLines()[0]
	unlabelled := func(key int) string { u, _ := split(line, key); return u }
	label := func(key int) string { _, l := split(line, key); return l }
	whole := func(key int) string { return strings.TrimSuffix(line, "}") + fmt.Sprintf(`,"person":"%d"}`, key) }
	for _, test := range []struct {
		name                       string
		lines                      []string
		records                    int
		version, dropped, replaced int64 // records that count, and labels that came later
		waiting                    int64
		rejected                   string
	}{
		{name: "both at once", lines: []string{whole(1)}, version: 1},
		{name: "no label yet", lines: []string{unlabelled(1)}, version: 1, waiting: 1},
		{name: "a label", lines: []string{unlabelled(1), label(1)}, version: 2},
		{name: "twice without a label", lines: []string{unlabelled(1), unlabelled(1), label(1)}, version: 3, replaced: 1},
		{name: "a label for nobody", lines: []string{unlabelled(1), label(2)}, version: 1, waiting: 1, rejected: "unmatched_label"},
		{name: "a second label", lines: []string{unlabelled(1), label(1), label(1)}, version: 2, rejected: "unmatched_label"},
		{name: "a whole record for one that waits", lines: []string{unlabelled(1), whole(1)}, version: 2},
		{name: "the oldest gives way", lines: []string{unlabelled(1), unlabelled(2), unlabelled(3), label(1), label(3)}, records: 2, version: 4,
			dropped: 1, waiting: 1, rejected: "unmatched_label"},
		{name: "no key", lines: []string{line}, rejected: "missing_key"},
		{name: "a whole record once its label was learnt", lines: []string{unlabelled(1), label(1), whole(1)}, version: 3},
		{name: "a whole record before it", lines: []string{whole(1), unlabelled(1)}, version: 2, waiting: 1},
		{name: "a label for a dead letter", lines: []string{unlabelled(1)[:40], unlabelled(2), label(1)}, version: 1, waiting: 1, rejected: "unmatched_label"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				world := newWorld(1)
				world.Put(testTopics.Input, 0, test.lines...)
				options := labelOptions()
				options.Labels.Records = test.records
				s := New(world, options)
				err := s.Run(t.Context())
				status := s.Status()
				if test.version > 0 && err != nil {
					t.Fatal(err)
				}
				if l := status.Labels; status.Version != test.version || l.Waiting != test.waiting || l.Dropped != test.dropped || l.Replaced != test.replaced {
					t.Errorf("learnt %d, labels %+v", status.Version, l)
				}
				if test.rejected != "" && status.Rejected[test.rejected] != 1 {
					t.Errorf("rejected %v, want %s", status.Rejected, test.rejected)
				}
			})
		})
	}
}

// TestAPartitionToWhichNothingComesHoldsNoLabels: of three partitions one gets the first records alone, and the labels of all others are learnt nevertheless, on time.
func TestAPartitionToWhichNothingComesHoldsNoLabels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const records, first, delay, age = 2000, 60, 100, 200 // in seconds, of which each brings a record
		world, options := newWorld(3), labelOptions()
		options.Model.Record.Time = record.Time{Field: "at"}
		options.Labels.Age = age * time.Second
		world.Batch = 50
		partition := func(i int) int32 {
			if i < first {
				return 0
			}
			return int32(1 + i%2)
		}
		for i := range records + delay {
			if i < records {
				unlabelled, _ := split(adultLines()[i], i)
				at := time.Unix(1_700_000_000+int64(i), 0).UTC().Format(time.RFC3339)
				world.Put(testTopics.Input, partition(i), fmt.Sprintf(`%s,"at":%q}`, strings.TrimSuffix(unlabelled, "}"), at))
			}
			if j := i - delay; j >= 0 {
				_, label := split(adultLines()[j], j)
				world.Put(testTopics.Input, partition(j), label)
			}
		}
		l := run(t, world, options).Status().Labels
		if l.Joined < records-2*age || l.Joined+l.Held != records || l.Waiting != 0 || l.Expired != 0 {
			t.Errorf("%+v", l)
		}
	})
}

// lateLabels is a job whose labels come after 40 records, some twice and some never; a record of each tenth key is replaced. With an age, labels are held. The
// log cleaner runs between two processes.
func lateLabels(t *testing.T, folder string, age time.Duration) (func(*testing.T, *failure), func(*testing.T)) {
	var lines []string
	for i := range 240 {
		unlabelled, _ := split(adultLines()[i], i)
		lines = append(lines, unlabelled)
		if i%10 == 5 {
			again, _ := split(adultLines()[i+1], i)
			lines = append(lines, again)
		}
		if j := i - 40; j >= 0 && j%7 > 0 {
			_, label := split(adultLines()[j], j)
			lines = append(lines, label)
			if j%20 == 1 {
				lines = append(lines, label)
			}
		}
	}
	attempts := 0
	job := func() (*clustertest.Memory, Options) {
		world, options := newWorld(1), labelOptions()
		world.Put(testTopics.Input, 0, lines...)
		world.Batch = 50
		options.Snapshot, options.Publish = Cadence{Records: 60}, Cadence{Records: 150}
		options.Labels.Records, options.Labels.Age = 120, age
		if folder != "" {
			attempts++
			options.Labels.Dir = filepath.Join(folder, fmt.Sprint(attempts))
		}
		return world, options
	}
	world, options := job()
	want := run(t, world, options).Status()
	weights, left := newest(t, world).WeightsSHA256, leftOn(t, world)
	if l := want.Labels; l.Joined < 100 || l.Replaced < 20 || l.Waiting < 40 || left != l.Waiting+l.Held || (age > 0) != (l.Held > 30) {
		t.Fatalf("%+v; %d on the topic", l, left)
	}
	return func(t *testing.T, f *failure) {
		world, options := job()
		f.in(world, nil)
		if err := New(world, options).Run(t.Context()); !f.injected(err) {
			t.Fatalf("%s, and the run ended with %v", f, err)
		}
		f.end()
		world.Clean(testTopics.Waiting)
		if f.at%3 == 0 {
			options.Labels.Dir = "" // another machine goes on
		}
		status := run(t, world, options).Status()
		got, again := *status.Labels, *want.Labels
		got.Bytes, again.Bytes = 0, 0
		if status.Version != want.Version || newest(t, world).WeightsSHA256 != weights || got != again {
			t.Errorf("learnt %d with weights %.12s, %+v; undisturbed %d with %.12s, %+v", status.Version, newest(t, world).WeightsSHA256, got, want.Version, weights, again)
		}
		if now := leftOn(t, world); now != left {
			t.Errorf("%d records are on the topic of those that wait, undisturbed %d", now, left)
		}
	}, nothingMore
}

// leftOn is how many records the topic of those that wait holds once the log cleaner has run, without lists.
func leftOn(t *testing.T, world *clustertest.Memory) (n int64) {
	t.Helper()
	world.Clean(testTopics.Waiting)
	_, err := world.ReadInput(t.Context(), testTopics.Waiting, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		if r.Value != nil && bytes.HasPrefix(r.Key, []byte("adult\x00e")) {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
