package registry

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
	"github.com/fairstream/fairstream/pkg/record"
)

// named is a message whose schema is in a header.
func named(head []byte) *kafka.Record {
	r := kafkatest.Record(0, &kafka.Message{Value: []byte("x"), Headers: []kafka.Header{{Key: format.ValueSchema, Value: head}}})
	return &r
}

// TestASchemaIsFetchedByItsGUID: with what it refers to, once, beside the same schema by its number; one that the registry does not know waits and is
// rejected; and a registry without GUIDs is a cause of its own.
func TestASchemaIsFetchedByItsGUID(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.register(t, "inner", `{"type":"record","name":"inner","fields":[]}`)
	id := f.register(t, "a", `{"type":"record","name":"outer","fields":[{"name":"i","type":"inner"}]}`, sr.SchemaReference{Name: "inner", Subject: "inner", Version: 1})
	client, err := sr.NewClient(sr.URLs(f.store.URL()))
	if err != nil {
		t.Fatal(err)
	}
	registered, err := client.SchemaByVersion(t.Context(), "a", 1)
	if err != nil || len(registered.GUID) != 36 {
		t.Fatalf("%+v, %v", registered, err)
	}
	guid, err := hex.DecodeString(strings.ReplaceAll(registered.GUID, "-", ""))
	if err != nil {
		t.Fatal(err)
	}
	references := 0
	s, err := New(Config{URLs: []string{f.URL}, UnknownAfter: time.Second}, func(s Schema) (string, error) {
		references += len(s.References)
		return s.Text, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	settledOf := func(m *kafka.Record) (string, error) {
		for {
			value, _, err := s.Of(m)
			pending, waits := errors.AsType[*format.Pending](err)
			if !waits {
				return value, err
			}
			<-pending.Ready
		}
	}
	head := append([]byte{1}, guid...)
	s.PrepareFor(named(head))
	s.PrepareFor(named(nil))
	if value, err := settledOf(named(head)); err != nil || !strings.Contains(value, "outer") || references != 1 || s.SchemaOf(named(head)) != registered.GUID {
		t.Errorf("%s, %v, %d references, %s", value, err, references, s.SchemaOf(named(head)))
	}
	if value, err := settledOf(named([]byte{0, 0, 0, 0, byte(id)})); err != nil || !strings.Contains(value, "outer") {
		t.Error(value, err)
	}
	asked := f.asked.Load()
	if value, _, err := s.Of(named(head)); err != nil || value == "" || f.asked.Load() != asked {
		t.Error(value, err)
	}
	head[1]++
	if _, err := settledOf(named(head)); reason(err) != record.UnknownSchema || !strings.Contains(err.Error(), "schema GUID") {
		t.Error(err)
	}
	f.failing(func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"error_code":0,"message":"RESTEASY003210: Could not find resource for full path"}`))
		return true
	})
	head[1]++
	_, _, _ = s.Of(named(head))
	if w := cause(t, numbered{s}, "Registries without GUIDs"); !w.Until.IsZero() {
		t.Errorf("%+v", w)
	}
}
