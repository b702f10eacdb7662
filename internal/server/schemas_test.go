package server

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/stream"
)

// TestAnAwaitedSchemaIsTold: the condition names the schema, the cause and what helps; a process whose records wait too long is not ready.
func TestAnAwaitedSchemaIsTold(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC)
	status := stream.Status{Phase: stream.PhaseLearning, Waits: []stream.SchemaWait{{Schema: "schema id 7", Since: since, Cause: errors.New("the registry answers 401: check registry.password_file")}}}
	if got := topicConditions(&status, nil); len(got) != 1 || got[0].Code != "schema_awaited" ||
		got[0].Detail != "Records wait for schema id 7 since 2026-11-23T04:00:00Z: the registry answers 401: check registry.password_file." {
		t.Errorf("%+v", got)
	}
	status.Held, status.Partitions = []stream.Held{{Partition: 1}}, make([]stream.PartitionStatus, 4)
	if got := topicConditions(&status, nil)[0].Detail; !strings.HasSuffix(got, "registry.password_file. Partition 1 stands still meanwhile.") {
		t.Error(got)
	}
	status.Held = append(status.Held, stream.Held{Partition: 3})
	if got := topicConditions(&status, nil)[0].Detail; !strings.HasSuffix(got, " Partitions 1, 3 stand still meanwhile.") {
		t.Error(got)
	}
	unfit := stream.Status{Unfit: []stream.UnfitSchema{{Detail: `schema id 9 has no field "sex", the attribute of a constraint`, Records: 12}, {Detail: "schema id 8", Records: 1}}}
	if got := topicConditions(&unfit, nil); len(got) != 1 || got[0].Code != "schema_unfit" ||
		got[0].Detail != `Records become dead letters because their schema does not fit the job, 12 of them with this one: schema id 9 has no field "sex", the attribute of a constraint. So do those of 1 other schema. `+
			"Correct the schema or the configuration; `fairstream deadletters replay` then learns them." {
		t.Errorf("%+v", got)
	}
	m := &Monitor{status: func() stream.Status { return status }}
	if reasons := m.NotReady(); len(reasons) > 0 {
		t.Errorf("not ready at once: %v", reasons)
	}
	status.Waits[0].Late = true
	if reasons := m.NotReady(); len(reasons) != 1 || !strings.Contains(reasons[0], "schema id 7") {
		t.Errorf("a process whose records wait too long: %v", reasons)
	}
	status.Waits = append(status.Waits, stream.SchemaWait{Schema: "schema id 8", Since: since})
	status.Waits[0].Until = since.Add(5 * time.Minute)
	if got := topicConditions(&status, nil)[0].Detail; !strings.Contains(got, "and 1 other") || !strings.Contains(got, "At 2026-11-23T04:05:00Z they are rejected (registry.unknown_after)") {
		t.Error(got)
	}
}
