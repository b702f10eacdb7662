package input

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/fairstream/fairstream/pkg/record"
)

// rowsOf are the rows of a file as JSON, and the lines of those that are rejected.
func rowsOf(t *testing.T, text string, d record.Dialect) (rows []string, rejected int) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := NewSource(name, "", strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := s.Open(record.Config{CSV: d})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}()
	for {
		switch err := reader.Next(); {
		case err == io.EOF:
			return rows, rejected
		case err != nil:
			rejected++
		default:
			rows = append(rows, string(reader.AppendJSON(nil)))
		}
	}
}

const european = "Name;Einkommen;Anteil;Größe\n" +
	"\"a;b\";1.294,08;12 %;0,5\nb;-12,5;7 %;1,25\nc;3.000;100 %;2,75\nd;1.000.000,1;1 %;0,1\ne;17;3 %;9,99\nf;k.A.;5 %;1,1\n"

const translatedEuropean = `{"Name":"a;b","Einkommen":"1294.08","Anteil":"12","Größe":"0.5"}
{"Name":"b","Einkommen":"-12.5","Anteil":"7","Größe":"1.25"}
{"Name":"c","Einkommen":"3000","Anteil":"100","Größe":"2.75"}
{"Name":"d","Einkommen":"1000000.1","Anteil":"1","Größe":"0.1"}
{"Name":"e","Einkommen":"17","Anteil":"3","Größe":"9.99"}
{"Name":"f","Einkommen":"k.A.","Anteil":"5","Größe":"1.1"}`

// TestDialects: a file that Excel wrote in Germany is read as its owner reads it, in each encoding, and its dialect is found.
func TestDialects(t *testing.T) {
	d := record.Dialect{Separator: ";", Decimal: ",", Thousands: ".", Symbols: true}
	latin, err := charmap.Windows1252.NewEncoder().String(european)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(european)
	if err != nil {
		t.Fatal(err)
	}
	for encoding, text := range map[string]string{"": european, "utf-8": "\xef\xbb\xbf" + european, record.Windows1252: latin, record.Latin1: latin, record.UTF16: wide} {
		d.Encoding = encoding
		rows, rejected := rowsOf(t, text, d)
		if got := strings.Join(rows, "\n"); got != translatedEuropean || rejected != 0 {
			t.Errorf("%q: %d rejected, %s", encoding, rejected, got)
		}
		name := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := NewSource(name, "", strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		want := d
		switch encoding {
		case "utf-8":
			want.Encoding = ""
		case record.Latin1:
			want.Encoding = record.Windows1252
		}
		if found, _, err := s.Dialect(record.Dialect{}); err != nil || found != want {
			t.Errorf("%q: found %+v, %v", encoding, found, err)
		}
	}
}

// TestEitherEncoding: where a byte is a letter in Western and in Central Europe, a word that repeats is shown in both, and a letter if it may be of one person;
// what is known of a file is not looked for.
func TestEitherEncoding(t *testing.T) {
	for _, c := range []struct{ text, known, want, alike string }{
		{"mesto;vek\n" + strings.Repeat("Plzeň;40\n", 5), "", record.Windows1252, `"Plzeò" in the first, and "Plzeň" in the second`},
		{"město;věk\n" + strings.Repeat("Třebíč;40\n", 5), "", record.Windows1250, ""},
		{"name;vek\n" + strings.Repeat("x;40\n", 9) + "Třebíč;41\n", "", record.Windows1252, `"ø" in the first, and "ř" in the second`},
		{"mesto;vek\n" + strings.Repeat("Plzeň;40\n", 5), record.Windows1250, record.Windows1250, ""},
		{"Größe;Straße\n" + strings.Repeat("hoch;Königsallee\n", 9), "", record.Windows1252, ""},
	} {
		text, err := charmap.Windows1250.NewEncoder().String(c.text)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := NewSource(path, "", strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		found, alike, err := s.Dialect(record.Dialect{Encoding: c.known})
		if err != nil || found.Encoding != c.want || alike != c.alike || found.Separator != ";" {
			t.Errorf("%.20q: found %+v, %q, %v", c.text, found, alike, err)
		}
	}
}

// TestOtherScripts: of an encoding that is not read, the error says what to do, and no wrong one is proposed.
func TestOtherScripts(t *testing.T) {
	for name, c := range map[string]struct {
		of   encoding.Encoding
		text string
	}{
		"Greek":    {charmap.Windows1253, "φύλο;ηλικία\n" + strings.Repeat("άνδρας;40\nγυναίκα;41\n", 9)},
		"Russian":  {charmap.Windows1251, "возраст;пол\n" + strings.Repeat("40;мужской\n41;женский\n", 9)},
		"Japanese": {japanese.ShiftJIS, "申込番号,性別,年齢\n" + strings.Repeat("1,男,40\n", 9)},
	} {
		text, err := c.of.NewEncoder().String(c.text)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := NewSource(path, "", strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		if found, _, err := s.Dialect(record.Dialect{}); err == nil || !strings.Contains(err.Error(), "iconv -f") {
			t.Errorf("%s: found %+v, %v", name, found, err)
		}
	}
}

// TestForeignDialects: what the beginning of files from other countries shows.
func TestForeignDialects(t *testing.T) {
	polish, err := charmap.Windows1250.NewEncoder().String("miejscowość;kwota\n" + strings.Repeat("Kraków;1,5\nśląskie wysokość;2,5\nłódzkie całość;3,5\npłaca mała;4,5\nżółta mąka;5,5\n", 2))
	if err != nil {
		t.Fatal(err)
	}
	towns, err := charmap.Windows1250.NewEncoder().String("płeć;miasto\n" + strings.Repeat("K;Łódź\n", 9))
	if err != nil {
		t.Fatal(err)
	}
	spanish, err := charmap.Windows1252.NewEncoder().String("respuesta;área\n" + strings.Repeat("¿Qué?;m³ y más\naño;5 m² x\n", 9))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file, text string
		want       record.Dialect
	}{
		"Polish":                {"x.csv", polish, record.Dialect{Separator: ";", Decimal: ",", Encoding: record.Windows1250}},
		"Polish towns":          {"x.csv", towns, record.Dialect{Separator: ";", Encoding: record.Windows1250}},
		"Spanish":               {"x.csv", spanish, record.Dialect{Separator: ";", Encoding: record.Windows1252}},
		"Brazilian":             {"x.csv", "a;b\n" + strings.Repeat("x;R$ 1.234,50\n", 9), record.Dialect{Separator: ";", Decimal: ",", Thousands: ".", Symbols: true}},
		"thousands alone":       {"x.csv", "a;b\n" + strings.Repeat("x;12.345\n", 9), record.Dialect{Separator: ";", Decimal: ",", Thousands: "."}},
		"three decimals":        {"x.csv", "a,b\n" + strings.Repeat("x,12.345\n", 9), record.Dialect{}},
		"points and semicolons": {"x.csv", "a;b;c\n" + strings.Repeat("x;12.345;1.5\n", 9), record.Dialect{Separator: ";"}},
		"tabs":                  {"x.tsv", "a\tb\nx\t1\n", record.Dialect{Separator: "\t"}},
	} {
		path := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := NewSource(path, "", strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		if found, _, err := s.Dialect(record.Dialect{}); err != nil || found != c.want {
			t.Errorf("%s: found %+v, %v", name, found, err)
		}
	}
	if rows, rejected := rowsOf(t, polish, record.Dialect{Separator: ";", Decimal: ",", Encoding: record.Windows1250}); rejected != 0 || rows[1] != `{"miejscowość":"śląskie wysokość","kwota":"2.5"}` {
		t.Errorf("%d rejected, %q", rejected, rows[1])
	}
}

// TestNumerals: what is a number in a dialect, and what is left as it is.
func TestNumerals(t *testing.T) {
	german := record.Dialect{Decimal: ",", Thousands: "."}
	signed := record.Dialect{Decimal: ",", Thousands: ".", Symbols: true}
	american := record.Dialect{Thousands: ",", Symbols: true}
	french := record.Dialect{Decimal: ",", Thousands: " "}
	for _, test := range []struct {
		d          record.Dialect
		cell, want string
	}{
		{german, "1.294,08", "1294.08"}, {german, "1.29,08", "1.29,08"}, {german, "01.02.2026", "01.02.2026"}, {german, "-1.000", "-1000"}, {german, "+7,5", "7.5"},
		{german, "7,", "7,"}, {german, ",5", ",5"}, {german, "", ""}, {german, "12 %", "12 %"}, {german, "1234.567,1", "1234.567,1"}, {german, "a,5", "a,5"},
		{signed, "12 %", "12"}, {signed, "€ 1.000,50", "1000.50"}, {signed, "-5,5 €", "-5.5"}, {signed, "€", "€"}, {signed, "5,5 EUR", "5.5"}, {signed, "R$ 1.234,50", "1234.50"},
		{american, "₹1,23,456", "123456"}, {american, "1,2,345", "1,2,345"}, {american, "Rs. 5,214", "5214"}, {american, "5,354 SEK", "5354"}, {american, "4,959円", "4959"}, {american, "3.5k", "3.5k"},
		{signed, "4.719,00 TL", "4719.00"}, {signed, "120 Kč", "120"}, {american, "$1,294.08", "1294.08"}, {american, "-$5", "-5"}, {american, "1,29", "1,29"},
		{french, "1 294,08", "1294.08"}, {french, "1\u202f294\u00a0000", "1294000"}, {french, "1 2", "1 2"},
		{french, "75 01 234", "75 01 234"}, {german, "12.05.202", "12.05.202"},
		{record.Dialect{}, "1,5", "1,5"},
	} {
		if got := newNumerals(test.d).plain(test.cell); got != test.want {
			t.Errorf("%+v %q: %q, want %q", test.d, test.cell, got, test.want)
		}
	}
}

// TestBadRowsOfADialect: a row with a broken quote is rejected alone, and a quote that is never closed ends the reading with a reason.
func TestBadRowsOfADialect(t *testing.T) {
	d := record.Dialect{Separator: ";"}
	rows, rejected := rowsOf(t, "a;b\n1;2\n3;x\"y\n4;5\n", d)
	if rejected != 1 || len(rows) != 2 {
		t.Errorf("%d rejected, %q", rejected, rows)
	}
	translation := newTranslation(strings.NewReader("a;b\n1;\"2\n"+strings.Repeat("3;4\n", 100000)), d, 1000)
	long := newTranslation(strings.NewReader("a;b\n"+strings.Repeat("3;4\n", 100000)), d, 10)
	if n, err := io.Copy(io.Discard, long); err != nil || n != 400004 {
		t.Errorf("%d bytes of a long file with short rows: %v", n, err)
	}
	if _, err := io.Copy(io.Discard, translation); err == nil || !strings.Contains(err.Error(), "is a quote never closed?") {
		t.Error(err)
	}
}

// TestNoDialect: files that are written as RFC 4180 has it show none.
func TestNoDialect(t *testing.T) {
	for _, text := range []string{"a,b\n1,2\n", "name,amount\n" + strings.Repeat("\"x, y\",1234.50\n", 50), "d,t\n" + strings.Repeat("01.02.2026,12:30\n", 50), "x\n" + strings.Repeat("1\n", 9)} {
		name := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := NewSource(name, "", strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		if found, _, err := s.Dialect(record.Dialect{}); err != nil || !found.IsPlain() {
			t.Errorf("%q: %+v, %v", text[:8], found, err)
		}
	}
}
