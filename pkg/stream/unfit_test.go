package stream

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestASchemaWithoutTheAttributeIsTold: its records are dead letters with its id, the status names it, and the others are learnt.
func TestASchemaWithoutTheAttributeIsTold(t *testing.T) {
	t.Parallel()
	messages, _ := adultMessages(t, 200) // of two schemas
	url, _ := schemaServer(t)
	world := newWorld(1)
	bad := append(binary.BigEndian.AppendUint32([]byte{0}, 3), 2)
	world.Put(testTopics.Input, 0, append(append([]string{}, messages...), string(bad), string(bad))...)
	options := testOptions()
	options.Model.Record.Ignore = nil
	options.Format = openAvro(t, url)
	b := inBackground(t, world, options)
	for end := time.Now().Add(5 * time.Minute); len(b.Status().Unfit) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%+v", b.Status())
		}
	}
	if err := b.end(); err != nil {
		t.Fatal(err)
	}
	status := b.Status()
	if got := status.Unfit; len(got) != 1 || got[0].Records != 2 || !strings.HasPrefix(got[0].Detail, `schema id 3 has no field "income"`) || status.Version != 200 {
		t.Errorf("%+v, version %d", got, status.Version)
	}
	letters := world.Topics[testTopics.DeadLetter].Partitions[0].Records
	if len(letters) != 2 {
		t.Fatalf("%d dead letters", len(letters))
	}
	for i := range letters {
		named := slices.ContainsFunc(letters[i].Headers, func(h kafka.Header) bool { return h.Key == deadletter.HeaderSchema && string(h.Value) == "3" })
		if !named || string(letters[i].Value) != string(bad) {
			t.Errorf("a dead letter with %v: %q", letters[i].Headers, letters[i].Value)
		}
	}
}
