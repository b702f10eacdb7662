package deadletter

import (
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
	"github.com/fairstream/fairstream/pkg/record"
)

// A letter that was rejected, replayed and rejected again comes back with its first headers alone.
func TestResurrectedRecordIsAsItWas(t *testing.T) {
	for _, id := range []kafka.TopicID{{}, {1, 2}} {
		suffix := ""
		if id != (kafka.TopicID{}) {
			suffix = "/" + id.String()
		}
		r := replay{Replayer: Replayer{Job: "adult", Input: "in"}}
		original := kafka.Message{Timestamp: 5, Key: []byte("k"), Value: []byte("v"), Headers: []kafka.Header{{Key: "trace", Value: []byte("1")}}}
		source := kafkatest.Record(7, &original)
		letter := Letter("adult", "in", Origin{id, 3}, &source, "7", &record.Rejection{Reason: record.MissingLabel})
		dead := kafkatest.Record(0, &letter)
		back, from, offset, ours := r.resurrect(&dead)
		if !ours || from != (Origin{id, 3}) || offset != 7 || len(back.Headers) != 2 || back.Headers[0].Key != "trace" || string(back.Headers[1].Value) != "3/7"+suffix {
			t.Errorf("%+v from %v/%d, %v", back, from, offset, ours)
		}
		source = kafkatest.Record(9, &back)
		letter = Letter("adult", "in", Origin{id, 3}, &source, "7", &record.Rejection{Reason: record.MissingLabel})
		dead = kafkatest.Record(1, &letter)
		if back, _, _, _ = r.resurrect(&dead); len(back.Headers) != 2 || string(back.Headers[1].Value) != "3/9"+suffix {
			t.Errorf("again: %+v", back.Headers)
		}
	}
}

func TestSpans(t *testing.T) {
	var s spans
	want := map[int64]bool{}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		from := random.Int64N(300)
		to := from + 1
		if random.IntN(20) == 0 {
			to += random.Int64N(30)
		}
		s = s.with(from, to)
		for offset := from; offset < to; offset++ {
			want[offset] = true
		}
		for i := 1; i < len(s); i++ {
			if s[i][0] <= s[i-1][1] {
				t.Fatalf("not apart: %v", s)
			}
		}
	}
	for offset := range int64(340) {
		if s.has(offset) != want[offset] {
			t.Fatalf("offset %d: %v in %v", offset, s.has(offset), s)
		}
	}
	if s.count() != int64(len(want)) {
		t.Errorf("%d of %d", s.count(), len(want))
	}
}
