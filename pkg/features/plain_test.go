package features

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/record"
)

// plainEncoder is Learning written down plainly from its documentation: maps in place of layouts and remembered texts, bins counted
// value by value, every weight with its group and owner from the start. It shares the keys of levels with Learning, which are
// for good, and the tuned constants.
type plainEncoder struct {
	config         Config
	columns        []*plainColumn
	crosses        [][]string
	levels         map[uint64]int32
	texts          map[int32]string // of the levels, by weight
	groups, owners []int32          // by weight, -1 for none
	shared         int32
	seen           int // records observed and encoded
	ignored        int64
	tests          map[uint64]*plainTest // by slot of the table
	waiting        []candidate
	looking        []number
}

type plainColumn struct {
	Column
	sample            []string
	since             int // records at the first value of the sample
	null              bool
	values            int
	dispersion        float64
	trusted           bool
	counts            bool // from 0, with the weight of the least number
	bins              []binEvidence
	records, next     int
	squares, variance float64
}

type plainTest struct {
	key                    uint64
	patience, records      int
	sum, variance, largest float64
}

func newPlainEncoder(config Config) *plainEncoder {
	return &plainEncoder{config: config, crosses: config.Crosses, levels: map[uint64]int32{}, texts: map[int32]string{}, groups: []int32{-1}, owners: []int32{-1}, tests: map[uint64]*plainTest{}}
}

// take gives new weights to an owner, in a group: the i-th column or cross, and a kind.
func (p *plainEncoder) take(count, i int, kind int32) int32 {
	first := int32(len(p.groups))
	owner := int32(2 * i)
	if kind == crossGroup {
		owner++
	}
	for range count {
		p.groups, p.owners = append(p.groups, GroupKinds*int32(i)+kind), append(p.owners, owner)
	}
	return first
}

// column finds a column by name, -1 if there is none.
func (p *plainEncoder) column(name string) int {
	return slices.IndexFunc(p.columns, func(c *plainColumn) bool { return c.Name == name })
}

// meet makes columns of new names, in the order of the names, while there is room.
func (p *plainEncoder) meet(fields []record.Field) {
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	for _, name := range names {
		if p.column(name) >= 0 {
			continue
		}
		if len(p.columns) == p.config.Vocabulary.Columns {
			p.ignored++
			continue
		}
		c := &plainColumn{Column: Column{Name: name}}
		if p.config.Columns[name].Type == Categorical {
			c.Kind = Levelled
		}
		p.columns = append(p.columns, c)
	}
}

func (p *plainEncoder) observe(fields []record.Field) {
	p.meet(fields)
	for _, f := range fields {
		i := p.column(f.Name)
		if i < 0 || p.columns[i].Kind != Untyped {
			continue
		}
		if c := p.columns[i]; f.Missing {
			c.null = true
		} else {
			p.add(c, &f)
		}
	}
	p.seen++
}

func (p *plainEncoder) add(c *plainColumn, f *record.Field) {
	if len(c.sample) == 0 {
		c.since = p.seen
	}
	c.sample = append(c.sample, string(f.Text))
}

func (p *plainEncoder) inferAll() {
	for i, c := range p.columns {
		if c.Kind == Untyped && len(c.sample) >= 32 {
			p.infer(i)
		}
	}
}

// cut makes bins: one for each value that makes up more than a 32nd of the sample, the others at quantiles of the rest.
func (c *plainColumn) cut(sample []float64) {
	counts := map[float64]int{}
	for _, x := range sample {
		counts[x]++
	}
	var heavy, rest, edges []float64
	repeated := 0
	for _, x := range sample {
		if counts[x]*32 > len(sample) {
			heavy = append(heavy, x)
			edges = append(edges, x, math.Nextafter(x, math.Inf(1)))
			continue
		}
		rest = append(rest, x)
		if counts[x] > 1 {
			repeated++
		}
	}
	heavy = slices.Compact(heavy)
	var cuts []float64
	if n := max(4, 32-len(heavy)); len(rest) > 0 {
		for i := 1; i < n; i++ {
			cuts = append(cuts, rest[i*len(rest)/n])
		}
	}
	cuts = slices.Compact(cuts)
	edges = append(edges, cuts...)
	slices.Sort(edges)
	b := &c.Binning
	b.Edges = slices.Compact(edges)
	for i := range len(b.Edges) + 1 {
		lower := math.Inf(-1)
		if i > 0 {
			lower = b.Edges[i-1]
		}
		single, below := slices.Index(heavy, lower), 0
		for _, cut := range cuts {
			if cut <= lower {
				below++
			}
		}
		coarse := below / 4
		if single >= 0 {
			coarse = len(cuts)/4 + 1 + single
		}
		b.Coarse, b.Single = append(b.Coarse, int32(coarse)), append(b.Single, single >= 0)
	}
	c.NumberLevels = len(rest) > 0 && float64(repeated) >= .25*float64(len(rest))
}

// bin is that of a number.
func (c *plainColumn) bin(x float64) (bin int) {
	for _, edge := range c.Binning.Edges {
		if x >= edge {
			bin++
		}
	}
	return bin
}

// nonZeros is a row by weight, in order.
type nonZeros []string

func (z *nonZeros) add(weight int32, value float64) {
	*z = append(*z, fmt.Sprintf("%d:%.4g", weight, float64(float32(value))))
}

// encode gives the non-zeros of a record. With grow it takes in what is new.
func (p *plainEncoder) encode(fields []record.Field, grow bool) string {
	if grow {
		p.meet(fields)
		p.waiting, p.looking = nil, nil
	}
	var row nonZeros
	row.add(0, 1)
	tokens := map[string]uint64{}
	for i := range len(p.columns) {
		for k := range fields {
			if f := &fields[k]; f.Name == p.columns[i].Name {
				tokens[f.Name] = p.field(&row, i, f, grow)
			}
		}
	}
	for i, names := range p.crosses {
		key, complete := uint64(0), true
		for _, name := range names {
			token, has := tokens[name]
			key, complete = CrossSlot(i).Key(key^token), complete && has
		}
		if complete {
			p.level(&row, CrossSlot(i), key, aCandidate, "", grow)
		}
	}
	if grow {
		p.seen++
	}
	return strings.Join(row, " ")
}

// field adds the non-zeros of a field, and returns what it contributes to crosses.
func (p *plainEncoder) field(row *nonZeros, i int, f *record.Field, grow bool) (token uint64) {
	c, slot := p.columns[i], ColumnSlot(i)
	if f.Missing {
		if c.Missing == 0 && grow {
			c.Missing = p.take(1, i, levelGroup)
		}
		if c.Missing != 0 {
			row.add(c.Missing, 1)
		}
		return 1
	}
	key := slot.Key(f.Hash)
	x, isNumber := readNumber(f.Text)
	if (c.Kind == Untyped || c.counts && c.bins == nil) && grow {
		defer p.sampled(c, i, f, key)
	}
	if !isNumber || c.Kind < Binned {
		p.level(row, slot, key, aCategory, string(f.Text), grow)
		return f.Hash
	}
	switch c.Kind {
	case Scaled:
		z := min(5, max(-5, (x-c.Mean)*c.Scale))
		row.add(c.First, z)
		return uint64(math.Round(z) + 5 + 2)
	case Interpolated:
		last := len(c.Knots) - 1
		if last == 0 {
			row.add(c.First, 1)
			return 2
		}
		x = min(c.Knots[last], max(c.Knots[0], x))
		k := 0
		for k < last-1 && x > c.Knots[k+1] {
			k++
		}
		share := (x - c.Knots[k]) / (c.Knots[k+1] - c.Knots[k])
		row.add(c.First+int32(k), 1-share)
		row.add(c.First+int32(k)+1, share)
		return uint64(k + 2)
	}
	bin, z := c.bin(x), 0.0
	if c.Linear != 0 {
		x = min(c.High, max(c.Low, x))
		for range c.SquareRoots {
			x = math.Sqrt(x)
		}
		z = (x - c.Mean) * c.Scale
		row.add(c.Linear, z)
	}
	if c.First != 0 {
		row.add(c.First+int32(bin), 1)
	}
	if c.FirstCoarse != 0 {
		row.add(c.FirstCoarse+c.Binning.Coarse[bin], 1)
	}
	if c.NumberLevels && !c.Binning.Single[bin] && !(c.counts && p.levels[key] == c.Linear) {
		p.level(row, slot, key, aCandidate, string(f.Text), grow)
	}
	if c.bins != nil && grow {
		p.looking = append(p.looking, number{int32(i), int32(bin), z})
	}
	return uint64(c.Binning.Coarse[bin] + 2)
}

// sampled adds a value to the sample of a column, which is inferred from 256 of them. In one of counts the weight of the least number becomes that of
// all numbers, once there are 32.
func (p *plainEncoder) sampled(c *plainColumn, i int, f *record.Field, key uint64) {
	p.add(c, f)
	var numbers []float64
	for _, text := range c.sample {
		if x, ok := readNumber([]byte(text)); ok {
			numbers = append(numbers, x)
		}
	}
	slices.Sort(numbers)
	switch x, _ := readNumber(f.Text); {
	case len(c.sample) == 256 && c.counts:
		c.cut(numbers)
		c.NumberLevels, c.Binning.Single, c.sample = true, make([]bool, len(c.Binning.Single)), nil
		c.bins, c.next = make([]binEvidence, len(c.Binning.Edges)+1), 128
	case len(c.sample) == 256:
		p.infer(i)
		if c.Kind == Binned && (c.NumberLevels || slices.Contains(c.Binning.Single, true)) {
			c.NumberLevels, c.Binning.Single = true, make([]bool, len(c.Binning.Single))
		}
	case c.counts || len(numbers) < 32 || len(numbers) < len(c.sample) || x != numbers[0] || x <= 0:
	case c.null || c.Missing != 0 || 2*len(c.sample) >= p.seen-c.since || p.levels[key] == 0:
	case p.config.Columns[c.Name] != ColumnConfig{} || slices.ContainsFunc(p.crosses, func(names []string) bool { return slices.Contains(names, c.Name) }):
	case numbers[(len(numbers)*3+3)/4-1] == x:
		c.counts, c.Kind, c.Linear, c.NumberLevels = true, Binned, p.levels[key], true
		c.SquareRoots, c.Mean, c.Scale, c.High = 1, 0, 1/math.Sqrt(x), min(1e150, 25*x)
		c.Binning = Binning{Coarse: []int32{0}, Single: []bool{false}}
	}
}

// level adds the weight of a level, or does what becomes of one that has none.
func (p *plainEncoder) level(row *nonZeros, slot Slot, key uint64, lacks lack, text string, grow bool) {
	limit, i := p.config.Vocabulary.Levels, int(slot.index)
	own := func() {
		kind := int32(levelGroup)
		if slot.cross {
			kind = crossGroup
		}
		p.levels[key] = p.take(1, i, kind)
		p.texts[p.levels[key]] = text
		if t := p.tests[key%4096]; t != nil && t.key == key {
			delete(p.tests, key%4096)
		}
		row.add(p.levels[key], 1)
	}
	switch weight, known := p.levels[key]; {
	case known:
		row.add(weight, 1)
	case lacks == aCategory && grow && len(p.levels) < limit:
		own()
	case lacks == aCategory:
		if p.shared == 0 && grow {
			p.shared = int32(len(p.groups))
			for range p.config.Vocabulary.Buckets {
				p.groups, p.owners = append(p.groups, -1), append(p.owners, -1)
			}
		}
		if p.shared != 0 {
			row.add(p.shared+int32((key>>32)%uint64(p.config.Vocabulary.Buckets)), 1)
		}
	case !grow || len(p.levels) >= limit+limit/8:
	case !slot.cross && p.columns[i].trusted || p.passed(key):
		own()
	default:
		p.waiting = append(p.waiting, candidate{slot, key})
	}
}

func (p *plainEncoder) passed(key uint64) bool {
	t := p.tests[key%4096]
	return t != nil && t.key == key && t.patience > 0 && t.deviation() >= 9
}

func (t *plainTest) deviation() float64 {
	if t.variance <= 0 || t.variance < t.largest {
		return 0
	}
	return t.sum * t.sum / t.variance
}

// reveal tests what waits with the residual of a record.
func (p *plainEncoder) reveal(residual, variance, weight float64) {
	for _, w := range p.waiting {
		t := p.tests[w.key%4096]
		if t != nil && t.key != w.key && t.patience > 0 {
			t.patience--
			continue
		}
		if t == nil || t.key != w.key || t.patience == 0 {
			t = &plainTest{key: w.key}
			p.tests[w.key%4096] = t
		}
		t.patience++
		t.records++
		t.sum += weight * residual
		t.variance += weight * weight * variance
		t.largest = max(t.largest, weight*residual*weight*residual)
		if i, column := w.slot.Column(); column && t.records == 8 {
			c := p.columns[i]
			c.values++
			c.dispersion += t.deviation()
			c.trusted = c.trusted || c.values >= 20 && c.dispersion >= 2*float64(c.values)
		}
	}
	for _, n := range p.looking {
		c := p.columns[n.column]
		b := &c.bins[n.bin]
		b.residual += weight * residual
		b.variance += weight * weight * variance
		b.moment += weight * weight * variance * n.z
		c.squares += weight * residual * weight * residual
		c.variance += weight * weight * variance
		if c.records++; c.records == c.next {
			c.next += c.next / 8
			p.earn(int(n.column))
		}
	}
	p.waiting, p.looking = nil, nil
}

// earn gives a column the weights that its bins have earned.
func (p *plainEncoder) earn(i int) {
	c, numeric := p.columns[i], 0
	for _, other := range p.columns {
		if other.Kind == Binned {
			numeric++
		}
	}
	least := 9.0
	for n := numeric / 32; n > 0; n /= 2 {
		least += 2 * math.Ln2
	}
	coarse := make([]binEvidence, slices.Max(c.Binning.Coarse)+1)
	for k, b := range c.bins {
		g := &coarse[c.Binning.Coarse[k]]
		*g = binEvidence{g.residual + b.residual, g.variance + b.variance, g.moment + b.moment}
	}
	dispersion := max(1, c.squares/c.variance)
	coarsely := c.FirstCoarse == 0 && plainDeviation(coarse, make([]int32, len(coarse)), dispersion) >= math.Sqrt(least)
	finely := c.First == 0 && plainDeviation(c.bins, c.Binning.Coarse, dispersion) >= math.Sqrt(least)
	if finely {
		c.First = p.take(len(c.bins), i, fineGroup)
	}
	if coarsely {
		c.FirstCoarse = p.take(len(coarse), i, coarseGroup)
	}
	if c.First != 0 && c.FirstCoarse != 0 {
		c.bins = nil
	}
}

// plainDeviation fits a mean to each group of bins and one slope to all, by weighted least squares, and returns by how many
// standard deviations what is left exceeds chance.
func plainDeviation(bins []binEvidence, group []int32, dispersion float64) float64 {
	weight, mean, centre := map[int32]float64{}, map[int32]float64{}, map[int32]float64{}
	degrees := 0
	for i, b := range bins {
		if b.variance >= 2 {
			degrees++
			weight[group[i]] += b.variance
			mean[group[i]] += b.residual
			centre[group[i]] += b.moment
		}
	}
	degrees -= len(weight)
	at := func(i int) (y, z float64) {
		b, g := bins[i], group[i]
		return b.residual/b.variance - mean[g]/weight[g], b.moment/b.variance - centre[g]/weight[g]
	}
	spread, product, left := 0.0, 0.0, 0.0
	for i, b := range bins {
		if y, z := at(i); b.variance >= 2 {
			spread += b.variance * z * z
			product += b.variance * y * z
		}
	}
	slope := 0.0
	if spread > 0 {
		slope = product / spread
		degrees--
	}
	for i, b := range bins {
		if y, z := at(i); b.variance >= 2 {
			left += b.variance * (y - slope*z) * (y - slope*z)
		}
	}
	if degrees <= 0 {
		return math.Inf(-1)
	}
	return math.Sqrt(2*left/dispersion) - math.Sqrt(float64(2*degrees-1))
}
