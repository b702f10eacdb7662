package stream

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

func TestTooManyRejectedRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:500]...)
		for i := range 700 {
			world.Put(testTopics.Input, 0, fmt.Sprintf(`{"age":%d,"secret-value":"x"}`, i))
		}
		options := testOptions()
		options.RejectLimit = intake.RejectLimit{Share: .5, Window: 400}
		options.Snapshot, options.Publish = Cadence{Records: 100}, Cadence{Records: 200}
		var told events
		options.Notify = told.add
		var tooMany *intake.TooManyRejected
		for range 3 { // a restart goes no further
			err := New(world, options).Run(t.Context())
			if !errors.As(err, &tooMany) || tooMany.Rejected != 201 || !strings.Contains(err.Error(), "missing_label") || strings.Contains(err.Error(), "secret") {
				t.Fatalf("until the end: %v", err)
			}
			b := inBackground(t, world, options)
			time.Sleep(time.Minute)
			if status := b.Status(); status.Phase != PhaseHalted || !strings.Contains(status.Reason, "stream.reject_limit.share") {
				t.Errorf("status %+v", status)
			}
			if err := b.end(); !errors.As(err, &tooMany) {
				t.Errorf("in the background: %v", err)
			}
		}
		if len(of[Halted](&told)) != 6 {
			t.Errorf("%d times halted", len(of[Halted](&told)))
		}
		seen := map[string]bool{}
		for _, letter := range world.Topics[testTopics.DeadLetter].Partitions[0].Records {
			for _, h := range letter.Headers {
				if h.Key == deadletter.HeaderOffset {
					seen[string(h.Value)] = true
				}
			}
		}
		if letters := len(world.Topics[testTopics.DeadLetter].Partitions[0].Records); len(seen) != 200 || letters != 200 {
			t.Errorf("%d different records came to the dead-letter topic, want 200", len(seen))
		}
		options.Notify = nil
		renamed := options
		renamed.Model.Record.Renamed = []record.Rename{{Field: "secret-value", Was: "income"}}
		if s := run(t, world, renamed); s.Status().Version != 1000 || s.Status().Rejected[string(record.MissingLabel)] != 200 {
			t.Errorf("with the field renamed: %+v", s.Status())
		}
		if replayed, err := ReplayDeadLetters(t.Context(), world, renamed.Model, nil, testTopics, "adult", false); err != nil || replayed.Written != 200 {
			t.Errorf("replayed %+v, %v", replayed, err)
		}
		if s := run(t, world, renamed); s.Status().Version != 1200 {
			t.Errorf("after the replay: %+v", s.Status())
		}
	})
}

// TestPassOverTheRecords: the other way on, for records that are wrong.
func TestPassOverTheRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:500]...)
		for range 700 {
			world.Put(testTopics.Input, 0, `{"age":1}`)
		}
		options := testOptions()
		var tooMany *intake.TooManyRejected
		if err := New(world, options).Run(t.Context()); !errors.As(err, &tooMany) {
			t.Fatal(err)
		}
		options.RejectLimit.Share = 1
		s := run(t, world, options)
		if status := s.Status(); status.Version != 500 || status.Rejected[string(record.MissingLabel)] != 700 {
			t.Errorf("without a limit: %+v", status)
		}
	})
}

func TestNothingLearnt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		run(t, world, options) // an empty topic is no failure
		world.Put(testTopics.Input, 0, `{"age":"5"}`, `{"age":"6"}`)
		var nothing *NothingLearnt
		if err := New(world, options).Run(t.Context()); !errors.As(err, &nothing) || nothing.Rejected != 2 || !strings.Contains(err.Error(), `"income"`) {
			t.Errorf("error %v", err)
		}
		if models, err := ReadModels(t.Context(), world, testTopics.Model, "adult"); err != nil || models.Newest() != nil || len(models.Aliases) > 0 {
			t.Errorf("aliases %+v, %v", models.Aliases, err)
		}
	})
}

func TestTombstonesDoNotCountForTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:20]...)
		log := world.Topics[testTopics.Input].Partitions[0]
		for range 100 {
			log.Records = append(log.Records, kafka.Message{Key: []byte("k")})
		}
		options := testOptions()
		options.RejectLimit = intake.RejectLimit{Share: .5, Window: 10}
		s := run(t, world, options)
		if status := s.Status(); status.Version != 20 || status.Rejected[string(record.Tombstone)] != 100 || status.DeadLetters != 100 {
			t.Errorf("status %+v", status)
		}
	})
}

func TestADeadLetterIsTheRecordWithAReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(2)
		world.Put(testTopics.Input, 1, adultLines()[:20]...)
		original := kafka.Message{Timestamp: 12345, Key: []byte("key"), Value: []byte(`{"age":"private","income":{}}`),
			Headers: []kafka.Header{{Key: "trace", Value: []byte("abc")}, {Key: "null"}}}
		log := world.Topics[testTopics.Input].Partitions[1]
		log.Records = append(log.Records, original)
		run(t, world, testOptions())
		letters := world.Topics[testTopics.DeadLetter].Partitions[0].Records
		if len(letters) != 1 {
			t.Fatalf("%d dead letters", len(letters))
		}
		letter := letters[0]
		if letter.Timestamp != 12345 || string(letter.Key) != "key" || string(letter.Value) != string(original.Value) {
			t.Errorf("letter %+v", letter)
		}
		var headers []string
		for _, h := range letter.Headers {
			headers = append(headers, fmt.Sprintf("%s=%s", h.Key, h.Value))
		}
		want := []string{"trace=abc", "null=", "__connect.errors.topic=records", "__connect.errors.partition=1", "__connect.errors.offset=20",
			"__connect.errors.connector.name=adult", "__connect.errors.stage=VALUE_CONVERTER", "__connect.errors.class.name=fairstream/pkg/record.Decoder",
			"__connect.errors.exception.class.name=fairstream/pkg/record.Rejection"}
		if !slices.Equal(headers[:len(want)], want) {
			t.Errorf("headers %q", headers)
		}
		if text := strings.Join(headers[len(want):], " "); !strings.Contains(text, "label_not_scalar") || strings.Contains(text, "private") {
			t.Errorf("headers %q", text)
		}
	})
}
