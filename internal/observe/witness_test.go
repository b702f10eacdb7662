package observe

import "testing"

// TestReportsAreMadeAnewAfterADecision: what is known of the decisions is put together once, and again after a decision or a label.
func TestReportsAreMadeAnewAfterADecision(t *testing.T) {
	w, learner, schema := begun(t, adultSettings())
	decoder := schema.NewDecoder()
	for i, line := range adultLines()[:200] {
		e := &Entry{}
		if err := decoder.DecodeJSON(&e.Record, []byte(line)); err != nil {
			t.Fatal(err)
		}
		s := &Sight{Entry: e, Record: &e.Record, Number: int64(i + 1)}
		learner.Take(s)
		before := w.witnesses.monitored()
		w.witnesses.observe(s.Made, &e.Record, nil)
		after := w.witnesses.monitored()
		if !s.Made.Known {
			continue
		}
		if len(before) > 0 && after[0] == before[0] {
			t.Fatalf("record %d: the report is that of before", i+1)
		}
		if again := w.witnesses.monitored(); again[0] != after[0] {
			t.Fatalf("record %d: the report is put together without need", i+1)
		}
		w.witnesses.label(s.Made, &e.Record, e.Record.Time)
		if later := w.witnesses.monitored(); later[0] == after[0] {
			t.Fatalf("record %d: the report does not know of the label", i+1)
		}
	}
	if m := w.witnesses.monitored(); len(m) != 1 || m[0].Report.Records < 100 {
		t.Errorf("%d models, %+v", len(m), m)
	}
}
