package document

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/chance"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// A column is spread otherwise than it was learnt if chance explains that with a probability below exp(-beyondChance) for all columns together, and if the total
// variation between the shares, less what chance makes of it on average, is leastShifted or more. From farShifted on that is a sign of a mistake, and so are
// leastFresh of the values in cells that are empty in what was learnt.
const (
	// leastFamiliar is of how many records or values anything is said.
	leastFamiliar = 100
	beyondChance  = 11
	leastShifted  = .05
	farShifted    = .15
	leastFresh    = .03
	// Two columns are exchanged if each is as the other was, to within exchangedApart beyond chance.
	exchangedApart = .1
	// newErrors is by how many standard errors a share exceeds what is expected.
	newErrors = 6
	// Of so many learnt records, unseen would be expected in cells that none of them has: by chance hardly ever, in whichever of the cells.
	unseen = 33
)

// Shift is how the values of a column are spread otherwise among some records than among those that were learnt.
type Shift struct {
	Column string `json:"column"`
	// By is the total variation less what chance makes of it: so many of the records, at least, have other values.
	By float64 `json:"by"`
	// Far says that it is so large that it is probably a mistake.
	Far bool `json:"far,omitempty"`
	// Fresh is the share of the records whose values lie where none was learnt, if that is large.
	Fresh float64 `json:"fresh,omitempty"`
	// With is a column whose values it seems to have, and that has its.
	With string `json:"with,omitempty"`
	// Level is the short text whose share differs most, if it is known which one that is, Is its share among the records and Was among those that were learnt.
	Level string  `json:"level,omitempty"`
	Is    float64 `json:"is,omitempty"`
	Was   float64 `json:"was,omitempty"`
}

// shownText is how many bytes a text has at most that is named.
const shownText = 32

// shares are those of the cells of a column, and of the records that have no such field.
type shares [features.Cells + 1]float64

// spreading counts the cells of records beside a Spread.
type spreading struct {
	learnt  *Spread
	encoder *features.Frozen
	places  []int // of the columns of the encoder in learnt, -1 of others
	levels  []map[int][]string
	counts  [][features.Cells]int // by column of the encoder
	records int
}

// newSpreading has counted no record. It is nil for a document that knows no spread.
func newSpreading(d *Document, b *body) (*spreading, error) {
	if d.Spread == nil {
		return nil, nil
	}
	encoder, _, err := b.assemble()
	if err != nil {
		return nil, err
	}
	s := &spreading{learnt: d.Spread, encoder: encoder}
	for _, c := range encoder.Parts().Columns {
		at := slices.IndexFunc(d.Spread.Columns, func(known ColumnSpread) bool {
			return known.Name == c.Name && len(known.Shares) == features.Cells && c.Kind != features.Untyped
		})
		s.places = append(s.places, at)
	}
	s.counts = make([][features.Cells]int, len(s.places))
	s.levels = make([]map[int][]string, len(s.places))
	for _, level := range encoder.Parts().Levels {
		if column, ok := level.Slot.Column(); ok {
			if s.levels[column] == nil {
				s.levels[column] = map[int][]string{}
			}
			cell := features.CellOf([]byte(level.Text))
			s.levels[column][cell] = append(s.levels[column][cell], level.Text)
		}
	}
	return s, nil
}

func (s *spreading) add(r *record.Record) {
	if s == nil {
		return
	}
	s.records++
	s.encoder.VisitCells(r, func(column, cell int) { s.counts[column][cell]++ })
}

// of are the shares among the records, and among those that were learnt.
func (s *spreading) of(column int) (is, was shares) {
	rest, restLearnt := 1., 1.
	for cell := range features.Cells {
		is[cell], was[cell] = float64(s.counts[column][cell])/float64(s.records), s.learnt.Columns[s.places[column]].Shares[cell]
		rest, restLearnt = rest-is[cell], restLearnt-was[cell]
	}
	is[features.Cells], was[features.Cells] = max(0, rest), max(0, restLearnt)
	return is, was
}

// beyond is how improbable the difference between two shares of so many records each is by chance, and the total variation between them, less what chance makes of it.
func (s *spreading) beyond(is, was *shares) (surprise, by float64) {
	n, m := s.learnt.Records, float64(s.records)
	first, second := map[int]int{}, map[int]int{}
	mean := 0.
	for cell, p := range is {
		q := was[cell]
		both := (float64(p*m) + float64(q*n)) / (m + n)
		by += float64(math.Abs(p-q) / 2)
		mean += float64(math.Sqrt(2/math.Pi*both*(1-both)*(1/n+1/m)) / 2)
		first[cell], second[cell] = int(math.Round(p*m)), int(math.Round(q*n))
	}
	surprise, _, _ = chance.OfClasses(first, second)
	return surprise, by - mean
}

// fresh is the share of values in cells that no learnt record had, if it is large and no chance.
func (s *spreading) fresh(is, was *shares) (share float64) {
	for cell := range features.Cells {
		if was[cell]*s.learnt.Records < .5 {
			share += is[cell]
		}
	}
	if share < leastFresh || share*s.learnt.Records < unseen {
		return 0
	}
	return share
}

// shifts are the columns that are spread otherwise, those that differ most first.
func (s *spreading) shifts() (found []Shift) {
	if s == nil || s.records < leastFamiliar {
		return nil
	}
	var columns []int
	limit := beyondChance + math.Log(float64(max(1, len(s.places))))
	for column, c := range s.encoder.Parts().Columns {
		if s.places[column] < 0 {
			continue
		}
		is, was := s.of(column)
		surprise, by := s.beyond(&is, &was)
		if surprise < limit {
			continue
		}
		shift := Shift{Column: c.Name, By: by, Fresh: s.fresh(&is, &was)}
		if shift.Far = by >= farShifted || shift.Fresh > 0; !shift.Far && by < leastShifted {
			continue
		}
		s.name(&shift, column, &is, &was)
		found, columns = append(found, shift), append(columns, column)
	}
	for i, a := range columns {
		for j, b := range columns {
			if i != j && found[i].Far && found[j].Far && s.exchanged(a, b) {
				found[i].With = found[j].Column
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Shift) int { return cmp.Compare(b.By, a.By) })
	return found
}

// name names the text whose share differs most, if only one of the texts with a weight can be it.
func (s *spreading) name(shift *Shift, column int, is, was *shares) {
	most, far := 0, 0.
	for cell := range features.Cells {
		if d := math.Abs(is[cell] - was[cell]); d > far {
			most, far = cell, d
		}
	}
	if texts := s.levels[column][most]; len(texts) == 1 && len(texts[0]) <= shownText && !s.encoder.Parts().Columns[column].Numeric() {
		shift.Level, shift.Is, shift.Was = texts[0], is[most], was[most]
	}
}

// exchanged says whether two columns that are far from what they were are each as the other was.
func (s *spreading) exchanged(a, b int) bool {
	isA, wasA := s.of(a)
	isB, wasB := s.of(b)
	_, first := s.beyond(&isA, &wasB)
	_, second := s.beyond(&isB, &wasA)
	return first < exchangedApart && second < exchangedApart
}

// Stranger is a comparison whose groups are otherwise among some records than among those that were learnt.
type Stranger struct {
	Name      string `json:"name"`
	Attribute string `json:"attribute"`
	Group     string `json:"group"`
	// Records have the attribute. Is is the share of the group among those of both groups, and Was that among the learnt ones.
	Records int     `json:"records"`
	Is      float64 `json:"is"`
	Was     float64 `json:"was"`
	// None says that no record is in either group.
	None bool `json:"none,omitempty"`
}

// grouping counts the sides of records beside those that were learnt.
type grouping struct {
	grouper *fairness.Grouper
	learnt  []fairness.Estimate // by comparison
	levels  []fairness.Level
	sides   []fairness.Side
	counts  [][fairness.Uncounted + 1]int
}

// newGrouping has counted no record.
func newGrouping(d *Document) (*grouping, error) {
	grouper, err := d.Config.grouper(d.Found)
	if err != nil {
		return nil, err
	}
	n := len(grouper.Comparisons())
	return &grouping{grouper: grouper, learnt: d.Measurements.Prequential.Constraints, levels: make([]fairness.Level, len(grouper.Attributes())),
		sides: make([]fairness.Side, n), counts: make([][fairness.Uncounted + 1]int, n)}, nil
}

func (g *grouping) add(r *record.Record) {
	if g == nil {
		return
	}
	for i := range g.levels {
		g.levels[i] = fairness.MissingLevel
		if i < len(r.Attributes) && !r.Attributes[i].Missing {
			g.levels[i] = g.grouper.Known(i, r.Attributes[i].Text)
		}
	}
	g.grouper.Members(g.sides, g.levels)
	for k, side := range g.sides {
		g.counts[k][side]++
	}
}

// strangers are the comparisons of which no record is in either group, or of whose records much more or fewer are in the group than were.
func (g *grouping) strangers() (found []Stranger) {
	if g == nil || len(g.learnt) != len(g.counts) {
		return nil
	}
	for k, c := range g.grouper.Comparisons() {
		of, learnt := g.counts[k], g.learnt[k]
		both := of[fairness.Group] + of[fairness.Versus]
		known := both + of[fairness.Neither]
		if known < leastFamiliar || learnt.NGroup == 0 || learnt.NVersus == 0 {
			continue
		}
		s := Stranger{Name: c.Name, Attribute: c.Group[0].Attribute, Group: c.GroupLabel(), Records: known, None: both == 0}
		if !s.None {
			n, m := float64(learnt.NGroup+learnt.NVersus), float64(both)
			s.Is, s.Was = float64(of[fairness.Group])/m, float64(learnt.NGroup)/n
			if c.Criterion.NeedsLabel() || both < leastFamiliar || math.Abs(s.Is-s.Was) < farShifted+float64(newErrors*math.Sqrt(s.Was*(1-s.Was)*(1/n+1/m))) {
				continue // of one that needs the label, the learnt records are those with that label
			}
		}
		found = append(found, s)
	}
	return found
}
