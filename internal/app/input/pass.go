package input

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/record"
)

// Pass goes over a source once, in order, and hands every record on. It is the only loop that decodes the
// records of files; produce has one over their lines.
type Pass struct {
	Source Source
	Schema *record.Schema
	// Labelled rejects records without a label, unless they count (record.unlabelled). Some records must have one then.
	Labelled bool
	// Keep, if there is one, decodes each row a second time, into Kept.
	Keep *record.Schema
	// Kept is the row by Keep, nil if it cannot be decoded so. It is valid during the calls below only.
	Kept *record.Record
	// OneByOne decodes each row when the one before was handed on, and none ahead on another processor: for several passes at a time, which
	// have work for all processors already.
	OneByOne bool
	// Summed asks for the Sum of the rows as they are read, good or not, the first of which is the one of that Number of its file.
	Summed bool
	Number int64
	// Each is given every record that was decoded; it is valid during the call only.
	Each func(*record.Record)
	// Reject is given every rejection in the place of a record.
	Reject func(*record.Rejection)

	Reader Rows
	Fields []string     // of a CSV file, or of the first good JSON record
	Sum    uint64       // at the end, if Summed; those of the blocks of a file add up to that of the file
	Rows   atomic.Int64 // read so far, for whoever watches; it lags by up to watchEvery
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// watchEvery is after how many rows a pass tells how far it is and looks whether it should stop.
const watchEvery = 1024

// Open opens the source. That a CSV file has no column for the label is seen here already.
func (p *Pass) Open() error {
	reader, err := p.Source.Open(p.Schema.Config())
	if err != nil {
		return err
	}
	p.Reader = reader
	if header := reader.Header(); header != nil {
		p.Fields = header.Names()
		if p.Labelled && !slices.Contains(p.Fields, p.label()) {
			return errors.Join(p.NoLabel(), reader.Close())
		}
	}
	return nil
}

// Run reads to the end and closes the source.
func (p *Pass) Run(ctx context.Context) error {
	if p.Source.InMemory() {
		for _, rejection := range p.Source.memory.rejections() {
			p.Reject(rejection)
		}
	}
	return errors.Join(ahead(ctx, p.decode, p.hand, p.OneByOne), p.Reader.Close())
}

// decode is the decoding of the source. A panic is an error that names the source, as it may happen in a goroutine that nobody watches.
func (p *Pass) decode(ctx context.Context, next func() *item) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("%s: a defect of this program stopped it after some %d rows: %v: please report it with this stack\n%s", p.Source.Name, p.Rows.Load(), value, debug.Stack())
		}
	}()
	decoder, config := p.Schema.NewDecoder(), p.Schema.Config()
	labels := labels{counts: config.Counts(), keyed: config.Key != ""}
	var keeper *record.Decoder
	if p.Keep != nil {
		keeper = p.Keep.NewDecoder()
	}
	begun := uint32(0) // what the header makes of the sum of each row
	for _, name := range p.Fields {
		begun = crc32.Update(begun, castagnoli, []byte(name))
	}
	to := next()
	for row := 0; ; row++ {
		if row%watchEvery == 0 {
			p.Rows.Store(int64(row))
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted after %d rows of %s", row, p.Source.Name)
			}
		}
		err := p.Reader.Next()
		if p.Summed && err != io.EOF {
			p.Sum += record.Mix(uint64(p.Number)+uint64(row), uint64(crc32.Update(begun, castagnoli, p.Reader.Raw())))
		}
		if err == nil {
			if p.Source.Takes != nil && !p.Source.Takes(row) {
				continue
			}
			if len(p.Fields) == 0 && row < watchEvery {
				p.Fields = fieldsOf(p.Reader.Raw(), p.Schema.Config().At)
			}
			err = p.Reader.Decode(decoder, &to.record)
			if keeper != nil {
				to.lost = p.Reader.Decode(keeper, &to.kept) != nil
			}
		} else {
			to.lost = true
		}
		if err == nil && p.Labelled {
			err = labels.take(p, &to.record)
		}
		switch err := err.(type) {
		case nil:
			to.rejection = nil
		case *record.Rejection:
			p.placeOf(row).of(err)
			to.rejection = err
		default:
			p.Rows.Store(int64(row))
			if err == io.EOF || err == errNoLabels {
				return labels.atEnd(p)
			}
			return fmt.Errorf("%s: %w", p.Source.Name, err)
		}
		to = next()
	}
}

// labels are those of the records of a pass.
type labels struct {
	counts  bool // records without a label count
	keyed   bool // a label may come after its record, on a topic
	some    bool // a record had one
	without int  // before the first of these
	alone   int  // labels without a record
}

// errNoLabels says that a label should have been seen by now.
var errNoLabels = errors.New("input: no labels")

// labelsBy is among how many records the first label is, unless its field is misspelt.
const labelsBy = 10_000

func (l *labels) take(p *Pass, r *record.Record) error {
	switch {
	case r.HasLabel && l.keyed && bare(r):
		l.alone++
		return &record.Rejection{Reason: labelAlone, Offset: -1, Detail: "a label without anything to learn from: join it with its record in one row first"}
	case r.HasLabel:
		l.some = true
	case !l.counts:
		return &record.Rejection{Reason: record.MissingLabel, Field: p.label(), Offset: -1}
	case !l.some:
		if l.without++; l.without >= labelsBy {
			return errNoLabels
		}
	}
	return nil
}

// bare says whether a record has nothing but its label and its key.
func bare(r *record.Record) bool {
	return len(r.Features) == 0 && !slices.ContainsFunc(r.Attributes, func(v record.Value) bool { return !v.Missing })
}

// labelAlone is the reason of a label whose record is another row: the one that a job gives for a label whose record does not wait.
const labelAlone record.Reason = "unmatched_label"

const joinFirst = "Labels in rows of their own are joined by record.key on a topic only: join the rows of a file first, or write it to a topic (fairstream produce) and learn from that (fairstream run --until-end)"

// atEnd says whether records counted, and none had a label.
func (l *labels) atEnd(p *Pass) error {
	switch {
	case l.some || l.without == 0:
		return nil
	case l.alone > 0:
		return fmt.Errorf("no row of %s has both a record and its label, and in %s there is only a label. %s", p.Source.Name, english.Counted(l.alone, "row"), joinFirst)
	}
	return p.NoLabel()
}

// hand hands a row on.
func (p *Pass) hand(row *item) {
	if p.Kept = &row.kept; p.Keep == nil || row.lost {
		p.Kept = nil
	}
	if row.rejection != nil {
		p.Reject(row.rejection)
		return
	}
	p.Each(&row.record)
}

// placeOf returns where the present row begins, which is the row-th that was read.
func (p *Pass) placeOf(row int) place {
	if p.Source.InMemory() {
		return p.Source.memory.place(row)
	}
	return placeOf(p.Reader)
}

func (p *Pass) label() string { return p.Schema.Config().Label.Field }

// NoLabel says why no record has the label, and which fields there are. A first line that names no field of the
// configuration is perhaps no header but a record, of which no value may be shown.
func (p *Pass) NoLabel() error {
	if slices.Contains(p.Fields, p.label()) {
		return fmt.Errorf("no record of %s has the label: the field %q (record.label.field) holds only what record.missing lists", p.Source.Name, p.label())
	}
	problem := fmt.Sprintf("no record of %s has the label: record.label.field is %q%s", p.Source.Name, p.label(), english.DidYouMeanField(p.label(), p.Fields))
	switch {
	case p.namesConfigured() || len(p.Fields) == 0:
		return fmt.Errorf("%s; the fields are %s", problem, english.List(p.Fields))
	case p.Reader.Header() != nil:
		return fmt.Errorf("%s, and none of the %s in the first line is in the configuration: is that line a header?", problem, english.Counted(len(p.Fields), "name"))
	}
	return fmt.Errorf("%s, and none of the %s in the first record is in the configuration", problem, english.Counted(len(p.Fields), "field"))
}

// namesConfigured says whether one of the fields is in the configuration.
func (p *Pass) namesConfigured() bool {
	c := p.Schema.Config()
	named := slices.Concat(p.Schema.Attributes(), c.Features, c.Ignore, []string{c.Weight, c.Propensity, c.ID, c.Time.Field, c.Key})
	return slices.ContainsFunc(p.Fields, func(field string) bool { return field != "" && slices.Contains(named, field) })
}

// Everything is the schema of records that are read as c says, and in which every field is a feature, with the text that it has.
func Everything(c record.Config) (*record.Schema, error) {
	const noField = "\x00"
	schema, err := record.NewSchema(record.Config{At: c.At, CSV: c.CSV, Limits: c.Limits, Missing: []record.Text{noField},
		Label: record.Label{Field: noField, Positive: noField + noField}}, nil)
	if err != nil {
		return nil, err
	}
	return schema.LabelOptional(), nil
}

// fieldsOf returns the fields of a JSON record, whatever the configuration makes of them, and none if it
// is malformed.
func fieldsOf(raw []byte, at record.At) []string {
	schema, err := Everything(record.Config{At: at})
	if err != nil {
		return nil
	}
	var rec record.Record
	var fields []string
	if schema.NewDecoder().DecodeJSON(&rec, raw) == nil {
		for _, field := range rec.Features {
			fields = append(fields, field.Name)
		}
	}
	return fields
}
