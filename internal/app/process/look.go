package process

import (
	"sync"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/inspect/sequence"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/pkg/model"
)

// firstLook keeps the first records that a run reads, holds them against the configuration, and logs what is odd: what check would have said.
// Of the records after them it looks at some, for columns whose unit changes.
//
// To look at the first records takes tens of milliseconds, so learning does not wait for it: a goroutine does it, in one job of the process at a
// time. What a process that is killed has kept is lost. The next one looks at the first records that it reads itself.
type firstLook struct {
	logger   *zap.Logger
	page     *isolate.Part // a look that panics cuts it off
	messages format.Printer
	most     int // records

	seen   *inspect.Inspection
	values []byte        // of the first records, one after the other
	ends   []int         // of each in values
	looked chan struct{} // closed when what is odd was logged; nil while records are kept

	units *sequence.UnitsOf
	text  []byte // the JSON of the last record that units read
}

const (
	// leastLooked is how many records are looked at where the warm-up is shorter.
	leastLooked = 1000
	// mostKept is after how many bytes no more records are kept: large ones are fewer.
	mostKept = 16 << 20
)

// looking is held by the job that looks at its first records.
var looking sync.Mutex

func newFirstLook(c model.Config, cluster string, messages format.Printer, page *isolate.Part, logger *zap.Logger) (*firstLook, error) {
	c.Record = c.Record.AsJSON()
	seen, err := inspect.New(c)
	if err != nil {
		return nil, err
	}
	seen.Cluster = cluster
	units, err := sequence.NewUnitsOf(c)
	return &firstLook{logger: logger, page: page, messages: messages, most: max(c.Learner.Warmup, leastLooked), seen: seen, units: units}, err
}

// look is for stream.Options.Look: the goroutine that learns calls it.
func (f *firstLook) look(value []byte) {
	f.keep(value)
	if f.units.Passes() {
		return
	}
	text, err := f.messages.AppendJSON(f.text[:0], value)
	if err != nil {
		return // the stream tells of it
	}
	f.text = text
	for _, finding := range f.units.Read(text) {
		f.logger.Warn("the records changed on the way", zap.String("key", finding.Path), zap.String("detail", finding.Text))
	}
}

func (f *firstLook) keep(value []byte) {
	if f.looked != nil {
		return
	}
	f.values = append(f.values, value...)
	f.ends = append(f.ends, len(f.values))
	if len(f.ends) >= f.most || len(f.values) >= mostKept {
		f.begin()
	}
}

// begin has the records that were kept looked at.
func (f *firstLook) begin() {
	f.looked = make(chan struct{})
	go func() {
		defer close(f.looked)
		looking.Lock()
		defer looking.Unlock()
		f.page.Try(f.inspect)
	}()
}

// end waits until what is odd was logged, of fewer records if no more came. Nothing is learnt any more.
func (f *firstLook) end() {
	if f.looked == nil && len(f.ends) > 0 {
		f.begin()
	}
	if f.looked != nil {
		<-f.looked
	}
}

func (f *firstLook) inspect() {
	var text []byte
	from, records, fields := 0, 0, 0
	for _, end := range f.ends {
		if as, err := f.messages.AppendJSON(text[:0], f.values[from:end]); err == nil {
			text = as
			_ = f.seen.Add(text) // the stream tells of rejections
			fields += f.seen.Fields()
		}
		from, records = end, records+1
		if inspect.Enough(records, fields) {
			break
		}
	}
	for _, finding := range f.seen.Findings() {
		tell := f.logger.Warn
		switch {
		case finding.Fatal:
			tell = f.logger.Error
		case finding.Path == "record.label.field": // labels come later
			tell = f.logger.Info
		}
		tell("the records do not fit the configuration", zap.String("key", finding.Path), zap.String("detail", finding.Text), zap.Int("records", records))
	}
	f.seen, f.values, f.ends = nil, nil, nil
}
