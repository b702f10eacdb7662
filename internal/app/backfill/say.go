package backfill

import (
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/backfill"
)

const (
	// usualRounds is what a backfill of the Adult records takes with one constraint (bench/backfill).
	usualRounds = 20
	// otherPasses survey the records, gather the sample and gather the newest.
	otherPasses = 3
	// bytesOfRecord is what a record of the sample takes in memory, roughly: its texts, and what stands for the names of its fields.
	bytesOfRecord = 250
)

func (b *Backfill) say(format string, arguments ...any) { english.Fprintf(b.Err, format, arguments...) }

// estimate says what the backfill will take.
func (b *Backfill) estimate() {
	if b.Far != nil {
		b.say("%s, %.1f MB. About %d passes over them; at most %.1f GB of memory for the sample.\n", english.Counted(len(b.files.list), "file"),
			float64(b.files.bytes())/1e6, otherPasses+usualRounds+1, float64(b.sample())*bytesOfRecord/1e9)
		return
	}
	b.say("%s, %.1f MB. About %d passes over them, %d at a time; at most %.1f GB of memory for the sample.\n", english.Counted(len(b.files.list), "file"),
		float64(b.files.bytes())/1e6, otherPasses+usualRounds, b.shards(), float64(b.sample())*bytesOfRecord/1e9)
}

// tell says how far the backfill is.
func (b *Backfill) tell(p backfill.Progress) {
	took := p.Took.Round(time.Millisecond)
	switch {
	case p.Weights == 0:
		b.say("%s, of which the newest %d are in no sum; %v.\n", english.Counted(p.Survey.Records, "good record"), p.Survey.Newest, took)
		if b.files.rejected.Total > 0 {
			b.files.rejected.Write(b.Err, b.files.rejected.Total+p.Survey.Records, "the input")
		}
		return
	case p.Rounds.Passes == 0:
		b.say("The sample has given %s; %v.\n", english.Counted(p.Weights, "weight"), took)
		return
	}
	b.say("round %d (%s): loss %.5f", p.Rounds.Passes, p.Rounds.Phase, p.Rounds.Loss)
	for _, m := range p.Rounds.Measured {
		if m.Estimable {
			b.say(", %s %+.4f ± %.4f, to be within %.4f", m.Name, m.Difference, m.Error, m.Target)
		}
	}
	b.say("; %v", took)
	if left := usualRounds - p.Rounds.Passes; left > 0 && p.Rounds.Phase != backfill.Done {
		b.say(", about %v left", (time.Duration(left) * p.Took).Round(time.Second))
	}
	b.say("\n")
}
