package stream

import (
	"bytes"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/record"
)

// numbered is JSON behind the number of a schema and a bar. A schema is there, awaited or condemned, as the test says.
type numbered struct {
	mutex  sync.Mutex
	known  map[string]bool // false: condemned
	ready  chan struct{}
	wanted map[string]bool
	// patience is how long an unknown id waits before it is condemned; 0: until the test decides.
	patience time.Duration
}

func newNumbered(known ...string) *numbered {
	f := &numbered{known: map[string]bool{}, ready: make(chan struct{}), wanted: map[string]bool{}}
	for _, id := range known {
		f.known[id] = true
	}
	return f
}

// tell says what becomes of a schema.
func (f *numbered) tell(id string, known bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.known[id] = known
	close(f.ready)
	f.ready = make(chan struct{})
}

func (f *numbered) asked() (ids int) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return len(f.wanted)
}

func (f *numbered) find(value []byte) ([]byte, error) {
	id, line, _ := bytes.Cut(value, []byte("|"))
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if !f.wanted[string(id)] && f.patience > 0 && !f.known[string(id)] {
		time.AfterFunc(f.patience, func() { f.tell(string(id), false) })
	}
	f.wanted[string(id)] = true
	switch known, decided := f.known[string(id)]; {
	case !decided:
		return nil, &format.Pending{Schema: "schema id " + string(id), Ready: f.ready}
	case !known:
		return nil, &record.Rejection{Reason: record.UnknownSchema, Offset: -1, Detail: "schema id " + string(id)}
	}
	return line, nil
}

func (f *numbered) NewDecoder(schema *record.Schema) format.Decoder {
	return &numberedDecoder{schema.NewDecoder(), f}
}

func (f *numbered) Waits() (all []format.Wait) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for id := range f.wanted {
		if _, decided := f.known[id]; !decided {
			all = append(all, format.Wait{Schema: "schema id " + id})
		}
	}
	return all
}

func (f *numbered) SchemaOf(message *kafka.Record) string {
	id, _, _ := bytes.Cut(message.Value, []byte("|"))
	return string(id)
}

func (f *numbered) Whole(message *kafka.Record) []byte { return message.Value }

func (f *numbered) Close() {}

type numberedDecoder struct {
	*record.Decoder
	format *numbered
}

func (d *numberedDecoder) Decode(dst *record.Record, message *kafka.Record) error {
	line, err := d.format.find(message.Value)
	if err != nil {
		return err
	}
	return d.DecodeJSON(dst, line)
}

func (d *numberedDecoder) Prepare(message *kafka.Record) { _, _ = d.format.find(message.Value) }

func under(id string, lines []string) (messages []string) {
	for _, line := range lines {
		messages = append(messages, id+"|"+line)
	}
	return messages
}

// TestAnAwaitedSchemaHoldsTheStream: what comes before it is learnt and saved, nothing behind it is, and a process that is ended meanwhile loses
// nothing and learns nothing twice.
func TestAnAwaitedSchemaHoldsTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		lines := adultLines()[:3000]
		world.Put(testTopics.Input, 0, under("1", lines[:1000])...)
		world.Put(testTopics.Input, 0, under("2", lines[1000:2000])...)
		world.Put(testTopics.Input, 0, under("1", lines[2000:])...)
		options := testOptions()
		options.Snapshot = Cadence{Interval: 30 * time.Second}
		options.Publish = Cadence{Interval: time.Minute}
		for range 3 {
			options.Format = newNumbered("1")
			b := inBackground(t, world, options)
			time.Sleep(5 * time.Minute)
			status := b.Status()
			if status.Version != 1000 || len(status.Waits) != 1 || status.Waits[0].Schema != "schema id 2" || status.Phase != PhaseLearning || status.Stuck != "" {
				t.Errorf("while it is awaited: version %d, waits %v, phase %s, %s", status.Version, status.Waits, status.Phase, status.Stuck)
			}
			if status.Snapshot.Version != 1000 {
				t.Errorf("while it is awaited, version %d is saved", status.Snapshot.Version)
			}
			if err := b.end(); err != nil {
				t.Fatal(err)
			}
		}
		f := newNumbered("1")
		options.Format = f
		b := inBackground(t, world, options)
		time.Sleep(time.Minute)
		f.tell("2", true)
		time.Sleep(time.Minute)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		status := b.Status()
		if ledger := status.Partitions[0]; ledger.Learnt.Count != 3000 || ledger.Next != 3000 || len(status.Waits) > 0 {
			t.Errorf("ledger %+v, waits %v", ledger, status.Waits)
		}
		if got, want := newest(t, world).WeightsSHA256, plain(t, lines).WeightsSHA256; got != want {
			t.Errorf("weights %s, without a stream %s", got, want)
		}
	})
}

// TestSchemasThatAreAwaitedTogetherTakeOneWait: forged ids that were fetched together are asked for at once, and their records become dead letters.
func TestSchemasThatAreAwaitedTogetherTakeOneWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Batch = 400
		lines := adultLines()[:400]
		for i, line := range lines {
			id := "1"
			if i%8 == 3 {
				id = strconv.Itoa(100 + i)
			}
			world.Put(testTopics.Input, 0, id+"|"+line)
		}
		f := newNumbered("1")
		options := testOptions()
		options.Format = f
		b := inBackground(t, world, options)
		time.Sleep(time.Minute)
		if n := f.asked(); n != 51 {
			t.Errorf("%d schemas are asked for, want 51", n)
		}
		for i := range lines {
			if i%8 == 3 {
				f.tell(strconv.Itoa(100+i), false)
			}
		}
		time.Sleep(time.Minute)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		status := b.Status()
		if status.Version != 350 || status.Rejected[string(record.UnknownSchema)] != 50 || status.DeadLetters != 50 {
			t.Errorf("learnt %d, rejected %v, %d letters", status.Version, status.Rejected, status.DeadLetters)
		}
	})
}

// TestARecordThatWaitsKeepsItsSchema: after a restart its schema may not be there when the label comes. The label waits, and the record is learnt.
func TestARecordThatWaitsKeepsItsSchema(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		lines := adultLines()[:300]
		var came []coming
		options := labelOptions()
		options.Format = newNumbered("1", "2")
		for i, line := range lines {
			unlabelled, _ := split(line, i)
			came = append(came, coming{line, control.Itself, int64(i) + 1})
			world.Put(testTopics.Input, 0, "1|"+unlabelled)
		}
		b := inBackground(t, world, options)
		time.Sleep(time.Minute)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		for i, line := range lines {
			_, label := split(line, i)
			came = append(came, coming{line, control.Label, int64(i) + 1})
			world.Put(testTopics.Input, 0, "2|"+label)
		}
		f := newNumbered("2")
		options.Format = f
		for range 2 {
			b = inBackground(t, world, options)
			time.Sleep(time.Minute)
			if status := b.Status(); status.Version != 300 || status.Labelled != 0 || len(status.Waits) != 1 {
				t.Errorf("learnt %d, waits %v", status.Version, status.Waits)
			}
			if err := b.end(); err != nil { // told to stop while it waits
				t.Fatal(err)
			}
		}
		b = inBackground(t, world, options)
		time.Sleep(time.Minute)
		f.tell("1", true)
		time.Sleep(time.Minute)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		status := b.Status()
		if status.Version != 600 || status.Labelled != 300 || status.Labels.Joined != 300 || status.Labels.Waiting != 0 || len(status.Rejected) > 0 {
			t.Errorf("learnt %d, labels %+v, rejected %v", status.Version, status.Labels, status.Rejected)
		}
		if got, want := newest(t, world).WeightsSHA256, countedWith(t, options.Model, came); got != want {
			t.Errorf("weights %s, without a stream %s", got, want)
		}
	})
}

// TestDeadLettersOfAFormatComeBack: they are read as the input is.
func TestDeadLettersOfAFormatComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		lines := adultLines()[:200]
		f := newNumbered("1")
		f.known["2"] = false
		options := testOptions()
		options.Format = f
		world.Put(testTopics.Input, 0, under("1", lines[:190])...)
		world.Put(testTopics.Input, 0, under("2", lines[190:])...)
		run(t, world, options)
		f.tell("2", true)
		replayed, err := ReplayDeadLetters(t.Context(), world, options.Model, f, testTopics, "adult", false)
		if err != nil || replayed.Written != 10 {
			t.Fatalf("%+v, %v", replayed, err)
		}
		if s := run(t, world, options); s.Status().Version != 200 {
			t.Errorf("learnt %d", s.Status().Version)
		}
		letters := 0
		if _, err := world.Read(t.Context(), testTopics.DeadLetter, 0, kafka.Earliest, kafka.End, func(letter *kafka.Record) error {
			if letters++; !bytes.HasPrefix(letter.Value, []byte("2|")) {
				t.Error("a letter lost its schema")
			}
			if headers := letter.Headers(); !slices.ContainsFunc(headers, func(h kafka.Header) bool { return h.Key == "fairstream.error.schema.id" && string(h.Value) == "2" }) {
				t.Errorf("headers %v", headers)
			}
			return nil
		}); err != nil || letters != 10 {
			t.Errorf("%d letters, %v", letters, err)
		}
	})
}

// TestAnAwaitedSchemaHoldsLettersOfItsPartition: those of the other partition come back meanwhile, and those of each in their order.
func TestAnAwaitedSchemaHoldsLettersOfItsPartition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(2)
		lines := adultLines()[:220]
		first := newNumbered("1")
		first.known["2"], first.known["3"] = false, false
		options := testOptions()
		options.Format = first
		world.Put(testTopics.Input, 0, under("1", lines[:200])...)
		held := slices.Concat(under("3", lines[200:202]), under("2", lines[202:204]), under("3", lines[204:210]))
		free := under("3", lines[210:])
		world.Put(testTopics.Input, 0, held...)
		world.Put(testTopics.Input, 1, free...)
		run(t, world, options)
		back := func(partition, before int) (values []string) {
			world.Mutex.Lock()
			defer world.Mutex.Unlock()
			for _, message := range world.Topics[testTopics.Input].Partitions[partition].Records[before:] {
				values = append(values, string(message.Value))
			}
			return values
		}
		f := newNumbered("1", "3")
		ended := make(chan error, 1)
		go func() {
			replayed, err := ReplayDeadLetters(t.Context(), world, options.Model, f, testTopics, "adult", false)
			if replayed.Written != 20 {
				t.Errorf("%+v", replayed)
			}
			ended <- err
		}()
		time.Sleep(time.Minute)
		if got := back(0, 210); !slices.Equal(got, held[:2]) {
			t.Errorf("while schema 2 is awaited, partition 0 has %d letters back", len(got))
		}
		if got := back(1, 10); !slices.Equal(got, free) {
			t.Errorf("while schema 2 is awaited, partition 1 has %d letters back", len(got))
		}
		f.tell("2", true)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if got := back(0, 210); !slices.Equal(got, held) {
			t.Errorf("partition 0 has %d letters back, or in another order", len(got))
		}
	})
}
