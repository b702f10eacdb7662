// Package fake is a job that is not there: it has every panel of the page, and every state that is hard to bring about.
package fake

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Names are those of a job, its groups and its columns.
type Names struct{ Job, Attribute, Male, Female, Race, Black, Column string }

// Plain names are those of the census records.
var Plain = Names{"adult", "sex", "Male", "Female", "race", "Black", "marital-status"}

// Job is a source.
type Job struct {
	mutex sync.Mutex
	names Names
	state string
	count int64
	noise *rand.Rand
	// orders says that orders about releases are taken.
	orders bool
	rows   []*row
}

// States are those that a job may be in.
var States = []string{"learning", "many", "warming-up", "standby", "halted", "empty", "first-version", "marked", "unreleased", "starting", "ok", "alarm", "kafka", "sixteen", "restarted"}

// New returns a job in a state.
func New(state string, names Names) *Job {
	j := &Job{names: names, state: state, noise: rand.New(rand.NewPCG(7, 7))}
	switch state {
	case "learning", "halted", "many", "first-version", "marked", "unreleased", "ok", "alarm", "kafka", "sixteen", "restarted", "numbers":
		j.count = 39072
		j.rows = j.comparisons()
	}
	if state == "warming-up" {
		j.count = 120
		j.rows = j.comparisons()
	}
	return j
}

// row is a comparison and how its difference moves.
type row struct {
	c      board.Constraint
	at     func(progress float64) float64
	versus float64 // rate of the second group
	sizes  [2]int64
	drift  float64
	points []board.Point
	marks  []board.Mark
}

var began = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

const (
	per     = 100   // records a point
	alarmed = 36000 // the record at which race raises its alarm, after the version that decides was promoted
)

func (j *Job) comparisons() []*row {
	n := j.names
	of := func(name string, criterion fairness.Criterion, group, versus string, tau float64, enforced bool, at func(float64) float64) *row {
		return &row{c: board.Constraint{Name: name, Criterion: criterion, Group: group, Versus: versus, Tau: tau, Enforced: enforced, Level: 0.95, Subject: "as_made"}, at: at,
			versus: 0.19, sizes: [2]int64{500, 6572}}
	}
	rows := []*row{
		of(n.Attribute, fairness.DemographicParity, n.Male, n.Female, 0.05, true, func(p float64) float64 { return 0.019 + 0.16*math.Exp(-p*22) }),
		of(n.Attribute+" of qualified", fairness.EqualOpportunity, n.Male, n.Female, 0.1, false, func(p float64) float64 { return -0.065 - 0.01*p }),
		of(n.Race, fairness.DemographicParity, n.Black, "rest", 0.05, false, func(p float64) float64 { return -0.02 - 0.09/(1+math.Exp(-30*(p-0.6))) }),
		of("four fifths", fairness.ImpactRatio, n.Female, n.Male, 0.8, false, func(float64) float64 { return 0.19 / 0.209 }),
		of(n.Attribute+" and "+n.Race, fairness.DemographicParity, n.Female+" & Eskimo", n.Male+" & White", 0.05, false, func(float64) float64 { return math.NaN() }),
	}
	// All rates are of the same decisions: 4,730 of men, 2,342 of women.
	rows[0].sizes, rows[3].sizes = [2]int64{4730, 2342}, [2]int64{2342, 4730}
	rows[1].versus, rows[1].sizes = 0.62, [2]int64{1398, 256}
	rows[2].sizes, rows[3].versus = [2]int64{678, 6394}, 0.209
	if j.state == "warming-up" {
		return rows
	}
	if j.state == "ok" || j.state == "alarm" || j.state == "kafka" || j.state == "restarted" {
		rows = []*row{rows[0], rows[3]}
		rows[1].c.Tau = 0.75
	}
	if j.state == "numbers" { // a regression
		rows = rows[:1]
		rows[0].c.Criterion = fairness.MeanDifference
	}
	if j.state == "sixteen" {
		for i := range 11 {
			at := 0.011 * float64(i)
			rows = append(rows, of("country of birth", fairness.DemographicParity, fmt.Sprintf("country %d", i+1), "rest", 0.05, false, func(float64) float64 { return at }))
		}
	}
	if j.state == "many" { // one comparison for each of many countries
		for i := range 40 {
			at := 0.001 * float64(i)
			rows = append(rows, of("country", fairness.DemographicParity, fmt.Sprintf("country %d", i+1), "rest", 0.05, false, func(float64) float64 { return at }))
		}
	}
	for _, r := range rows {
		for at := int64(per); at <= j.count; at += per {
			r.step(at, j.noise, 39072)
		}
		if len(rows[0].points) > 0 && r.c.Name == n.Race {
			r.marks = append(r.marks, board.Mark{N: 23400, Time: moment(23400), Kind: board.MarkVerdict, Text: "inconclusive becomes violated"})
		}
	}
	return rows
}

func moment(n int64) *time.Time {
	t := began.Add(time.Duration(n) * 1800 * time.Millisecond)
	return &t
}

// step adds what is known after n records.
func (r *row) step(n int64, noise *rand.Rand, total float64) {
	p := board.Point{N: n, Time: moment(n), Version: n / 4000 * 4000}
	value := r.at(float64(n) / total)
	r.drift = 0.93*r.drift + 0.0026*noise.NormFloat64() // the window moves slowly
	wobble := r.drift
	half := 0.9/math.Sqrt(math.Min(float64(n), 9000)*0.3) + 0.006
	mean := value
	if r.c.Name != "race" || n < 20000 {
		mean = value + 0.0001
	}
	wide := 1.9/math.Sqrt(float64(n)*0.3) + 0.004
	if r.c.Criterion.OfRatio() {
		half, wide = 2*half, 5.2*wide
	}
	p.Value, p.Lo, p.Hi = board.Number(value+wobble), board.Number(value+wobble-half), board.Number(value+wobble+half)
	p.SequenceValue, p.SequenceLo, p.SequenceHi = board.Number(mean), board.Number(mean-wide), board.Number(mean+wide)
	if r.c.Criterion.OfRatio() {
		p.Hi, p.SequenceHi = min(p.Hi, 1), min(p.SequenceHi, 1)
	}
	if n < 400 || math.IsNaN(value) {
		p.SequenceValue, p.SequenceLo, p.SequenceHi = board.Unknown(), board.Unknown(), board.Unknown()
	}
	r.points = append(r.points, p)
	if len(r.points) > board.MostPoints {
		r.points = r.points[1:]
	}
	if n%8000 == 0 && n > 0 {
		r.marks = append(r.marks, board.Mark{N: n, Time: p.Time, Kind: board.MarkPublication, Text: "version " + board.Grouped(n) + " published"})
	}
	if n == 16000 {
		r.marks = append(r.marks, board.Mark{N: n, Time: p.Time, Kind: board.MarkConfiguration, Text: board.ChangeWords("learner.window", "10000", "8192")})
	}
	if n == alarmed && r.c.Name == "race" {
		r.marks = append(r.marks, board.Mark{N: n, Time: p.Time, Kind: board.MarkAlarm, Text: "the difference grew beyond tau"})
	}
}

// Advance lets records come.
func (j *Job) Advance() {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.state != "learning" {
		return
	}
	j.count += per
	for _, r := range j.rows {
		r.step(j.count/per*per, j.noise, 39072)
	}
}

// TakeOrders makes the job take orders about releases.
func (j *Job) TakeOrders() *Job {
	j.orders = true
	return j
}

// Become changes the state.
func (j *Job) Become(state string) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.state = state
}

// Series is part of board.Source.
func (j *Job) Series(key board.Key) *board.Series {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	for _, r := range j.rows {
		if key.Fits(r.c.Key()) {
			return &board.Series{Name: r.c.Name, Criterion: r.c.Criterion, Group: r.c.Group, Versus: r.c.Versus, Tau: r.c.Tau,
				Points: append([]board.Point{}, r.points...), Marks: append([]board.Mark{}, r.marks...)}
		}
	}
	return nil
}
