package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
)

// rate is how fast records were decided.
type rate struct {
	perSecond float64
	cpu       float64 // microseconds of the processor for a record
}

// libraryRates are what the process of library prints.
type libraryRates struct{ ParsedPerSecond, ParsedCPU, TextPerSecond, TextCPU float64 }

// library decides batches of 1,000 records by pkg/document, parsed before and from their JSON, and prints the rates.
func library(model string, batches int, out io.Writer) error {
	text, err := os.ReadFile(model)
	if err != nil {
		return err
	}
	doc, err := document.Parse(text)
	if err != nil {
		return err
	}
	classifier, err := doc.Classifier()
	if err != nil {
		return err
	}
	schema, err := doc.Schema()
	if err != nil {
		return err
	}
	decider, err := doc.Decider()
	if err != nil {
		return err
	}
	all, err := lines()
	if err != nil {
		return err
	}
	decoder, parsed, texts := schema.NewDecoder(), make([]record.Record, len(all)), make([][]byte, len(all))
	for i, line := range all {
		texts[i] = []byte(line)
		if err := decoder.DecodeJSON(&parsed[i], texts[i]); err != nil {
			return err
		}
	}
	positive, repeated := 0, 0
	var r libraryRates
	r.ParsedPerSecond, r.ParsedCPU = timed(batches, func(i int) {
		if classifier.Decide(&parsed[i]).Positive {
			positive++
		}
	})
	r.TextPerSecond, r.TextCPU = timed(batches, func(i int) {
		if d, _ := decider.DecideJSON(texts[i]); d.Positive { // they were decoded before
			repeated++
		}
	})
	if positive != repeated || positive == 0 {
		return errors.New("decisions from JSON differ from those of parsed records")
	}
	return json.NewEncoder(out).Encode(r)
}

// timed gives the rate, a second, of what is done for each record of batches, and the processor time of each in microseconds.
func timed(batches int, do func(i int)) (perSecond, cpu float64) {
	for i := range distinct {
		do(i) // buffers grow, and caches fill; all is done whole times, so both counts of decisions are equal
	}
	used, begun, n := ownCPU(), time.Now(), batches*batch
	for i := range n {
		do(i % distinct)
	}
	elapsed := time.Since(begun)
	return float64(n) / elapsed.Seconds(), (ownCPU() - used).Seconds() * 1e6 / float64(n)
}

func ownCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("serve: " + err.Error()) // it cannot fail for this process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
