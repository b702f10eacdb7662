package server

import (
	"strings"
	"testing"

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
