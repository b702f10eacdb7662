package seen

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

// Listed counts the texts that record.missing adds to those that it has without it, in records that are read as if it did not.
type Listed struct {
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
func newListed(config model.Config) *Listed {
	known := config.Record
	known.Missing = nil
	known = known.WithDefaults()
	l := &Listed{texts: map[uint64]string{}, columns: map[string]*occurrence{}}
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

func (l *Listed) add(raw []byte) {
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

// means says whether a listed value is probably one like the others of its column.
func (o *occurrence) means(text string, n int) bool {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return float64(max(o.numbers[x-1], o.numbers[x+1])) >= asOften*float64(n)
	}
	return utf8.RuneCountInString(text) > 2 && strings.ContainsFunc(text, unicode.IsLetter) && !profile.SaysUnknown(text)
}

// Means says whether a listed text is probably a value of a column like its others, and in how many of its values it is the text. A nil Listed says no.
func (l *Listed) Means(column, text string) (n, of int, means bool) {
	if l == nil || l.columns[column] == nil {
		return 0, 0, false
	}
	o := l.columns[column]
	n = o.texts[record.Hash([]byte(text))]
	return n, o.values, n >= leastListed && o.means(text, n)
}
