package inspect

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// listed counts the texts that record.missing adds to those that it has without it, in records that are read as if it did not.
type listed struct {
	texts   map[uint64]string // by hash
	decoder *record.Decoder
	rec     record.Record
	columns map[string]*occurrence
}

// occurrence is how often a column holds each listed text, and each number.
type occurrence struct {
	values  int
	texts   map[uint64]int
	numbers map[float64]int
}

const (
	// Of a column mostCounted different numbers are counted. A listed value is told of if leastListed records have it; a number if a neighbour, one more or one
	// less, occurs asOften as it does.
	mostCounted = 4096
	leastListed = 20
	asOften     = .3
)

// newListed is nil if record.missing lists nothing that means something elsewhere.
func newListed(config model.Config) *listed {
	known := config.Record
	known.Missing = nil
	known = known.WithDefaults()
	l := &listed{texts: map[uint64]string{}, columns: map[string]*occurrence{}}
	for _, text := range config.Record.Missing {
		if !slices.Contains(known.Missing, text) {
			l.texts[record.Hash([]byte(text))] = string(text)
		}
	}
	if len(l.texts) == 0 {
		return nil
	}
	l.decoder = profile.AllFeatures(known).NewDecoder()
	return l
}

func (l *listed) add(raw []byte) {
	if l == nil || l.decoder.DecodeJSON(&l.rec, raw) != nil {
		return
	}
	for f := range l.rec.Features {
		field := &l.rec.Features[f]
		if field.Missing {
			continue
		}
		o := l.columns[field.Name]
		if o == nil {
			if len(l.columns) == profile.MaxColumns {
				continue
			}
			o = &occurrence{texts: map[uint64]int{}, numbers: map[float64]int{}}
			l.columns[field.Name] = o
		}
		o.values++
		if _, is := l.texts[field.Hash]; is {
			o.texts[field.Hash]++
		}
		if x := table.Number(field.Text); !math.IsNaN(x) && (len(o.numbers) < mostCounted || o.numbers[x] > 0) {
			o.numbers[x]++
		}
	}
}

// listed finds values in record.missing that probably mean something.
func (s *search) listed() {
	if s.missed == nil {
		return
	}
	for _, c := range s.columns {
		o := s.missed.columns[c.Name]
		if o == nil || !s.isRead(c.Name) && c.Name != s.config.Record.Label.Field {
			continue
		}
		for _, missing := range s.config.Record.Missing {
			text := string(missing)
			n := o.texts[record.Hash([]byte(text))]
			if n < leastListed || !o.means(text, n) {
				continue
			}
			s.add(false, "record.missing", "%s is the value of %q in %d of %d records, and does not look like a word or a code for \"not known\": remove it here if it means something, or it is learnt as an unknown value",
				Quote(text), c.Name, n, o.values)
		}
	}
}

// means says whether a listed value is probably one like the others of its column.
func (o *occurrence) means(text string, n int) bool {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return float64(max(o.numbers[x-1], o.numbers[x+1])) >= asOften*float64(n)
	}
	return utf8.RuneCountInString(text) > 2 && strings.ContainsFunc(text, unicode.IsLetter) && !profile.SaysUnknown(text)
}
