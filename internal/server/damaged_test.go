package server

import (
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/stream"
)

// TestADamagedHistoryIsACondition: what an owner finds wrong with the history stays in sight.
func TestADamagedHistoryIsACondition(t *testing.T) {
	if all := historyConditions(&stream.Status{}); all != nil {
		t.Errorf("of a whole history: %+v", all)
	}
	all := historyConditions(&stream.Status{HistoryDamage: "entry 7 is not by the owner of the job"})
	if len(all) != 1 || all[0].Code != "history_damaged" || !strings.Contains(all[0].Detail, "entry 7 is not by the owner of the job") || !strings.Contains(all[0].Detail, "`fairstream audit`") {
		t.Errorf("%+v", all)
	}
}

// TestATimeThatCannotBeRight is a condition that says what helps.
func TestATimeThatCannotBeRight(t *testing.T) {
	if all := timeConditions(&stream.Status{Labels: &stream.LabelStatus{}}); len(all) != 0 || len(timeConditions(&stream.Status{})) != 0 {
		t.Errorf("%+v", all)
	}
	all := timeConditions(&stream.Status{Labels: &stream.LabelStatus{Ahead: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)}})
	if len(all) != 1 || all[0].Code != "time_ahead" || !strings.Contains(all[0].Detail, "2099-01-01T00:00:00Z") || !strings.Contains(all[0].Detail, "record.time") {
		t.Errorf("%+v", all)
	}
}
