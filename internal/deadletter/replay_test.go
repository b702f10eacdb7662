package deadletter

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
	"github.com/fairstream/fairstream/pkg/record"
)

var errRejected = &record.Rejection{Reason: record.MissingLabel}

// shop is a cluster with the topics of a job and letters on its dead-letter topic.
type shop struct {
	*clustertest.Memory
	Replayer
	schema *record.Schema
}

func newShop(t *testing.T, partitions int) *shop {
	t.Helper()
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "paid", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := clustertest.New(map[string]int{"in": partitions, "dead": 1, "state": 1})
	return &shop{m, Replayer{Cluster: m, Job: "loans", Input: "in", DeadLetters: "dead", State: "state", Round: 3}, schema}
}

// letter puts a letter of the job on the dead-letter topic.
func (s *shop) letter(from Origin, offset int64, value string) {
	s.letterOf(s.Job, s.Input, from, offset, value)
}

func (s *shop) letterOf(job, topic string, from Origin, offset int64, value string) {
	source := kafkatest.Record(offset, &kafka.Message{Timestamp: 7, Key: []byte("k"), Value: []byte(value)})
	log := s.Topics["dead"].Partitions[0]
	log.Records = append(log.Records, Letter(job, topic, from, &source, "", errRejected))
}

// written is what is in the input, as partition: values.
func (s *shop) written() (all []string) {
	for i, log := range s.Topics["in"].Partitions {
		for _, m := range log.Records {
			all = append(all, fmt.Sprintf("%d: %s", i, m.Value))
		}
	}
	return all
}

func good(i int) string { return fmt.Sprintf(`{"n":%d,"paid":"1"}`, i) }

// TestReplayWritesEachLetterOnce: the letters of the job that can be read come to the partition they were of, in order; those of a partition that is no more, to
// the first; copies, letters of others and those that cannot be read do not. A second call writes nothing.
func TestReplayWritesEachLetterOnce(t *testing.T) {
	s := newShop(t, 2)
	id, other := s.Topics["in"].ID, kafka.TopicID{9}
	for i := range 8 {
		s.letter(Origin{id, int32(i % 3)}, int64(i), good(i)) // of partition 2, too, which the topic had
	}
	s.letter(Origin{id, 0}, 0, good(0))                        // a copy
	s.letter(Origin{other, 0}, 0, good(100))                   // the same offset of the topic before it was made again
	s.letter(Origin{Partition: 0}, 0, good(101))               // of a program that noted no id
	s.letter(Origin{Partition: 0}, 0, good(102))               // counts as a copy of it
	s.letter(Origin{id, 1}, 50, `{"n":1}`)                     // no label: rejected again
	s.letter(Origin{id, 1}, 51, `{"n":2}`)                     //
	s.letter(Origin{id, 1}, 51, `{"n":2}`)                     // counts once
	s.letterOf("salaries", "in", Origin{id, 0}, 60, good(103)) // of another job
	s.letterOf("loans", "elsewhere", Origin{id, 0}, 61, good(104))
	log := s.Topics["dead"].Partitions[0]
	log.Records = append(log.Records, kafka.Message{Value: []byte(good(105))}) // no letter
	broken := log.Records[0]
	broken.Headers = slices.Clone(broken.Headers)
	for i, h := range broken.Headers {
		if h.Key == HeaderOffset {
			broken.Headers[i].Value = []byte("-1")
		}
	}
	log.Records = append(log.Records, broken)

	dry, err := s.Replay(t.Context(), s.schema, true)
	if err != nil || dry.Written != 10 || dry.Before != 0 || len(s.written()) != 0 || s.Topics["state"].Partitions[0].End() != 0 {
		t.Errorf("dry: %+v, %v, %v", dry, err, s.written())
	}
	result, err := s.Replay(t.Context(), s.schema, false)
	why := Unreadable{Reason: record.MissingLabel}
	if err != nil || result.Written != 10 || result.Before != 0 || len(result.Unreadable) != 1 || result.Unreadable[why] != 2 {
		t.Errorf("%+v, %v", result, err)
	}
	want := []string{"0: " + good(0), "0: " + good(2), "0: " + good(3), "0: " + good(5), "0: " + good(6), "0: " + good(100), "0: " + good(101), "1: " + good(1), "1: " + good(4), "1: " + good(7)}
	got := s.written()
	slices.Sort(want)
	sorted := slices.Sorted(slices.Values(got))
	if !slices.Equal(sorted, want) {
		t.Errorf("in the input\n%s\nwant\n%s", strings.Join(sorted, "\n"), strings.Join(want, "\n"))
	}
	for _, value := range []string{good(3), good(6)} { // the order of a partition
		if slices.Index(got, "0: "+good(0)) > slices.Index(got, "0: "+value) {
			t.Errorf("out of order: %v", got)
		}
	}
	first := s.Topics["in"].Partitions[0].Records[0]
	if string(first.Key) != "k" || first.Timestamp != 7 || len(first.Headers) != 1 || first.Headers[0].Key != HeaderReplay || string(first.Headers[0].Value) != "0/0/"+id.String() {
		t.Errorf("a record of the replay: %+v", first)
	}
	again, err := s.Replay(t.Context(), s.schema, false)
	if err != nil || again.Written != 0 || again.Before != 10 || again.Unreadable[why] != 2 || len(s.written()) != 10 {
		t.Errorf("again: %+v, %v", again, err)
	}
}

// TestReplayHoweverItEnds: each operation of a replay fails, before and after its effect, and the next call ends with every letter written once.
func TestReplayHoweverItEnds(t *testing.T) {
	for _, after := range []bool{false, true} {
		for at := 0; ; at++ {
			s := newShop(t, 2)
			id := s.Topics["in"].ID
			for i := range 7 {
				s.letter(Origin{id, int32(i % 2)}, int64(i), good(i))
			}
			s.Inject = func(string) clustertest.Fault {
				if len(s.Trace)-1 == at {
					return clustertest.Fault{Err: clustertest.ErrFatal, After: after}
				}
				return clustertest.Fault{}
			}
			_, err := s.Replay(t.Context(), s.schema, false)
			if err == nil && len(s.Trace) <= at {
				if at < 15 {
					t.Errorf("only %d operations: %v", at, s.Trace)
				}
				break
			}
			if err == nil && !after {
				t.Errorf("operation %d, %s, failed without a word", at, s.Trace[at])
			}
			s.Inject = nil
			// Records of others come between the two calls, and one with a header of a replay that is not of this job.
			s.Put("in", 0, `{"n":50,"paid":"1"}`)
			log := s.Topics["in"].Partitions[0]
			log.Records = append(log.Records, kafka.Message{Value: []byte(good(51)), Headers: []kafka.Header{{Key: HeaderReplay, Value: []byte("0/none")}, {Key: HeaderReplay, Value: []byte("1/77")}}})
			if result, err := s.Replay(t.Context(), s.schema, false); err != nil || result.Written+result.Before != 7 {
				t.Errorf("after the failure of %d: %+v, %v", at, result, err)
			}
			count := map[string]int{}
			for _, value := range s.written() {
				count[value]++
			}
			for i := range 7 {
				if value := fmt.Sprintf("%d: %s", i%2, good(i)); count[value] != 1 {
					t.Errorf("after the failure of %d, %s, %v after its effect: letter %d is %d times in the input", at, s.Trace[at], after, i, count[value])
				}
			}
			for _, m := range s.Topics["state"].Partitions[0].Records {
				if key := string(m.Key); !strings.HasPrefix(key, "loans/replay/") || m.Value == nil && !strings.HasSuffix(key, writing) {
					t.Errorf("on the state topic: %s", key)
				}
			}
			if left := notedAsWriting(s); len(left) > 0 {
				t.Errorf("after the failure of %d these notes are left: %v", at, left)
			}
		}
	}
}

// notedAsWriting are the notes of what is about to be written that nobody deleted.
func notedAsWriting(s *shop) []string {
	left := map[string]bool{}
	for _, m := range s.Topics["state"].Partitions[0].Records {
		if strings.HasSuffix(string(m.Key), writing) {
			left[string(m.Key)] = m.Value != nil
		}
	}
	maps.DeleteFunc(left, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(left))
}

// TestAccountsOfEarlierPrograms: what the one key of earlier programs says is written counts for letters without the id of a topic, and what it says was being written
// is looked for in the input. The account is then kept under the present keys.
func TestAccountsOfEarlierPrograms(t *testing.T) {
	s := newShop(t, 1)
	for i := range 6 {
		s.letter(Origin{Partition: 0}, int64(i), good(i))
	}
	put := func(key, value string) {
		log := s.Topics["state"].Partitions[0]
		log.Records = append(log.Records, kafka.Message{Key: []byte(key), Value: []byte(value)})
	}
	put("loans/replay", `{"replayed":{"0":[[0,2]]},"pending":{"0":[[2,5]]},"ends":{"0":1}}`)
	put("loans/replays", "nothing of a replay")
	put("loans", "nothing of a replay")
	in := s.Topics["in"].Partitions[0]
	for i, source := range []string{"0/2", "0/3", "0/4"} { // the first is before the ends, and the others were committed
		in.Records = append(in.Records, kafka.Message{Value: []byte(good(2 + i)), Headers: []kafka.Header{{Key: HeaderReplay, Value: []byte(source)}}})
	}
	result, err := s.Replay(t.Context(), s.schema, false)
	if err != nil || result.Before != 4 || result.Written != 2 {
		t.Fatalf("%+v, %v: of six, two were written, two more are in the input", result, err)
	}
	if got := s.written(); len(got) != 5 || got[3] != "0: "+good(2) || got[4] != "0: "+good(5) {
		t.Errorf("in the input: %v", got)
	}
	log := s.Topics["state"].Partitions[0]
	gone := slices.ContainsFunc(log.Records, func(m kafka.Message) bool { return string(m.Key) == "loans/replay" && m.Value == nil })
	if !gone {
		t.Error("the one key of earlier programs is still there")
	}
	if again, err := s.Replay(t.Context(), s.schema, false); err != nil || again.Before != 6 || again.Written != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	put("loans/replay/CALL/1/unheard", `{}`)
	if _, err := s.Replay(t.Context(), s.schema, false); err == nil || !strings.Contains(err.Error(), "loans/replay/CALL/1/unheard: of an unknown kind") {
		t.Errorf("a note of a newer program: %v", err)
	}
	put("loans/replay/CALL/1/unheard", `{`)
	if _, err := s.Replay(t.Context(), s.schema, false); err == nil || !strings.Contains(err.Error(), "unexpected end of JSON input") {
		t.Errorf("a note that is cut: %v", err)
	}
}

// TestOrigins: as replays write and read them.
func TestOrigins(t *testing.T) {
	id := kafka.TopicID{1, 2, 3}
	for text, want := range map[string]Origin{"3/7": {Partition: 3}, "0/0": {}, "3/7/" + id.String(): {id, 3}} {
		if o, offset, ok := parseOrigin(text); !ok || o != want || strconv.FormatInt(offset, 10) != strings.Split(text, "/")[1] {
			t.Errorf("%s: %+v/%d, %v", text, o, offset, ok)
		}
	}
	for _, text := range []string{"", "3", "/", "3/", "/7", "a/7", "3/b", "-1/7", "3/-1", "3/7/", "3/7/no id", "99999999999/7"} {
		if o, offset, ok := parseOrigin(text); ok {
			t.Errorf("%q passed as %+v/%d", text, o, offset)
		}
	}
}

// TestBatchesOfLetters: at most mostRecords, at most mostBytes, and at least one.
func TestBatchesOfLetters(t *testing.T) {
	of := func(sizes ...int) (letters []kafka.Message) {
		for _, size := range sizes {
			// Key, value and headers count.
			letters = append(letters, kafka.Message{Key: make([]byte, 1), Value: make([]byte, size-6), Headers: []kafka.Header{{Key: "ab", Value: make([]byte, 3)}}})
		}
		return letters
	}
	for _, c := range []struct {
		letters []kafka.Message
		want    int
	}{
		{of(10), 1}, {of(mostBytes + 1), 1}, {of(mostBytes, 10), 1}, {of(mostBytes-10, 10, 10), 2}, {of(mostBytes-9, 10), 1},
		{of(slices.Repeat([]int{10}, mostRecords)...), mostRecords}, {of(slices.Repeat([]int{10}, mostRecords+1)...), mostRecords},
	} {
		if got := batchOf(c.letters); len(got) != c.want {
			t.Errorf("%d of %d letters", len(got), len(c.letters))
		}
	}
}

// TestLettersOfMuchMemory: a transaction holds mostMemory at most, even if fewer letters than Round are held.
func TestLettersOfMuchMemory(t *testing.T) {
	s := newShop(t, 1)
	s.Round = 0
	long := strings.Repeat("x", mostMemory/5)
	for i := range 7 {
		s.letter(Origin{s.Topics["in"].ID, 0}, int64(i), fmt.Sprintf(`{"n":"%s%d","paid":"1"}`, long, i))
	}
	result, err := s.Replay(t.Context(), s.schema, false)
	commits := 0
	for _, operation := range s.Trace {
		if strings.HasPrefix(operation, "commit") {
			commits++
		}
	}
	if err != nil || result.Written != 7 || commits != 2 {
		t.Errorf("%d letters in %d transactions, %v: want four in the first, as five take too much", result.Written, commits, err)
	}
}

// TestMailIsFlushedWhenNoneWaits: letters are told as acknowledged after a flush, which happens where no more mail waits or somebody waits for it.
func TestMailIsFlushedWhenNoneWaits(t *testing.T) {
	s := newShop(t, 1)
	sink, err := s.Produce(t.Context(), "dead")
	if err != nil {
		t.Fatal(err)
	}
	in := make(chan Mail, MailRoom)
	flushed, last := make(chan struct{}), make(chan struct{})
	in <- Mail{Letters: make([]kafka.Message, 2)}
	in <- Mail{Letters: make([]kafka.Message, 3), Flushed: flushed}
	in <- Mail{Letters: make([]kafka.Message, 4)}
	in <- Mail{Flushed: last}
	var acknowledged []int
	ended := make(chan error, 1)
	go func() {
		ended <- Deliver(t.Context(), sink, in, func(n int) { acknowledged = append(acknowledged, n) })
	}()
	<-flushed
	<-last
	if !slices.Equal(acknowledged, []int{5, 4}) || s.Topics["dead"].Partitions[0].End() != 9 {
		t.Errorf("acknowledged %v, on the topic %d", acknowledged, s.Topics["dead"].Partitions[0].End())
	}
	s.Mutex.Lock()
	s.Inject = func(string) clustertest.Fault { return clustertest.Fault{Err: clustertest.ErrFatal} }
	s.Mutex.Unlock()
	in <- Mail{Letters: make([]kafka.Message, 1)}
	if err := <-ended; !errors.Is(err, clustertest.ErrInjected) || !strings.HasPrefix(err.Error(), "dead letters: ") {
		t.Errorf("a topic that cannot be written: %v", err)
	}
}

// TestReasonOf: a rejection has a reason, and anything else is a mistake of the program.
func TestReasonOf(t *testing.T) {
	if got := ReasonOf(fmt.Errorf("offset 3: %w", errRejected)); got != record.MissingLabel {
		t.Errorf("%s", got)
	}
	defer func() {
		if message := recover(); message != "deadletter: a rejection without a reason" {
			t.Errorf("%v", message)
		}
	}()
	ReasonOf(errors.New("none"))
}
