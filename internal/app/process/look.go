package process

import (
	"sync"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/pkg/model"
)

// firstLook holds the first records that a run reads against the configuration, and logs what is odd: what check
// would have said. After them it looks at some of the others, for columns whose unit changes.
type firstLook struct {
	logger   *zap.Logger
	messages format.Printer
	most     int

	mutex sync.Mutex
	seen  *inspect.Inspection // nil once that was logged
	count int
	text  []byte // the JSON of the last record

	units *inspect.UnitsOf
}

// leastLooked is how many records are looked at where the warm-up is shorter.
const leastLooked = 1000

func newFirstLook(c model.Config, messages format.Printer, logger *zap.Logger) (*firstLook, error) {
	c.Record = c.Record.AsJSON()
	seen, err := inspect.New(c)
	if err != nil {
		return nil, err
	}
	units, err := inspect.NewUnitsOf(c)
	return &firstLook{logger: logger, messages: messages, most: max(c.Learner.Warmup, leastLooked), seen: seen, units: units}, err
}

// look is for stream.Options.Look.
func (f *firstLook) look(value []byte) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	passes := f.units.Passes()
	if passes && f.seen == nil {
		return
	}
	text, err := f.messages.AppendJSON(f.text[:0], value)
	if err == nil {
		f.text = text
	}
	if !passes && err == nil {
		for _, finding := range f.units.Read(text) {
			f.logger.Warn("the records changed on the way", zap.String("key", finding.Path), zap.String("detail", finding.Text))
		}
	}
	if f.seen == nil {
		return
	}
	if err == nil {
		_ = f.seen.Add(text) // the stream tells of rejections
	}
	if f.count++; f.count >= f.most {
		f.log()
	}
}

// end logs what is odd of fewer records.
func (f *firstLook) end() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.seen != nil && f.count > 0 {
		f.log()
	}
}

func (f *firstLook) log() {
	for _, finding := range f.seen.Findings() {
		tell := f.logger.Warn
		switch {
		case finding.Fatal:
			tell = f.logger.Error
		case finding.Path == "record.label.field": // labels come later
			tell = f.logger.Info
		}
		tell("the records do not fit the configuration", zap.String("key", finding.Path), zap.String("detail", finding.Text), zap.Int("records", f.count))
	}
	f.seen = nil
}
