package fake

import (
	"fmt"
	"math"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Status is part of board.Source.
func (j *Job) Status() *board.Status {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	s := &board.Status{Schema: board.Schema, Job: j.names.Job, Kind: board.Run, Role: "owner", Phase: "learning", Ready: true, Term: 3, Version: j.count,
		Confidence: 0.95, Comparisons: 4, Constraints: []board.Constraint{}, Stream: board.Stream{LagRecords: board.Unknown(), LagSeconds: board.Unknown(),
			RecordsPerSecond: 2791, SnapshotAgeSeconds: 4.2}}
	defer j.decide(s)
	switch j.state {
	case "starting":
		s.Phase, s.Ready, s.Reason, s.Version = "starting", false, "starting", 0
		return s
	case "kafka":
		away := time.Now().Add(-12 * time.Minute).UTC()
		s.AsOf, s.Ready = &away, false
		s.Outage = &board.Outage{Since: away, Text: "Kafka has not answered since " + board.Clock(away) + ". What you see is from before; the job goes on by itself as soon as Kafka answers."}
	case "standby":
		s.Role, s.Phase, s.Version = "standby", "standby", 0
		s.Reason = "the process on host kappa-2 owns the job in term 3"
		return s
	case "halted":
		s.Ready, s.Phase = false, "halted"
		s.Reason = "more than half of the last 1000 records were rejected: the field income is missing. Correct the producer or record.label.field, then start again"
	case "empty":
		s.Stream.RecordsPerSecond = 0
		return s
	case "warming-up":
		s.WarmUp = &board.WarmUp{Records: j.count, Of: 512}
	}
	s.Records = board.Records{Seen: j.count + 190, Learnt: j.count, Rejected: 14, Labelled: j.count, Unlabelled: 176, Waiting: 176}
	if j.state != "warming-up" {
		s.Time = &board.Span{First: *moment(0), Last: *moment(j.count)}
	}
	for _, r := range j.rows {
		s.Constraints = append(s.Constraints, j.constraint(r))
	}
	s.Subjects = []board.Subject{{ID: "as_made", Title: "Decisions as made", Kind: "as_made", Records: j.count, Since: 1}}
	s.Stream.LagRecords, s.Stream.LagSeconds, s.Stream.KafkaFailures = 1204, 1.4, 2
	s.Stream.Partitions = []board.Partition{{Partition: 0, Next: 19812, End: 20410, Lag: 598}, {Partition: 1, Next: 19450, End: 20056, Lag: 606}}
	if j.state == "warming-up" {
		return s
	}
	j.serving(s)
	j.panels(s)
	if j.state == "restarted" {
		s.Drivers = nil
	}
	return s
}

// decide is about the stable version.
func (j *Job) decide(s *board.Status) {
	d := &s.Deciding
	d.Subject, d.Positive = "stable", board.Unknown()
	d.Constraints = s.Constraints
	if len(d.Constraints) == 0 {
		d.Answers.Headline = "No verdict here yet"
		return
	}
	since := moment(32000)
	d.Version, d.Since, d.Records, d.Confidence, d.Positive = place(32000), since, j.count-32000, s.Confidence, 0.2
	d.Answer()
	if j.state == "warming-up" {
		d.Answers.Fair, d.Answers.Since, d.Answers.Happened = "No version decides yet.", "", "Last 24 hours and last 7 days: no alarm."
		return
	}
	d.Answers.Fair = "Version 32,000 decides. The verdict is about all its 7,072 decisions, on records up to " + board.Clock(*moment(j.count)) + "."
	d.Answers.Since = "Since " + board.Clock(*since) + ", record 32,000."
	d.Answers.Happened = "Last 24 hours: no alarm, 2 new deciding versions. Last 7 days: 1 alarm, 1 withdrawal of a version, 9 new deciding versions."
	for i := range d.Constraints {
		if alarm := d.Constraints[i].Alarm; alarm != nil && alarm.Raised {
			d.Answers.Happened = "Last 24 hours: 1 alarm, 2 new deciding versions. Last 7 days: 1 alarm, 1 withdrawal of a version, 9 new deciding versions."
			d.Alarms = []board.AlarmTime{{ID: "2", Began: *moment(alarmed), Text: "Since " + board.Clock(*moment(alarmed)) + ", for " +
				board.Lasted(moment(j.count).Sub(*moment(alarmed))) + " now, an alarm says that the groups are treated differently by version 32,000."}}
		}
	}
	if j.state == "alarm" { // that of a version which no longer decides
		ended := moment(27500)
		d.Alarms = []board.AlarmTime{{ID: "1", Began: *moment(26000), Ended: ended, Text: "On " + board.Clock(*moment(26000)) +
			" an alarm said that the groups were treated differently by version 24,000. It lasted 45 minutes, until " + board.Clock(*ended) + "."}}
		d.Answers.Happened = "Last 24 hours: 1 alarm, 2 new deciding versions. Last 7 days: 1 alarm, 1 withdrawal of a version, 9 new deciding versions."
	}
}

func (j *Job) constraint(r *row) board.Constraint {
	c := r.c
	c.Value, c.Lo, c.Hi, c.GroupMeasure, c.VersusMeasure = board.Unknown(), board.Unknown(), board.Unknown(), board.Unknown(), board.Unknown()
	c.Status, c.Reason = fairness.NotEstimable, c.Group+" has 12 records and needs 30"
	if n := len(r.points); n > 0 && r.points[n-1].Value.Known() {
		p := r.points[n-1]
		c.Value, c.Lo, c.Hi, c.Reason = p.Value, p.Lo, p.Hi, ""
		versus := board.Number(r.versus)
		mean := p.SequenceValue
		if !mean.Known() {
			mean = p.Value
		}
		c.VersusMeasure, c.GroupMeasure = versus, versus+mean
		if c.Criterion.OfRatio() {
			c.GroupMeasure = versus * mean
		}
		c.Status = verdict(c.Criterion, p.Lo, p.Hi, c.Tau)
		c.NGroup, c.NVersus = r.sizes[0], r.sizes[1]
		ratio := min(c.GroupMeasure/versus, versus/c.GroupMeasure)
		spread := func(x board.Number, n int64) *board.Interval {
			lo, hi := fairness.Wilson(float64(x), float64(n), 0.95)
			return &board.Interval{Value: x, Lo: board.Number(lo), Hi: board.Number(hi)}
		}
		c.GroupRange, c.VersusRange = spread(c.GroupMeasure, c.NGroup), spread(c.VersusMeasure, c.NVersus)
		c.ImpactRatio = &board.Interval{Value: ratio, Lo: ratio - 0.07, Hi: ratio + 0.07}
		c.Sequence = &board.Sequence{Value: p.SequenceValue, Lo: p.SequenceLo, Hi: p.SequenceHi, Level: 0.9875, N: j.count, Since: 1, Subject: "as_made",
			Status: verdict(c.Criterion, p.SequenceLo, p.SequenceHi, c.Tau)}
		if c.Sequence.Status == fairness.Inconclusive {
			needed := int64(18400)
			c.RecordsNeeded = &needed
		}
		c.Alarm = &board.Alarm{Evidence: 0.31, Threshold: 10000, RunLength: 210000}
		if !c.Criterion.OfRatio() {
			c.Alarm.Plan = &board.AlarmPlan{Difference: board.Number(3 * c.Tau), Records: 1581}
		}
		if c.Name == j.names.Race {
			c.Alarm.Evidence, c.Alarm.Raised, c.Alarm.Since = 18240, true, &board.Moment{Record: alarmed, Time: moment(alarmed)}
		}
	}
	c.Sentence = board.Sentence(&c)
	return c
}

func verdict(criterion fairness.Criterion, lo, hi board.Number, tau float64) fairness.Status {
	switch t := board.Number(tau); {
	case !lo.Known():
		return fairness.NotEstimable
	case criterion.OfRatio() && lo >= t:
		return fairness.Met
	case criterion.OfRatio() && hi < t:
		return fairness.Violated
	case criterion.OfRatio():
		return fairness.Inconclusive
	case lo >= -t && hi <= t:
		return fairness.Met
	case lo > t || hi < -t:
		return fairness.Violated
	}
	return fairness.Inconclusive
}

// panels fills in what is below the verdicts.
func (j *Job) panels(s *board.Status) {
	n := j.names
	group := func(attribute, name string, members map[string]string, records, positive int64) {
		g := board.Group{Subject: "as_made", Attribute: attribute, Group: name, Members: members, Records: records, Positive: positive,
			Share: board.Number(float64(records) / float64(j.count)), Labelled: records - records/50, Unlabelled: records / 50, UnlabelledNegative: records / 50}
		g.TP, g.FP, g.FN = positive*6/10, positive-positive*6/10, records/10
		g.TN = g.Labelled - g.TP - g.FP - g.FN
		g.Rate, g.Lo, g.Hi, g.ImpactRatio = board.Unknown(), board.Unknown(), board.Unknown(), board.Unknown()
		if records < 30 {
			g.Reason = name + " has too few records: 30 are needed"
			g.TP, g.FP, g.FN, g.TN = positive, 0, 0, records-positive
		} else {
			lo, hi := fairness.Wilson(float64(positive)/float64(records), float64(records), 0.95)
			g.Rate, g.Lo, g.Hi = board.Number(float64(positive)/float64(records)), board.Number(lo), board.Number(hi)
			g.ImpactRatio = g.Rate / 0.2184
		}
		s.Groups = append(s.Groups, g)
	}
	group(n.Attribute, n.Male, map[string]string{n.Attribute: n.Male}, 26120, 5480)
	group(n.Attribute, n.Female, map[string]string{n.Attribute: n.Female}, 12952, 2459)
	group(n.Race, "White", map[string]string{n.Race: "White"}, 33410, 7100)
	group(n.Race, n.Black, map[string]string{n.Race: n.Black}, 3740, 392)
	group(n.Race, "Asian-Pac-Islander", map[string]string{n.Race: "Asian-Pac-Islander"}, 1210, 260)
	group(n.Race, "Amer-Indian-Eskimo", map[string]string{n.Race: "Amer-Indian-Eskimo"}, 376, 61)
	group(n.Race, "unknown", nil, 336, 60)
	s.Groups[len(s.Groups)-1].Unknown = true
	both := n.Attribute + " & " + n.Race
	group(both, n.Male+" & White", map[string]string{n.Attribute: n.Male, n.Race: "White"}, 23010, 5023)
	group(both, n.Female+" & White", map[string]string{n.Attribute: n.Female, n.Race: "White"}, 10400, 2077)
	group(both, n.Male+" & "+n.Black, map[string]string{n.Attribute: n.Male, n.Race: n.Black}, 1890, 236)
	group(both, n.Female+" & "+n.Black, map[string]string{n.Attribute: n.Female, n.Race: n.Black}, 1850, 156)
	group(both, n.Female+" & Eskimo", map[string]string{n.Attribute: n.Female, n.Race: "Eskimo"}, 12, 3)
	for i, measure := range []string{"selection_rate", "tpr", "fpr", "ppv", "accuracy"} {
		for k, pair := range [][3]string{{n.Male, n.Female, n.Attribute}, {n.Black, "rest", n.Race}} {
			value := []float64{0.021, -0.072, 0.012, 0.034, -0.051, -0.08, -0.04, 0.01, 0.08, 0.03}[i+5*k]
			half := []float64{0.012, 0.031, 0.009, 0.04, 0.011}[i] * float64(1+k)
			g := board.Gap{Subject: "as_made", Measure: measure, Group: pair[0], Versus: pair[1], Constraint: pair[2], Value: board.Number(value),
				Lo: board.Number(value - half), Hi: board.Number(value + half), Tau: board.Unknown()}
			if measure == "selection_rate" {
				g.Tau = 0.05
			}
			g.Status = verdict(fairness.DemographicParity, g.Lo, g.Hi, 0.05)
			if measure == "ppv" && k == 1 {
				g.Value, g.Lo, g.Hi, g.Status = board.Unknown(), board.Unknown(), board.Unknown(), fairness.NotEstimable
				g.Reason = "labels come only for positive decisions"
			}
			s.Gaps = append(s.Gaps, g)
		}
	}
	for k, name := range []string{n.Male, n.Female} {
		c := board.Calibration{Subject: "as_made", Group: name, SignedError: board.Number(0.012 - 0.03*float64(k))}
		for i := range 10 {
			score := float64(i)/10 + 0.05
			rate := math.Min(1, math.Max(0, score+0.05*math.Sin(float64(i+k*3))-0.02*float64(k)))
			records := int64(8000 * math.Exp(-float64(i)/3))
			lo, hi := fairness.Wilson(rate, float64(records), 0.95)
			c.Bins = append(c.Bins, board.Bin{From: float64(i) / 10, To: float64(i+1) / 10, Records: records, MeanScore: board.Number(score),
				Rate: board.Number(rate), Lo: board.Number(lo), Hi: board.Number(hi)})
		}
		s.Calibration = append(s.Calibration, c)
	}
	for i, column := range []string{n.Column, "relationship", "hours-per-week", "occupation", "education-num", "capital-gain", "age", "native-country"} {
		contribution := 0.82 * math.Exp(-float64(i)/2)
		if i%3 == 1 {
			contribution = -contribution
		}
		s.Drivers = append(s.Drivers, board.Driver{Constraint: n.Attribute, Group: n.Male, Versus: n.Female, Column: column, Contribution: board.Number(contribution),
			Importance: board.Number(math.Abs(contribution) * 1.4), Share: board.Number(0.39 * math.Exp(-float64(i)/2))})
	}
	s.Learner = board.Learner{
		Measures: []board.Measure{
			{Name: "accuracy", Window: "recent", Value: 0.846, Lo: 0.838, Hi: 0.853, Level: 0.95, N: 8704},
			{Name: "log_loss", Window: "recent", Value: 0.337, Lo: 0.325, Hi: 0.349, Level: 0.95, N: 8704},
			{Name: "constant_accuracy", Window: "recent", Value: 0.761, Lo: 0.752, Hi: 0.77, Level: 0.95, N: 8704},
			{Name: "positive_decisions", Window: "recent", Value: 0.196, Lo: 0.188, Hi: 0.205, Level: 0.95, N: 8704},
			{Name: "positive_labels", Window: "recent", Value: 0.239, Lo: 0.23, Hi: 0.248, Level: 0.95, N: 8704},
		},
		Controls: []board.Control{{Name: n.Attribute, Criterion: fairness.DemographicParity, Multiplier: 0.412, Target: 0.038, Reachable: true}},
	}
	s.Release = j.release()
	for i := range 3 {
		version := int64(36000 - 4000*i)
		v := board.Version{Term: 3, Version: version, WeightsSHA256: "8f2d1c5e0b9a47d6a1c3e5f70829bb64d1e2f3a4b5c6d7e8f90123456789abcd", Published: began.Add(time.Duration(version) * 1800 * time.Millisecond)}
		for _, r := range j.rows[:min(4, len(j.rows))] {
			v.Constraints = append(v.Constraints, j.constraint(r))
		}
		if i == 0 {
			v.Alias = []string{"latest"}
		}
		if i == 1 {
			v.Alias = []string{"stable"}
			v.Changes = []board.Change{{Path: "learner.window", Text: board.ChangeWords("learner.window", "10000", "8192"), From: "10000", To: "8192", Actor: "mira", Reason: "less memory"}}
			v.Who = &board.Who{Service: "fairstream run", Host: "kappa-1", Actor: "mira", Reason: "less memory"}
		}
		s.Versions = append(s.Versions, v)
	}
	for i, text := range []string{
		fmt.Sprintf("%s, %s and rest (share of positive decisions): not known yet becomes bound exceeded", n.Race, n.Black),
		board.ChangeWords("learner.window", "10000", "8192"),
		"fairstream run on kappa-1 owns the job, after 31,000 records; before, the owner was on kappa-2 (term 2)",
	} {
		s.History = append(s.History, board.Happening{Sequence: int64(9 - i), Time: began.Add(time.Duration(17-4*i) * time.Hour), Term: 3, Kind: []string{"decisions", "configuration", "owner"}[i],
			Text: text, Who: board.Who{Service: "fairstream run", Host: "kappa-1", Actor: []string{"", "mira", n.Column}[i], Reason: []string{"", "less memory", n.Race}[i]}})
	}
	if len(j.rows) < 5 {
		return // none of sex and race
	}
	s.Conditions = []board.Condition{{Code: "imprecise", Constraint: n.Attribute + " and " + n.Race,
		Detail: "the interval of the difference reaches ±0.081, beyond tau 0.05: about 3 times as many records of both groups are needed, or a larger tau"}}
}
