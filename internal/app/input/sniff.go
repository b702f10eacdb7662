package input

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/fairstream/fairstream/pkg/record"
)

// sniffed is how many bytes of a file tell its dialect.
const sniffed = 1 << 16

// Dialect is the dialect that the beginning of a CSV file shows, but for what is known of it; an empty one for any other file, and where nothing tells. Alike
// has a word of the file in its encoding and in another one that the bytes allow as well, and is empty if they allow none.
func (s Source) Dialect(known record.Dialect) (d record.Dialect, alike string, err error) {
	if s.raw == nil {
		return d, "", nil
	}
	file, err := s.raw()
	if err != nil {
		return d, "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	text, err := io.ReadAll(io.LimitReader(file, sniffed))
	if err != nil {
		return d, "", err
	}
	switch d = known; {
	case known.Encoding != "":
	case bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")):
		d.Encoding = record.UTF16
	case !utf8.Valid(wholeLines(text)):
		d.Encoding = record.Windows1252 // which has all of Latin-1 that files hold
		if centralEuropean(text) {
			d.Encoding = record.Windows1250
		} else if otherScript(text) {
			return record.Dialect{}, "", errors.New("record.csv.encoding: the text is neither UTF-8 nor UTF-16, and not of a western language in Windows-1252: I do not know its encoding. Save the file as UTF-8, or convert it: `iconv -f SHIFT_JIS -t UTF-8 OLD > NEW`, with the encoding that it has")
		} else {
			alike = bothWays(text)
		}
	}
	if e := decoderOf(d.Encoding); e != nil {
		if text, err = e.NewDecoder().Bytes(text[:len(text)/2*2]); err != nil {
			return record.Dialect{}, "", nil // it is no text, as whoever reads it will say
		}
	}
	header, rows, _ := strings.Cut(string(text), "\n")
	for _, separator := range []string{";", "\t", "|"} {
		if known.Separator == "" && strings.Count(header, separator) > strings.Count(header, ",") {
			d.Separator = separator
		}
	}
	if !known.ChangesNumbers() {
		sniffNumbers(&d, rows)
	}
	return d, alike, nil
}

// word is one in one byte a character, with letters beyond ASCII.
var word = regexp.MustCompile(`[A-Za-z\x{80}-\x{ff}]{2,24}`)

// bothWays is a word, of those that several records have, that has other letters in Windows-1250 than in Windows-1252, in both; a letter where no word repeats, and
// empty if there is no such letter.
func bothWays(text []byte) string {
	letters, err := charmap.ISO8859_1.NewDecoder().String(string(text)) // each byte a character
	if err != nil {
		return ""
	}
	counts, found := map[string]int{}, ""
	for _, one := range word.FindAllString(letters, -1) {
		first, second := inBoth(one)
		if first == second || strings.ContainsFunc(first+second, func(r rune) bool { return !unicode.IsLetter(r) }) {
			continue
		}
		if counts[one]++; counts[one] == leastNumerals {
			return strconv.Quote(first) + " in the first, and " + strconv.Quote(second) + " in the second"
		}
		for _, r := range one {
			if first, second := inBoth(string(r)); first != second && found == "" {
				found = strconv.Quote(first) + " in the first, and " + strconv.Quote(second) + " in the second"
			}
		}
	}
	return found
}

// inBoth is a text of one byte a character, each a character here, in Windows-1252 and in Windows-1250.
func inBoth(text string) (first, second string) {
	for _, r := range text {
		first += string(charmap.Windows1252.DecodeByte(byte(r)))
		second += string(charmap.Windows1250.DecodeByte(byte(r)))
	}
	return first, second
}

// centralEuropean says whether a text in one byte a character has signs of Windows-1252, such as superscripts, within words, or £ before a letter, or a
// capital Ÿ behind one: in Windows-1250 they are letters.
func centralEuropean(text []byte) bool {
	letter := func(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' || b >= 0xc0 }
	found, rs, cs := 0, bytes.Count(text, []byte{0xf8}), bytes.Count(text, []byte{0xe8})+bytes.Count(text, []byte{0xec})
	if rs >= leastNumerals && cs >= leastNumerals { // ř, č and ě of Czech; no western language has ø beside è and ì
		return true
	}
	for i := 1; i+1 < len(text); i++ {
		before, after := letter(text[i-1]), letter(text[i+1])
		switch text[i] {
		case 0xb3, 0xb9, 0xbf: // ł, ą, ż
			if before && after {
				found++
			}
		case 0xa3: // Ł
			if after {
				found++
			}
		case 0x9f: // ź
			if before {
				found++
			}
		}
	}
	return found >= leastNumerals
}

// otherScript says whether a text in one byte a character has a byte that Windows-1252 has no character for, or many runs of four letters beyond ASCII,
// as words in Greek or Cyrillic have.
func otherScript(text []byte) bool {
	runs, run := 0, 0
	for _, b := range text {
		switch {
		case b == 0x81 || b == 0x8d || b == 0x8f || b == 0x90 || b == 0x9d:
			return true
		case b < 0xc0:
			run = 0
			continue
		}
		if run++; run == 4 {
			runs++
		}
	}
	return runs >= leastNumerals
}

// leastNumerals is how many cells must be written in a way before it is taken for the file's.
const leastNumerals = 5

// Ways of writing numbers that no other way allows: 1.294,08 and 0,5 and 1,294.08 and 1'294.
var (
	sign   = "(?:" + strings.Join(quotedSigns(), "|") + ")"
	before = `^[-+\s]*` + sign + `?\s*[-+]?`
	behind = `\s*` + sign + `?\s*$`
)

func quotedSigns() (quoted []string) {
	for _, s := range record.Signs {
		quoted = append(quoted, regexp.QuoteMeta(s))
	}
	return quoted
}

// ways are those in which numbers are written.
type ways struct {
	pointGroups, spaceGroups, commaGroups, quoteGroups, commaDecimal, pointDecimal, withSign *regexp.Regexp
}

// knownWays are compiled when the first file is looked at, as most commands look at none.
var knownWays = sync.OnceValue(func() ways {
	return ways{
		pointGroups:  regexp.MustCompile(before + `\d{1,3}(?:\.\d{3})+(?:,\d+)?` + behind),
		spaceGroups:  regexp.MustCompile(before + `\d{1,3}(?:[ \x{a0}\x{202f}]\d{3})+(?:,\d+)?` + behind),
		commaGroups:  regexp.MustCompile(before + `\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?` + behind),
		quoteGroups:  regexp.MustCompile(before + `\d{1,3}(?:'\d{3})+(?:\.\d+)?` + behind),
		commaDecimal: regexp.MustCompile(before + `[\d. \x{a0}\x{202f}]*\d,(?:\d{1,2}|\d{4,})` + behind),
		pointDecimal: regexp.MustCompile(before + `[\d,']*\d\.(?:\d{1,2}|\d{4,})` + behind),
		withSign:     regexp.MustCompile(`^[-+]?\s*` + sign + `\s*[-+]?\d|\d\s*` + sign + `\s*$`),
	}
})

// sniffNumbers finds how rows write numbers. Marks of which there are two meanings, as of 1,294 alone, are left alone unless other
// numbers tell.
func sniffNumbers(d *record.Dialect, rows string) {
	reader := csv.NewReader(strings.NewReader(rows))
	reader.FieldsPerRecord, reader.LazyQuotes = -1, true
	if d.Separator != "" {
		reader.Comma = rune(d.Separator[0])
	}
	w, counts, signedGroups := knownWays(), map[*regexp.Regexp]int{}, 0
	for range 1000 {
		cells, err := reader.Read()
		if err != nil {
			break
		}
		for _, cell := range cells {
			for _, way := range []*regexp.Regexp{w.pointGroups, w.spaceGroups, w.commaGroups, w.quoteGroups, w.commaDecimal, w.pointDecimal, w.withSign} {
				if way.MatchString(cell) && !record.MayBeCode(cell) {
					counts[way]++
				}
			}
			if w.pointGroups.MatchString(cell) && w.withSign.MatchString(cell) {
				signedGroups++
			}
		}
	}
	d.Symbols = counts[w.withSign] >= leastNumerals
	switch {
	case counts[w.commaDecimal] >= leastNumerals && counts[w.commaDecimal] > counts[w.pointDecimal]:
		d.Decimal = ","
		if counts[w.pointGroups] > 0 {
			d.Thousands = "."
		} else if counts[w.spaceGroups] > 0 {
			d.Thousands = " "
		}
	case d.Separator == ";" && counts[w.pointGroups] >= leastNumerals && counts[w.pointDecimal] == 0 && counts[w.commaGroups] == 0: // where the comma is a decimal mark
		d.Decimal, d.Thousands = ",", "."
	case d.Symbols && counts[w.spaceGroups] >= leastNumerals && counts[w.pointDecimal] == 0: // 4 446 kr
		d.Decimal, d.Thousands = ",", " "
	case counts[w.quoteGroups] >= leastNumerals:
		d.Thousands = "'"
	case counts[w.commaGroups] >= leastNumerals && (counts[w.pointDecimal] > 0 || d.Symbols):
		d.Thousands = ","
	}
	if d.Symbols && signedGroups >= leastNumerals && d.Decimal == "" && d.Thousands == "" {
		d.Symbols = false // nobody knows whether 25.000 TL are 25: they stay texts
	}
}

// wholeLines cuts the text after its last line, where a character may be cut.
func wholeLines(text []byte) []byte {
	if len(text) < sniffed {
		return text
	}
	return text[:bytes.LastIndexByte(text, '\n')+1]
}
