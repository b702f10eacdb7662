package inspect

import (
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/record"
)

// totalWords stand in lines that are sums of others.
var totalWords = []string{"total", "totals", "grand total", "subtotal", "sub-total", "sum", "summe", "gesamt", "gesamtsumme", "zwischensumme", "insgesamt", "total général", "somme", "total general", "suma", "average", "mean", "durchschnitt", "mittelwert", "moyenne", "promedio", "media"}

// A category may have such a name, too. So a line is a sum only if it has at most mostFilled of the values that a record has, and at most
// mostTotals of all records are.
const (
	mostFilled = .75
	mostTotals = .05
)

// isTotal says whether a record has a text that stands in lines with sums, and few values.
func (i *Inspection) isTotal(whole *record.Record) bool {
	named, known := false, 0
	for f := range whole.Features {
		field := &whole.Features[f]
		if field.Missing {
			continue
		}
		known++
		named = named || len(field.Text) < 20 && slices.Contains(totalWords, strings.ToLower(strings.Trim(string(field.Text), " .:")))
	}
	i.known = max(i.known, known)
	return named && float64(known) <= mostFilled*float64(i.known)
}

// sums finds lines that are sums of others.
func (s *search) sums() {
	if s.totals > 0 && float64(s.totals) <= mostTotals*float64(s.profile.Records()) {
		s.add(false, "record", "%d records are probably sums of others: they hold a word such as \"Total\" and lack other values. Remove these lines", s.totals)
	}
}
