package replay

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// delayed rows come after random delays.
type delayed struct {
	input.Rows
	source *rand.Rand
}

func (d delayed) Next() error {
	if d.source.IntN(50) == 0 {
		time.Sleep(time.Duration(d.source.IntN(200)) * time.Microsecond)
	}
	return d.Rows.Next()
}

// The state of a learner depends neither on the number of processors nor on when rows come and when the learner is held up.
func TestDelaysAndProcessorsChangeNothing(t *testing.T) {
	source := rand.New(rand.NewPCG(11, 13))
	var csv, lines strings.Builder
	csv.WriteString("sex,job,hours,y\n")
	for range 3000 {
		sex, job, hours := []string{"m", "f"}[source.IntN(2)], fmt.Sprint("job ", source.IntN(30)), source.IntN(60)
		y := source.IntN(hours+20) / 30
		fmt.Fprintf(&csv, "%s,%s,%d,%d\n", sex, job, hours, min(y, 1))
		fmt.Fprintf(&lines, "{\"sex\":%q,\"job\":%q,\"hours\":%d,\"y\":%d}\n", sex, job, hours, min(y, 1))
	}
	c := BundledConfig().Model()
	c.Record.Label = record.Label{Field: "y", Positive: "1"}
	c.Constraints[0].Attribute, c.Constraints[0].Group, c.Constraints[0].Versus = model.OneOrMore{"sex"}, model.Values("f"), model.Values("m")
	for format, text := range map[record.Format]string{record.CSV: csv.String(), record.JSONLines: lines.String()} {
		state := func(processors int, seed uint64) []byte {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			learner, err := model.New(c)
			if err != nil {
				t.Fatal(err)
			}
			schema, err := c.Schema()
			if err != nil {
				t.Fatal(err)
			}
			reading, learning := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 2))
			p := &input.Pass{Schema: schema, Labelled: true, Source: input.Source{Name: "memory", Open: func(as record.Config) (input.Rows, error) {
				rows, err := record.NewReader(strings.NewReader(text), format, as.Limits)
				return delayed{rows, reading}, err
			}},
				Each: func(r *record.Record) {
					if learning.IntN(50) == 0 {
						time.Sleep(time.Duration(learning.IntN(200)) * time.Microsecond)
					}
					learner.Learn(r)
				},
				Reject: func(r *record.Rejection) { t.Error(r) },
			}
			if err := p.Open(); err != nil {
				t.Fatal(err)
			}
			if err := p.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			return learner.AppendState(nil)
		}
		one := state(1, 1)
		for _, processors := range []int{1, 2, 4} {
			if !bytes.Equal(one, state(processors, uint64(processors)+1)) {
				t.Errorf("%s: with other delays and %d processors the state is another", format, processors)
			}
		}
	}
}
