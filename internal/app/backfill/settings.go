package backfill

import (
	"cmp"
	"regexp"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/app/output"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/document"
)

// Backfill learns a history.
type Backfill struct {
	*program.Streams
	// Inputs are patterns of names. Format is that of the files; empty: by extension.
	Inputs []string
	Format string
	// Output is where the state goes, Save where its weight document does; Save may be empty.
	Output, Save string
	// TimeField orders records by their time; empty: by file and position.
	TimeField string
	// Sample is how many records columns are found from; 0: backfill.DefaultSample.
	Sample int

	// Far reads the files in other processes; nil: this process reads them.
	Far Far

	config config.Config
	files  *files
	of     string // the fingerprint

	saying  sync.Mutex
	records atomic.Int64 // of a pass; 0 before they were counted
}

var (
	stateKind    = output.Kind{Words: "a state of fairstream backfill", Ours: regexp.MustCompile(`^FSBACKFL`)}
	documentKind = output.Kind{Words: "a weight document", Ours: regexp.MustCompile(`^\s*\{\s*"format"\s*:\s*"` + document.Format + `"`)}
)

// shards is how many files are read at the same time.
func (b *Backfill) shards() int { return min(len(b.files.list), runtime.GOMAXPROCS(0)) }

func (b *Backfill) sample() int {
	return cmp.Or(b.Sample, backfill.DefaultSample)
}

const partFormat = "fairstream backfill rounds 1"

var partKind = output.Kind{Words: "rounds of a backfill", Ours: regexp.MustCompile(`^\{"format":"` + partFormat + `"`)}

// partName is beside the output for as long as the backfill works.
func partName(name string) string { return name + ".rounds" }
