package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

func TestTheBarCountsRows(t *testing.T) {
	c := bundledConfig().Model()
	schema, err := c.Schema()
	if err != nil {
		t.Fatal(err)
	}
	p := &pass{source: newBundled(false), schema: schema, labelled: true, each: func(*record.Record) {}, reject: func(r *record.Rejection) { t.Error(r) }}
	if err := p.open(); err != nil {
		t.Fatal(err)
	}
	var screen bytes.Buffer
	stop := showBar(&screen, p, "learning")
	if err := p.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop()
	if !strings.Contains(screen.String(), "learning: 48,842 rows") {
		t.Errorf("the last state is not shown: %q", screen.String())
	}
}

func TestThereIsNoBarWithoutATerminal(t *testing.T) {
	var screen bytes.Buffer
	watch(&screen, nil, "learning")()
	if screen.Len() > 0 {
		t.Errorf("%q", screen.String())
	}
}
