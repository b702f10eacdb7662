package export

import (
	"fmt"
	"math"
	"slices"
)

// Counter counts the applicants of a file: by decision, or by score.
type Counter struct {
	index      map[[2]string]int
	categories []category
	scores     []scored // if the file has scores and no decisions
}

// category is one combination of sex and race, each "" if it is unknown.
type category struct {
	sex, race            string
	applicants, selected int64
}

// scored is the score of an applicant.
type scored struct {
	category int
	score    float64
}

// mostCategories bounds the categories that are counted: fields with more values are not sex and race.
const mostCategories = 1000

// NewCounter returns a counter that has counted nothing.
func NewCounter() *Counter { return &Counter{index: map[[2]string]int{}} }

// Decided counts an applicant of whom the decision is known. An empty sex or race is unknown.
func (c *Counter) Decided(sex, race []byte, selected bool) error {
	at, err := c.category(sex, race)
	if err == nil && selected {
		c.categories[at].selected++
	}
	return err
}

// Scored counts an applicant who has a score. Of one Counter, either Decided or Scored is used.
func (c *Counter) Scored(sex, race []byte, score float64) error {
	at, err := c.category(sex, race)
	if err == nil {
		c.scores = append(c.scores, scored{at, score})
	}
	return err
}

func (c *Counter) category(sex, race []byte) (int, error) {
	at, known := c.index[[2]string{string(sex), string(race)}]
	if !known {
		if at = len(c.categories); at == mostCategories {
			return 0, fmt.Errorf("more than %d combinations of values: are --sex and --race the right fields?", mostCategories)
		}
		key := [2]string{string(sex), string(race)}
		c.index[key] = at
		c.categories = append(c.categories, category{sex: key[0], race: key[1]})
	}
	c.categories[at].applicants++
	return at, nil
}

// Impact makes the table. Of scores, an applicant counts as selected with a score above the median of all applicants.
func (c *Counter) Impact(level float64, about Impact) *Impact {
	i := about
	i.Rate, i.Level, i.Missing, i.Tables = "share of positive decisions", level, []string{}, []Table{}
	if len(c.scores) > 0 {
		i.Rate = fmt.Sprintf("share of scores above the median, %.6g", c.selectAboveMedian())
	}
	sex, race, both := map[string]*Row{}, map[string]*Row{}, map[[2]string]*Row{}
	unknownOnes := int64(0)
	for _, k := range c.categories {
		i.Applicants += k.applicants
		if k.sex == "" || k.race == "" {
			unknownOnes += k.applicants
		}
		count(sex, k.sex, Row{Sex: k.sex, Unknown: k.sex == ""}, k)
		count(race, k.race, Row{Race: k.race, Unknown: k.race == ""}, k)
		count(both, [2]string{k.sex, k.race}, Row{Sex: k.sex, Race: k.race, Unknown: k.sex == "" || k.race == ""}, k)
	}
	i.Unknown = &unknownOnes
	i.add(bySex, rowsOf(sex))
	i.add(byRace, rowsOf(race))
	i.add(intersection, rowsOf(both))
	return &i
}

func count[K comparable](rows map[K]*Row, key K, empty Row, k category) {
	if rows[key] == nil {
		rows[key] = &empty
	}
	rows[key].Applicants += k.applicants
	rows[key].Selected += k.selected
}

func rowsOf[K comparable](rows map[K]*Row) (all []Row) {
	for _, row := range rows {
		all = append(all, *row)
	}
	return all
}

func (c *Counter) selectAboveMedian() (median float64) {
	all := make([]float64, len(c.scores))
	for i, s := range c.scores {
		all[i] = s.score
	}
	slices.Sort(all)
	middle := len(all) / 2
	if median = all[middle]; len(all)%2 == 0 {
		median = all[middle-1]/2 + all[middle]/2
	}
	for i := range c.categories {
		c.categories[i].selected = 0
	}
	for _, s := range c.scores {
		if s.score > median {
			c.categories[s.category].selected++
		}
	}
	return median
}

// Selected is the number of applicants who were selected; NaN for scores.
func (c *Counter) Selected() float64 {
	if len(c.scores) > 0 {
		return math.NaN()
	}
	sum := int64(0)
	for _, k := range c.categories {
		sum += k.selected
	}
	return float64(sum)
}
