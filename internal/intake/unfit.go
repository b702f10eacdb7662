package intake

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/fairstream/fairstream/pkg/record"
)

// UnfitSchema is a schema whose records became dead letters in the last hour, because none of them can be a record of the job.
type UnfitSchema struct {
	// Detail names the schema and says why, such as: schema id 9 has no field "sex", the attribute of a constraint: …
	Detail string
	// Records is how many were rejected since this process started.
	Records int64
	// Last is when the last of them was, to a second.
	Last time.Time
}

// Bounds on what is told of unfit schemas.
const (
	unfitFor  = time.Hour
	mostUnfit = 32
)

// UnfitSchemas are those of a process, by detail. The zero value is ready.
type UnfitSchemas struct {
	all   map[string]*UnfitSchema
	fresh map[string]bool // that had records since the last List
}

// Note notes a rejection.
func (u *UnfitSchemas) Note(rejection error) {
	r, is := errors.AsType[*record.Rejection](rejection)
	if !is || r.Reason != record.UnfitSchema {
		return
	}
	if u.all == nil {
		u.all, u.fresh = map[string]*UnfitSchema{}, map[string]bool{}
	}
	one := u.all[r.Detail]
	if one == nil {
		if len(u.all) >= mostUnfit {
			return
		}
		one = &UnfitSchema{Detail: r.Detail}
		u.all[r.Detail] = one
	}
	one.Records++
	u.fresh[r.Detail] = true
}

// List gives the schemas of the last hour, the newest first, and forgets the others.
func (u *UnfitSchemas) List(now time.Time) (all []UnfitSchema) {
	for detail, one := range u.all {
		if u.fresh[detail] {
			one.Last = now
		}
		if now.Sub(one.Last) > unfitFor {
			delete(u.all, detail)
			continue
		}
		all = append(all, *one)
	}
	clear(u.fresh)
	slices.SortFunc(all, func(a, b UnfitSchema) int {
		return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.Detail, b.Detail))
	})
	return all
}
