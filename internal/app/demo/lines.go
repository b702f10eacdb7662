package demo

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/pkg/document"
)

// toldEvery is how often the demo says how far it is.
const toldEvery = 2 * time.Second

// showLines writes a line about how far it is, now and then, until the demo has ended.
func showLines(w io.Writer, ended <-chan struct{}, standing func() standing) error {
	ticker := time.NewTicker(toldEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ended:
			return nil
		}
		if _, err := fmt.Fprintln(w, standing().line()); err != nil {
			return err
		}
	}
}

// standing is how far the demo is.
type standing struct {
	elapsed   time.Duration
	records   int64                  // learnt
	total     int64                  // 0: no end
	published int64                  // version
	measured  *document.Measurements // nil before the first
}

// standing looks at the stream.
func (d *Demo) standing() standing {
	s := d.learner.Status()
	m := standing{elapsed: time.Since(d.begun), records: s.Version, total: records, published: s.Published, measured: s.Measurements}
	if d.KeepRunning {
		m.total = 0
	}
	return m
}

func (m standing) line() string {
	parts := []string{english.Sprintf("%3.0f s  %d records", m.elapsed.Seconds(), m.records)}
	if m.total > 0 {
		parts[0] = english.Sprintf("%3.0f s  %d of %d records", m.elapsed.Seconds(), m.records, m.total)
	}
	if now := m.measured; now != nil {
		parts = append(parts, fmt.Sprintf("accuracy %.3f", now.Recent.Accuracy.Value))
		for _, c := range now.Constraints {
			parts = append(parts, fmt.Sprintf("%s %s %s", c.Name, findings.Difference(c), c.Status))
		}
	}
	if m.published > 0 {
		parts = append(parts, english.Sprintf("published %d", m.published))
	}
	return strings.Join(parts, "  ")
}
