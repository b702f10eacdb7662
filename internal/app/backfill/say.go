package backfill

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

const (
	// usualRounds is what a backfill takes with one constraint and a full matrix of curvature (bench/backfill: 13 to 20), usualThin without one.
	usualRounds = 20
	usualThin   = 55
	// otherPasses survey the records, gather the sample and gather the newest.
	otherPasses = 3
	// bytesOfRecord is what a record of the sample takes in memory, roughly: its texts, and what stands for the names of its fields.
	bytesOfRecord = 250
	// bytesOfSum are those of a sum, bytesKept what the rounds on the disk take for each weight of a model.
	bytesOfSum = 16
	bytesKept  = 500
	// mostMeasured is of how many comparisons the end of a backfill tells.
	mostMeasured = 12
	// watchEvery is how often a pass says how far it is.
	watchEvery = 15 * time.Second
)

func (b *Backfill) say(format string, arguments ...any) {
	b.saying.Lock()
	defer b.saying.Unlock()
	english.Fprintf(b.Err, format, arguments...)
}

// estimate says what the backfill will take.
func (b *Backfill) estimate() {
	vocabulary, models := b.config.Model().WithDefaults().Learner.Vocabulary, float64(1+len(b.config.Constraints))
	weights := float64(vocabulary.Levels + vocabulary.Buckets)
	sums := max(backfill.MostDense*backfill.MostDense/2, 2*weights) * bytesOfSum * models * float64(b.shards())
	at := english.Sprintf(", %d at a time", b.shards())
	passes := otherPasses + usualRounds
	if b.Far != nil {
		at, passes = "", passes+1
	}
	b.say("%s, %.1f MB. About %d passes over them%s, or %d if there are more than %d weights. About %.1f GB of memory for the sample, at most %.1f GB for sums, and at most %.0f MB on the disk.\n",
		english.Counted(len(b.files.list), "file"), float64(b.files.bytes())/1e6, passes, at, passes-usualRounds+usualThin, backfill.MostDense,
		float64(b.sample())*bytesOfRecord/1e9, sums/1e9, weights*bytesKept*models/1e6)
}

// tell says how far the backfill is.
func (b *Backfill) tell(p backfill.Progress) {
	b.files.done.Store(0)
	b.records.Store(p.Survey.Records)
	took := p.Took.Round(time.Millisecond)
	switch {
	case p.Weights == 0:
		b.surveyed(p.Survey, took)
		return
	case p.Rounds.Passes == 0:
		b.say("The sample has given %s; %v.\n", english.Counted(p.Weights, "weight"), took)
		return
	}
	line := english.Sprintf("round %d (%s): %d records, loss %.5f", p.Rounds.Passes, p.Rounds.Phase, p.Rounds.Summed, p.Rounds.Loss)
	for _, m := range p.Rounds.Measured {
		if m.Estimable {
			line += english.Sprintf(", %s %+.4f ± %.4f, to be within %.4f", m.Name, m.Difference, m.Error, m.Target)
		}
	}
	line += english.Sprintf("; %v", took)
	if p.Rounds.Phase != backfill.Done {
		line += english.Sprintf(", about %v left", (time.Duration(left(p)) * p.Took).Round(time.Second))
	}
	b.say("%s\n", line)
}

// left is how many rounds are probably left.
func left(p backfill.Progress) int {
	usual := usualRounds
	if p.Weights > backfill.MostDense {
		usual = usualThin
	}
	return max(usual-p.Rounds.Passes, 2)
}

// surveyed says what the first pass found.
func (b *Backfill) surveyed(s backfill.Survey, took time.Duration) {
	b.say("%s, of which the newest %d are in no sum; %v.\n", english.Counted(s.Records, "good record"), s.Newest, took)
	if s.Timeless > 0 {
		b.say("%s without a time in %s: these come first in the order.\n", english.Counted(s.Timeless, "record"), b.TimeField)
	}
	if b.files.rejected.Total > 0 {
		b.saying.Lock()
		b.files.rejected.Write(b.Err, b.files.rejected.Total+s.Records, "the input")
		b.saying.Unlock()
	}
	if forgetting := b.config.Model().WithDefaults().Learner.Forgetting; s.Records-s.Newest > int64(forgetting) {
		b.say("The sums are of %d records, and learner.forgetting is %d: within so many records, the learner that begins with their weights falls back to what so many records tell. If the past is like the present, set it to %d.\n",
			s.Records-s.Newest, forgetting, s.Records)
	}
	if names := b.files.empty(); len(names) > 0 {
		b.say("Without a good record: %s of %d, %s.\n", english.Counted(len(names), "file"), len(b.files.list), english.List(names))
	}
	for _, line := range b.files.uneven() {
		b.say("%s\n", line)
	}
}

// watch says how far passes are, until the returned function is called.
func (b *Backfill) watch(every time.Duration) (stop func()) {
	ticker, end, ended := time.NewTicker(every), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		before := int64(0)
		for {
			select {
			case <-end:
				return
			case <-ticker.C:
			}
			done, records := b.files.done.Load(), b.records.Load()
			rate := float64(done-before) / every.Seconds()
			switch {
			case done <= before: // the next pass has begun
			case records == 0:
				b.say("  %d records so far, %.0f a second\n", done, rate)
			default:
				b.say("  %d of %d records of this pass, %.0f a second, %v left of it\n", done, records, rate,
					time.Duration(float64(max(0, records-done))/rate*float64(time.Second)).Round(time.Second))
			}
			before = done
		}
	}()
	return func() {
		ticker.Stop()
		close(end)
		<-ended
	}
}

// mostUneven is how many fields or files are named.
const mostUneven = 5

// uneven names fields that only some files have, those of the fewest files first, fields that are not of the same kind in all files, and files whose labels or
// groups are written in another way.
func (f *files) uneven() (lines []string) {
	e := &f.evenness
	names := slices.SortedFunc(maps.Keys(e.fields), func(a, b string) int {
		return cmp.Or(cmp.Compare(e.fields[a].files, e.fields[b].files), cmp.Compare(a, b))
	})
	name := func(of int) string { return f.list[of].source.Name }
	lines = told(names, func(field string) string {
		s := e.fields[field]
		if s.files == e.files {
			return ""
		}
		return english.Sprintf("The field %q is in %d of %s: %s lacks it.", field, s.files, english.Counted(e.files, "file"), name(s.lacks))
	})
	lines = append(lines, told(names, func(field string) string {
		s := e.fields[field]
		rarer := s.rarer()
		if rarer < 0 {
			return ""
		}
		kinds := [2]string{"a number", "a text"}
		return english.Sprintf("The field %q is %s in %s and %s in %s: first in %s.", field, kinds[1-rarer], english.Counted(s.as[1-rarer].files, "file"),
			kinds[rarer], english.Counted(s.as[rarer].files, "file"), name(s.as[rarer].first))
	})...)
	return append(lines, odd(e.codes, name, f.compared)...)
}

// byChance is about how often chance makes a file among all look as if it were written in another way.
const byChance = 1e-3

// odd names files in which a label or the groups of a comparison are never seen, too often for chance.
func odd(all []coded, name func(file int) string, comparisons []fairness.Comparison) (lines []string) {
	slices.SortFunc(all, func(a, b coded) int { return cmp.Compare(a.file, b.file) })
	// lacking has a line for each file that has none of what some records have.
	lacking := func(count func(*codes) (of, found int), line func(of int, share float64) string) {
		of, found := 0, 0
		for i := range all {
			n, k := count(&all[i].codes)
			of, found = of+n, found+k
		}
		share := float64(found) / math.Max(1, float64(of))
		lines = append(lines, told(all, func(c coded) string {
			n, k := count(&c.codes)
			if n == 0 || k > 0 || float64(n)*-math.Log1p(-share) < math.Log(float64(len(all))/byChance) {
				return ""
			}
			return english.Sprintf("In %s, %s", name(c.file), line(n, 100*share))
		})...)
	}
	lacking(func(c *codes) (int, int) { return c.Labelled, c.Positive }, func(of int, share float64) string {
		return english.Sprintf("none of %s has the positive label, although %.1f %% of all records do: is it written in another way there?", english.Counted(of, "record"), share)
	})
	lacking(func(c *codes) (int, int) { return c.Labelled, c.Labelled - c.Positive }, func(of int, share float64) string {
		return english.Sprintf("each of %s has the positive label, although only %.1f %% of all records do.", english.Counted(of, "record"), 100-share)
	})
	for i := range comparisons {
		lacking(func(c *codes) (int, int) {
			if i >= len(c.Grouped) { // of a worker that knows other comparisons
				return 0, 0
			}
			return c.Records, c.Grouped[i]
		}, func(of int, share float64) string {
			return english.Sprintf("none of %s is in a group of the constraint %s, although %.1f %% of all records are: are groups written in another way there?", english.Counted(of, "record"), comparisons[i].Name, share)
		})
	}
	return lines
}

// told are the first lines about fields or files, and how many more there would be.
func told[T any](all []T, line func(T) string) (lines []string) {
	more := 0
	for _, one := range all {
		switch text := line(one); {
		case text == "":
		case len(lines) == mostUneven:
			more++
		default:
			lines = append(lines, text)
		}
	}
	if more > 0 {
		lines = append(lines, english.Sprintf("The same is true of %d more.", more))
	}
	return lines
}

// empty names files that have no good record.
func (f *files) empty() (names []string) {
	for i := range f.list {
		if f.list[i].records == 0 {
			names = append(names, f.list[i].source.Name)
		}
	}
	return names
}

// measured says of each constraint what the newest records show of the weights that were written.
func (b *Backfill) measured(doc *document.Document) {
	all := doc.Measurements.Constraints
	for _, c := range all[:min(len(all), mostMeasured)] {
		b.say("Among the newest records, with these weights: %s\n", findings.Sentence(c, all))
	}
	if more := len(all) - mostMeasured; more > 0 {
		b.say("%s more: the document that --save writes has them.\n", english.Counted(more, "comparison"))
	}
}
