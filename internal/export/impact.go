package export

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// smallShare is the share of the applicants below which the rules let an auditor leave a category out of the impact
// ratios; its number and its rate stay in the table.
const smallShare = 0.02

// Impact is a table of selection rates and impact ratios.
type Impact struct {
	// Date is when the table was made, as YYYY-MM-DD.
	Date string `json:"date"`
	// Source says where the counts come from.
	Source string `json:"source"`
	// Model names the model, if there are several.
	Model string `json:"model,omitempty"`
	// Rate says what the rates are shares of.
	Rate string `json:"rate"`
	// Level is that of every interval.
	Level float64 `json:"level"`
	// First and Last bound the event times of the applicants; absent if they have none.
	First *time.Time `json:"first,omitempty"`
	Last  *time.Time `json:"last,omitempty"`
	// Applicants are all, and Unknown those of whom sex or race is unknown; nil if they were not counted together.
	Applicants int64   `json:"applicants"`
	Unknown    *int64  `json:"unknown"`
	Tables     []Table `json:"tables"`
	// Missing are the tables that the counts do not allow: sex, race or intersection.
	Missing []string `json:"missing"`
}

// Table has the categories of one kind.
type Table struct {
	// Name is sex, race or intersection.
	Name string `json:"table"`
	Rows []Row  `json:"rows"`
}

// Row is one category. A number that is not defined is null.
type Row struct {
	Sex        string   `json:"sex,omitempty"`
	Race       string   `json:"race,omitempty"`
	Applicants int64    `json:"applicants"`
	Share      *float64 `json:"share"` // of the applicants of known categories
	Selected   int64    `json:"selected"`
	// Rate is the selection rate, with Wilson's interval.
	Rate   *float64 `json:"selection_rate"`
	RateLo *float64 `json:"selection_rate_lo"`
	RateHi *float64 `json:"selection_rate_hi"`
	// Ratio is the impact ratio: Rate over the highest rate of the table, with Koopman's interval, as if the category of
	// the highest rate had been named beforehand.
	Ratio   *float64 `json:"impact_ratio"`
	RatioLo *float64 `json:"impact_ratio_lo"`
	RatioHi *float64 `json:"impact_ratio_hi"`
	// WithoutSmall is the impact ratio if all categories that may be left out are.
	WithoutSmall *float64 `json:"impact_ratio_without_small"`
	// MayBeLeftOut says that the category has less than 2 % of the applicants.
	MayBeLeftOut bool `json:"may_be_left_out"`
	// Unknown marks the applicants whose category is not known. They have no ratio.
	Unknown bool `json:"unknown"`
}

// Names of the tables.
const (
	bySex        = "sex"
	byRace       = "race"
	intersection = "intersection"
	unknown      = "unknown"
)

// add makes a table of rows that hold names and counts. Unknown ones become one row.
func (i *Impact) add(name string, rows []Row) {
	var known []Row
	rest := Row{Unknown: true}
	total := int64(0)
	for _, row := range rows {
		if row.Unknown {
			rest.Applicants, rest.Selected = rest.Applicants+row.Applicants, rest.Selected+row.Selected
			continue
		}
		total += row.Applicants
		known = append(known, row)
	}
	if len(known) == 0 {
		i.Missing = append(i.Missing, name)
		return
	}
	slices.SortFunc(known, func(a, b Row) int { return cmp.Or(strings.Compare(a.Sex, b.Sex), strings.Compare(a.Race, b.Race)) })
	for k := range known {
		row := &known[k]
		share := float64(row.Applicants) / float64(total)
		row.Share, row.MayBeLeftOut = &share, share < smallShare
		i.rate(row)
	}
	i.compare(known)
	if name != byRace {
		rest.Sex = unknown
	}
	if name != bySex {
		rest.Race = unknown
	}
	i.rate(&rest)
	i.Tables = append(i.Tables, Table{name, append(known, rest)})
}

func (i *Impact) rate(row *Row) {
	if row.Applicants == 0 {
		return
	}
	rate := float64(row.Selected) / float64(row.Applicants)
	lo, hi := fairness.Wilson(rate, float64(row.Applicants), i.Level)
	row.Rate, row.RateLo, row.RateHi = &rate, &lo, &hi
}

// compare fills in the ratios to the highest rates: of all categories, and of those that are not small.
func (i *Impact) compare(rows []Row) {
	var best, bestLarge *Row
	for k := range rows {
		row := &rows[k]
		if best == nil || *row.Rate > *best.Rate {
			best = row
		}
		if !row.MayBeLeftOut && (bestLarge == nil || *row.Rate > *bestLarge.Rate) {
			bestLarge = row
		}
	}
	for k := range rows {
		row := &rows[k]
		if *best.Rate > 0 {
			ratio := *row.Rate / *best.Rate
			row.Ratio = &ratio
			if row != best {
				r := fairness.NewRatio(*row.Rate, float64(row.Applicants), *best.Rate, float64(best.Applicants), i.Level)
				row.RatioLo, row.RatioHi = &r.Lo, &r.Hi
			}
		}
		if bestLarge != nil && *bestLarge.Rate > 0 && !row.MayBeLeftOut {
			ratio := *row.Rate / *bestLarge.Rate
			row.WithoutSmall = &ratio
		}
	}
}

// OfMonitor makes the table of what a monitor counted. sex and race are the fields of the records. Tables that it did not
// count are in Missing.
func OfMonitor(r *monitor.Report, sex, race string, level float64, about Impact) *Impact {
	i := about
	i.Rate, i.Level, i.Applicants, i.Missing, i.Tables = "share of positive decisions", level, r.Records, []string{}, []Table{}
	if !r.First.IsZero() {
		i.First, i.Last = &r.First, &r.Last
	}
	for _, kind := range []struct {
		name   string
		fields []string
	}{{bySex, []string{sex}}, {byRace, []string{race}}, {intersection, []string{sex, race}}} {
		var rows []Row
		for g := range r.Groups {
			if row, ours := rowOf(&r.Groups[g], kind.fields, sex); ours {
				rows = append(rows, row)
			}
		}
		i.add(kind.name, rows)
		if t := len(i.Tables) - 1; t >= 0 && i.Tables[t].Name == intersection {
			rest := i.Tables[t].Rows[len(i.Tables[t].Rows)-1]
			i.Unknown = &rest.Applicants
		}
	}
	return &i
}

// rowOf is the row of a group, if it is one of these fields.
func rowOf(g *monitor.GroupReport, fields []string, sex string) (row Row, ours bool) {
	if len(g.Attributes) != len(fields) {
		return row, false
	}
	row = Row{Applicants: g.All.Records(), Selected: g.All.Positive, Unknown: g.Unknown}
	for k, attribute := range g.Attributes {
		if !slices.Contains(fields, attribute) {
			return row, false
		}
		value := cmp.Or(g.Values[k], "all other values")
		if attribute == sex {
			row.Sex = value
		} else {
			row.Race = value
		}
	}
	return row, true
}
