package input

import (
	"context"
	"runtime"

	"github.com/fairstream/fairstream/pkg/record"
)

// A pass decodes rows on one processor while those before are used on another, if there are two. The rows stay in order.

// item is one row: a record, or the rejection in its place.
type item struct {
	record    record.Record
	kept      record.Record // see Pass.Keep
	lost      bool          // kept could not be decoded
	rejection *record.Rejection
}

// batch is a few rows. The texts of their records are in text, as the reader reuses its memory.
type batch struct {
	items  []item
	count  int
	text   []byte
	fields int // of all records
}

// Sizes of what is decoded ahead.
const (
	batchRows   = 128
	batchBytes  = 128 << 10
	batchFields = 16 << 10
	batches     = 4
)

// decoding decodes all rows. next gives room for the next one, and is called again once that is filled.
type decoding func(ctx context.Context, next func() *item) error

// ahead decodes all rows and hands them on, which is done by one goroutine where it is not worth two.
func ahead(ctx context.Context, decode decoding, hand func(*item), one bool) error {
	if one || runtime.GOMAXPROCS(0) == 1 {
		return oneByOne(ctx, decode, hand)
	}
	filled, free := make(chan *batch, batches), make(chan *batch, batches)
	for range batches {
		free <- &batch{items: make([]item, batchRows)}
	}
	failed := make(chan error, 1)
	go func() {
		failed <- fill(ctx, decode, filled, free)
		close(filled)
	}()
	for b := range filled {
		for i := range b.items[:b.count] {
			hand(&b.items[i])
		}
		free <- b
	}
	return <-failed
}

// fill decodes all rows into batches.
func fill(ctx context.Context, decode decoding, filled chan<- *batch, free <-chan *batch) error {
	b := <-free
	b.count = -1 // no row is in the making yet
	err := decode(ctx, func() *item {
		if b.count >= 0 {
			row := &b.items[b.count]
			b.text, b.fields = row.record.Keep(b.text), b.fields+len(row.record.Features)
			b.text, b.fields = row.kept.Keep(b.text), b.fields+len(row.kept.Features)
		}
		b.count++
		if b.count == batchRows || len(b.text) > batchBytes || b.fields > batchFields {
			filled <- b
			b = <-free
			b.count, b.text, b.fields = 0, b.text[:0], 0
		}
		return &b.items[b.count]
	})
	b.count = max(0, b.count) // the last room was not filled
	filled <- b
	return err
}

// oneByOne does the same on one processor.
func oneByOne(ctx context.Context, decode decoding, hand func(*item)) error {
	var row item
	begun := false
	return decode(ctx, func() *item {
		if begun {
			hand(&row)
		}
		begun = true
		return &row
	})
}
