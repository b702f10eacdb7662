package deadletter

import (
	"context"
	"errors"
	"reflect"

	"github.com/fairstream/fairstream/internal/format"
)

// waiting are the partitions of the input whose next letter has a schema that is not there yet, with what is closed once it is. The letters behind it
// wait too, so that those of a partition stay in order.
type waiting map[int32]<-chan struct{}

// has says whether an error of Decode means that the schema is awaited. If so, it notes that the partition waits.
func (w waiting) has(partition int32, decoded error) bool {
	pending, is := errors.AsType[*format.Pending](decoded)
	if is {
		w[partition] = pending.Ready
	}
	return is
}

// first returns when one of the schemas is there. The error is that of ctx.
func (w waiting) first(ctx context.Context) error {
	cases := []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ctx.Done())}}
	for _, ready := range w {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ready)})
	}
	if chosen, _, _ := reflect.Select(cases); chosen == 0 {
		return ctx.Err()
	}
	return nil
}
