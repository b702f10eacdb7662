package intake

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestUnfitSchemasAreListedForAnHour: by what is wrong with them, the newest first, and no more than a bound.
func TestUnfitSchemasAreListedForAnHour(t *testing.T) {
	t.Parallel()
	unfit := func(i int) error {
		return &record.Rejection{Reason: record.UnfitSchema, Detail: fmt.Sprintf("schema id %d", i)}
	}
	var u UnfitSchemas
	now := time.Unix(1_000_000, 0)
	if got := u.List(now); got != nil {
		t.Error(got)
	}
	for range 3 {
		u.Note(unfit(7))
	}
	u.Note(errors.New("another"))
	u.Note(&record.Rejection{Reason: record.UnknownSchema, Detail: "schema id 9"})
	if got := u.List(now); len(got) != 1 || got[0] != (UnfitSchema{"schema id 7", 3, now}) {
		t.Error(got)
	}
	now = now.Add(unfitFor)
	u.Note(unfit(8))
	if got := u.List(now); len(got) != 2 || got[0].Detail != "schema id 8" || got[1].Records != 3 {
		t.Error(got)
	}
	if got := u.List(now.Add(time.Second)); len(got) != 1 || got[0].Detail != "schema id 8" {
		t.Error(got)
	}
	for i := range 2 * mostUnfit {
		u.Note(unfit(i))
	}
	if got := u.List(now); len(got) != mostUnfit {
		t.Errorf("%d are listed", len(got))
	}
}
