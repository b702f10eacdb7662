package input

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/record"
)

func TestTheBarCountsRows(t *testing.T) {
	schema, err := record.NewSchema(adult.RecordConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Pass{Source: PartOfBundled(false), Schema: schema, Labelled: true, Each: func(*record.Record) {}, Reject: func(r *record.Rejection) { t.Error(r) }}
	if err := p.Open(); err != nil {
		t.Fatal(err)
	}
	var screen bytes.Buffer
	stop := showBar(&screen, p, "learning")
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop()
	if !strings.Contains(screen.String(), "learning: 48,842 rows") {
		t.Errorf("the last state is not shown: %q", screen.String())
	}
}

func TestThereIsNoBarWithoutATerminal(t *testing.T) {
	var screen bytes.Buffer
	ShowProgress(&screen, nil, "learning")()
	if screen.Len() > 0 {
		t.Errorf("%q", screen.String())
	}
}
