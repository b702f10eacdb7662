package process

import (
	"sync"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
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

	units   inspect.Units
	decoder *record.Decoder
	rec     record.Record
}

// leastLooked is how many records are looked at where the warm-up is shorter.
const leastLooked = 1000

func newFirstLook(c model.Config, messages format.Printer, logger *zap.Logger) (*firstLook, error) {
	c.Record = c.Record.AsJSON()
	schema, err := c.Schema()
	if err != nil {
		return nil, err
	}
	seen, err := inspect.New(c)
	return &firstLook{logger: logger, messages: messages, most: max(c.Learner.Warmup, leastLooked), seen: seen, decoder: schema.LabelOptional().NewDecoder()}, err
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
	if err != nil {
		text = nil
	} else {
		f.text = text
	}
	if !passes && text != nil && f.decoder.DecodeJSON(&f.rec, text) == nil {
		f.units.Add(&f.rec)
		for _, finding := range f.units.Newly() {
			f.logger.Warn("the records changed on the way", zap.String("key", finding.Path), zap.String("detail", finding.Text))
		}
	}
	if f.seen == nil {
		return
	}
	if text != nil {
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
