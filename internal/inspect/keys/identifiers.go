package keys

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/profile"
)

const (
	// The field of record.id should have a value of its own in nearly every record, leastOfID. That of
	// record.key is shared by a record, its label and a few corrections, so there should be leastOfKey different values for each record.
	leastOfID  = .9
	leastOfKey = .2
	// leastEarly is the share of records from which on labels that come before them are told of.
	leastEarly = .01
	// manyLate is the share of labels from which on those that come too late are told of, and timely that of the labels that a longer age would be enough for.
	manyLate = .1
	timely   = .95
)

// Identifiers finds fields that should tell records apart but have few different values, and labels that their key does not lead to a record.
func Identifiers(s *find.Search) {
	few := func(field string, least float64, labels int) *profile.Column {
		c := s.Column(field)
		if field == "" || c == nil || c.AtLeast || c.Values < find.Enough || float64(c.Distinct) >= least*float64(c.Values+labels) {
			return nil
		}
		return c
	}
	if c := s.Column(s.Config.Record.ID); c != nil && s.IDs.Counted() >= find.Enough && s.IDs.Share() > 1-leastOfID {
		about := ""
		if c.AtLeast {
			about = "about "
		}
		s.Say(false, "record.id", "%q has %s%s in %d records, and a monitor counts decisions with the same identifier once: name a field that has another value in every record, and if this one identifies a person, name it in monitor.cluster",
			c.Name, about, different(s.IDs.Different()), c.Values)
	}
	if c := few(s.Config.Record.Key, leastOfKey, s.Labels); c != nil {
		s.Say(false, "record.key", "%q has %s in %d records, so labels are joined to other records than their own, unless these are updates of a record: name the field that only a record and its label share",
			c.Name, different(c.Distinct), c.Values+s.Labels)
	}
	if s.Early > 0 && float64(s.Early) >= leastEarly*float64(s.Profile.Records()) {
		s.Say(false, "record.key", "the labels of %d records came before them, and a job would put these labels on the dead-letter topic (unmatched_label): write each record before its label, to the same partition", s.Early)
	}
	if late := late(s.Delays, s.Age); s.Age > 0 && len(s.Delays) >= find.Enough && float64(late) >= manyLate*float64(len(s.Delays)) {
		s.Say(false, "stream.labels.age", "%d of %d labels come more than %s days after their records, which no longer wait then, so these labels are not learnt (unmatched_label): set the longest time after which an outcome is known; %.0f %% of these labels come within %s days",
			late, len(s.Delays), days(s.Age), 100*timely, days(quantile(s.Delays, timely)))
	}
}

// late is how many delays are longer than an age.
func late(delays []time.Duration, age time.Duration) (n int) {
	for _, delay := range delays {
		if delay > age {
			n++
		}
	}
	return n
}

// quantile is the delay that a share of them does not exceed.
func quantile(delays []time.Duration, share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(delays))
	return sorted[int(math.Ceil(share*float64(len(sorted))))-1]
}

func days(d time.Duration) string { return strconv.FormatFloat(d.Hours()/24, 'g', 3, 64) }

const (
	// Records are of the same persons if an identifier of a person has leastPerPerson records for each value, and mostPerPerson at most. If it is a feature, its name says that it
	// is a number of persons, and it has leastPersons values.
	leastPerPerson = 1.3
	mostPerPerson  = 50
	leastPersons   = 100
)

// Persons finds several records about one person where the configuration names no field for persons.
func Persons(s *find.Search) {
	if s.Cluster != "" {
		return
	}
	for _, c := range s.Columns {
		if c.Name == s.Config.Record.Key || c.Name == s.Config.Record.ID || !profile.NamesPerson(c.Name) || c.Values < find.Enough || c.DistinctShare == 0 {
			continue
		}
		also := ""
		if s.IsLearnt(c.Name) {
			if !profile.IdentifiesPerson(c.Name) || c.DistinctShare*float64(c.Values) < leastPersons {
				continue
			}
			also = " and in record.ignore"
		}
		if each := 1 / c.DistinctShare; each >= leastPerPerson && each <= mostPerPerson {
			s.Say(false, "record", "%q identifies persons, who have %.2g records each on average. Records about one person are not independent of each other, so intervals are too narrow: name the field in monitor.cluster%s, and hold out persons rather than records", c.Name, each, also)
			return
		}
	}
}

func different(values int) string {
	if values == 1 {
		return "one value"
	}
	return fmt.Sprintf("%d different values", values)
}
