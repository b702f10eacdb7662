package server

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
)

// drivers knows which columns move the scores of two groups apart: by the newest published weights, on some of the recent records.
// The records stay in memory and are shown to nobody.
type drivers struct {
	page    *isolate.Part
	at      record.At                               // where their JSON holds records
	print   func(dst, value []byte) ([]byte, error) // what came as JSON; nil: it is JSON
	mutex   sync.Mutex
	records [][]byte // a ring, as JSON
	next    int
	seen    int64

	newest    *document.Document // nil before the first publication
	explained *document.Document // the one that drivers are of
	drivers   []board.Driver
	busy      bool
}

// Sizes of the sample: all of the first records, then one of sampleEvery.
const (
	sampleRecords = 2000
	sampleEvery   = 8
	largestSample = 64 << 10 // bytes of a record
	mostDrivers   = 12       // columns of one comparison
)

// look takes note of a record. It is for one goroutine.
func (d *drivers) look(value []byte) {
	d.seen++
	if d.seen > sampleRecords && d.seen%sampleEvery != 0 || len(value) > largestSample {
		return
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if len(d.records) < sampleRecords {
		if text, err := d.printed(nil, value); err == nil {
			d.records = append(d.records, text)
		}
		return
	}
	if text, err := d.printed(d.records[d.next][:0], value); err == nil {
		d.records[d.next] = text
		d.next = (d.next + 1) % sampleRecords
	}
}

// printed appends the JSON of a record. The stream tells of those that have none.
func (d *drivers) printed(dst, value []byte) ([]byte, error) {
	if d.print == nil {
		return append(dst, value...), nil
	}
	text, err := d.print(dst, value)
	if err == nil && len(text) > largestSample {
		err = errTooLarge
	}
	return text, err
}

var errTooLarge = errors.New("the JSON of the record is too large to be kept")

// published takes note of weights.
func (d *drivers) published(doc *document.Document) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.newest = doc
}

// now are the latest drivers. If there are newer weights, it has them explained in the background for the next time.
func (d *drivers) now() []board.Driver {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.newest != d.explained && !d.busy {
		d.busy = true
		doc := d.newest
		records := make([][]byte, len(d.records))
		for i, value := range d.records {
			records[i] = slices.Clone(value)
		}
		go func() {
			var found []board.Driver
			d.page.Try(func() { found = explain(doc, d.at, records) })
			d.mutex.Lock()
			defer d.mutex.Unlock()
			d.drivers, d.explained, d.busy = found, doc, false
		}()
	}
	return d.drivers
}

// explain splits the difference of the mean scores of each pair of groups by column. A document or a record that cannot be read
// explains nothing: the stream tells of it.
func explain(doc *document.Document, at record.At, records [][]byte) []board.Driver {
	read := *doc
	read.Config.Record.At = at
	schema, err := read.Schema()
	if err != nil {
		return nil
	}
	appraisal, err := appraise.New(doc, true)
	if err != nil {
		return nil
	}
	observe, err := appraisal.Observer(doc)
	if err != nil {
		return nil
	}
	decoder := schema.NewDecoder()
	var r record.Record
	for _, value := range records {
		if decoder.DecodeJSON(&r, value) == nil {
			observe(&r, 0)
		}
	}
	var all []board.Driver
	for i := range appraisal.Pairs {
		all = append(all, driversOf(&appraisal.Pairs[i], i, appraisal.Columns())...)
	}
	return all
}

// driversOf are the columns that move one pair of groups most.
func driversOf(pair *appraise.Pair, at int, columns []appraise.Column) (list []board.Driver) {
	sum, total := 0.0, 0.0
	for _, c := range columns {
		if x := c.Differences[at]; !math.IsNaN(x) {
			sum, total = sum+math.Abs(x), total+x
			list = append(list, board.Driver{Constraint: pair.Name, Group: pair.Group.Label, Versus: pair.Versus.Label, Column: c.Name,
				Contribution: board.Number(x), Importance: board.Number(c.Importance)})
		}
	}
	slices.SortStableFunc(list, func(a, b board.Driver) int {
		return cmp.Compare(max(b.Contribution, -b.Contribution), max(a.Contribution, -a.Contribution))
	})
	list = list[:min(len(list), mostDrivers)]
	for i := range list {
		list[i].Total = board.Number(total)
		list[i].Share = max(list[i].Contribution, -list[i].Contribution) / board.Number(sum)
	}
	return list
}
