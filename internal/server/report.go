package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/history"
)

// ReportWait is how long the reading of a history for a report may take: less than a connection may.
const ReportWait = 20 * time.Second

// reportDays is the period of a report that names none.
const reportDays = 7

// Audits makes the handler serve /report, from the audit of a period that read returns.
func (l *Live) Audits(read func(context.Context, history.Period) (*history.Audit, error)) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.audit = read
}

// Report serves the report of a period: /report?from=2026-11-01&to=2026-11-23, whole days in UTC. The history is read for one report at a time.
func (l *Live) Report() http.Handler {
	turn := make(chan struct{}, 1)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
			answer(w, http.StatusForbidden, "a page of another origin may not ask")
			return
		}
		period, err := periodOf(r.URL.Query().Get("from"), r.URL.Query().Get("to"), time.Now().UTC())
		if err != nil {
			answer(w, http.StatusBadRequest, err.Error())
			return
		}
		l.mutex.Lock()
		read := l.audit
		l.mutex.Unlock()
		if read == nil {
			answer(w, http.StatusNotFound, "there is no report: the job has no history (topics.history), or has not started yet")
			return
		}
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		default:
			answer(w, http.StatusTooManyRequests, "another report is being made: try again in a few seconds")
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), ReportWait)
		defer cancel()
		audit, err := read(ctx, period)
		if err != nil {
			answer(w, http.StatusBadGateway, "the history cannot be read now: the page of the job shows whether Kafka is away, and fairstream audit has the details")
			return
		}
		audit.Job = l.job // a history without entries names none
		sheet := signoff.Sheet{Audit: audit, Made: time.Now(), Label: signoff.LabelWords(l.model.Record.Label.Field, string(l.model.Record.Label.Positive)), Status: l.Status()}
		var page bytes.Buffer
		if err := sheet.HTML(&page); err != nil {
			answer(w, http.StatusInternalServerError, "the report cannot be written")
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", signoff.Policy())
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		_, _ = page.WriteTo(w) // whoever asked has gone
	})
}

// periodOf reads whole days. Without from, a report begins a week before its end; without to, it ends now.
func periodOf(from, to string, now time.Time) (p history.Period, err error) {
	p.Until = now
	if to != "" {
		day, err := time.Parse(time.DateOnly, to)
		if err != nil {
			return p, fmt.Errorf("to is not a day such as %s", now.Format(time.DateOnly))
		}
		if end := day.AddDate(0, 0, 1); end.Before(now) {
			p.Until = end
		}
	}
	p.Since = p.Until.AddDate(0, 0, -reportDays)
	if from != "" {
		if p.Since, err = time.Parse(time.DateOnly, from); err != nil {
			return p, fmt.Errorf("from is not a day such as %s", now.Format(time.DateOnly))
		}
	}
	if !p.Since.Before(p.Until) {
		return p, errors.New("the period is empty: from is not before to, or is in the future")
	}
	return p, nil
}
