package control

import (
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// learnt is a control that has learnt some records of two enforced comparisons, one of them with a model, and a measured one.
func learnt(t *testing.T) (*stream, *Rates) {
	t.Helper()
	s := &stream{records: 400, window: 90, tau: []float64{.0503, .3}, criteria: []fairness.Criterion{"", ""}, measured: true,
		relaxations: []surrogate.Name{surrogate.Approximation1, surrogate.Approximation2}, share: .5, bias: constantly(1.5), missing: never, burst: never, learnable: true}
	r, models := s.rates(t)
	random := rand.New(rand.NewPCG(51, 1))
	for i := range s.records {
		learn(models, s.draw(random, i, 3), r.Publish, r.Push, r.Observe)
	}
	r.everyone.drop(150) // so that slots are vacant
	if len(r.active) != 1 || len(r.memory.vacant) == 0 {
		t.Fatalf("%d comparisons have a model, %d slots are vacant", len(r.active), len(r.memory.vacant))
	}
	return s, r
}

func written(r *Rates, size int32) []byte {
	c := codec.NewWriter(nil)
	r.Fields(c, size)
	return c.Bytes()
}

func read(t *testing.T, s *stream, state []byte, size int32) (*Rates, error) {
	t.Helper()
	r, _ := s.rates(t)
	c := codec.NewReader(state)
	r.Fields(c, size)
	return r, c.End()
}

// A state that ends too early is refused, wherever it does; so is one with a byte more.
func TestEachCutOfAStateIsRefused(t *testing.T) {
	s, r := learnt(t)
	whole := written(r, streamColumns)
	if _, err := read(t, s, whole, streamColumns); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(whole); n += 1 + n/100 {
		if _, err := read(t, s, whole[:n], streamColumns); err == nil {
			t.Fatalf("%d of %d bytes are taken for a state", n, len(whole))
		}
	}
	if _, err := read(t, s, append(whole, 0), streamColumns); err == nil {
		t.Error("a byte more is taken for a state")
	}
}

// What is written is what was read, to the bit.
func TestAStateIsReadAsItWasWritten(t *testing.T) {
	s, r := learnt(t)
	whole := written(r, streamColumns)
	again, err := read(t, s, whole, streamColumns)
	if err != nil {
		t.Fatal(err)
	}
	if string(written(again, streamColumns)) != string(whole) {
		t.Error("a state changes when it is read and written")
	}
}

// States that no control can reach are refused, each at its bound: numbers at which slots, rows or models would be sought outside
// what there is.
func TestImpossibleStatesAreRefused(t *testing.T) {
	const fine, refused = true, false
	for name, test := range map[string]struct {
		change func(r *Rates)
		want   bool
	}{
		"as many measured as there can be": {func(r *Rates) { r.family.measured = 3 }, fine},
		"more measured than there can be":  {func(r *Rates) { r.family.measured = 4 }, refused},
		"as many sharing as there can be":  {func(r *Rates) { r.family.sharing = 3 }, fine},
		"more sharing than there can be":   {func(r *Rates) { r.family.sharing = 4 }, refused},
		"a model of the other comparison":  {func(r *Rates) { r.active[0] = 1 }, fine},
		"a comparison with two models":     {func(r *Rates) { r.active, r.interpolation = []int{0, 0}, []float64{1, 1}; r.memory.join() }, refused},
		"more models than comparisons": {func(r *Rates) {
			r.active, r.interpolation = []int{0, 1, 0}, []float64{1, 1, 1}
			r.memory.join()
			r.memory.join()
		}, refused},
		"a margin without end":             {func(r *Rates) { r.memory.margins[3] /= 0 * r.memory.margins[3] }, refused},
		"a vacant slot that is held":       {func(r *Rates) { r.memory.vacant[0] = r.windows[0][0].slots[0] }, refused},
		"a vacant slot given away twice":   {func(r *Rates) { r.memory.vacant = append(r.memory.vacant, r.memory.vacant[0]) }, refused},
		"a slot that nobody holds":         {func(r *Rates) { r.memory.vacant = r.memory.vacant[1:] }, refused},
		"a vacant slot that is not there":  {func(r *Rates) { r.memory.vacant[0] = int32(len(r.memory.rows)) }, refused},
		"a refresh that begins again":      {func(r *Rates) { r.memory.stale = len(r.memory.rows) }, fine},
		"a refresh behind the end":         {func(r *Rates) { r.memory.stale = len(r.memory.rows) + 1 }, refused},
		"a window's slot before the first": {func(r *Rates) { r.windows[1][0].slots[2] = -1 }, refused},
		"a window's slot behind the last":  {func(r *Rates) { r.windows[1][0].slots[2] = int32(len(r.memory.rows)) }, refused},
		"a window that is longer": {func(r *Rates) {
			w := r.windows[0][0]
			w.slots, w.weights = append(w.slots, w.slots[0]), append(w.weights, 1)
		}, refused},
		"a window that goes on at its end":  {func(r *Rates) { r.windows[0][0].next = s90 - 1 }, fine},
		"a window with room that goes on":   {func(r *Rates) { w := r.everyone; w.next = 1 }, refused},
		"a window that goes on behind":      {func(r *Rates) { r.windows[0][0].next = s90 }, refused},
		"a window that is steady all over":  {func(r *Rates) { w := r.windows[0][0]; w.steady = w.len() }, fine},
		"a window steadier than it is long": {func(r *Rates) { w := r.windows[0][0]; w.steady = w.len() + 1 }, refused},
		"records of which all lacked it":    {func(r *Rates) { r.memory.part(); r.constraints[1].missed = r.records }, fine},
		"more lacked it than came":          {func(r *Rates) { r.memory.part(); r.constraints[1].missed = r.records + 1 }, refused},
		"less than none lacked it":          {func(r *Rates) { r.memory.part(); r.constraints[1].missed = -1 }, refused},
		"a turn of the balance at its end":  {func(r *Rates) { r.balances[0].turn = 1<<30 - 1 }, fine},
		"a turn of the balance behind":      {func(r *Rates) { r.balances[0].turn = 1 << 30 }, refused},
	} {
		t.Run(name, func(t *testing.T) {
			s, r := learnt(t)
			test.change(r)
			if _, err := read(t, s, written(r, streamColumns), streamColumns); (err == nil) != test.want {
				t.Errorf("reading gives %v", err)
			}
		})
	}
	s, r := learnt(t)
	if _, err := read(t, s, written(r, streamColumns), 7); err == nil {
		t.Error("rows with indices beyond the weights are read")
	}
}

const s90 = 90 // the capacity of the windows of learnt
