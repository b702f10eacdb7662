package record

import (
	"cmp"
	"slices"
	"strings"
)

// Dialect is how the CSV files of a job are written, if not with commas, decimal points and UTF-8. It is of files alone; the empty
// value is RFC 4180.
type Dialect struct {
	// Separator is what stands between cells: one of , ; | and tab. Default ",".
	Separator string `yaml:"separator,omitempty" json:"separator,omitempty"`
	// Decimal is the decimal mark of numbers: . or a comma. Default ".".
	Decimal string `yaml:"decimal,omitempty" json:"decimal,omitempty"`
	// Thousands is the mark between groups of three digits: a point, a comma, a space or '. Without it numbers have none.
	Thousands string `yaml:"thousands,omitempty" json:"thousands,omitempty"`
	// Encoding is utf-8, utf-16 (with a byte order mark), latin-1, windows-1252 or windows-1250. Default utf-8.
	Encoding string `yaml:"encoding,omitempty" json:"encoding,omitempty"`
	// Symbols is true to read a number with a currency or percent sign, such as "1,294 €" or "12 %", as the number without the sign. Default false.
	Symbols bool `yaml:"symbols,omitempty" json:"symbols,omitempty"`
}

// The values of a dialect.
const (
	UTF8        = "utf-8"
	UTF16       = "utf-16"
	Latin1      = "latin-1"
	Windows1252 = "windows-1252"
	Windows1250 = "windows-1250" // of Central Europe
)

// Signs are the currency and percent signs that Symbols reads, the longest first. They may stand before or behind a number.
var Signs = []string{"EUR", "USD", "GBP", "CHF", "JPY", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "TRY", "RUB", "UAH", "INR", "CNY", "BRL", "MXN", "ZAR", "ILS", "SGD", "THB", "IDR",
	"руб.", "kr.", "Fr.", "Rs.", "lei", "лв.", "kr", "zł", "Kč", "TL", "Ft", "Rs", "Rp", "RM", "R$", "€", "$", "£", "¥", "₹", "₺", "₽", "₩", "₴", "₫", "₦", "₪", "฿", "円", "元", "원", "%"}

// MayBeCode says whether a text is as likely a code as an amount: ASCII letters with one to three digits right behind them, such as RM12, which may be a room.
func MayBeCode(text string) bool {
	digits := strings.TrimLeftFunc(text, func(r rune) bool { return 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' })
	if n := len(digits); n == len(text) || n == 0 || n > 3 {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}

// IsPlain says whether files in the dialect are read as they are.
func (d Dialect) IsPlain() bool {
	return (d.Separator == "" || d.Separator == ",") && !d.ChangesNumbers() && (d.Encoding == "" || d.Encoding == UTF8)
}

// ChangesNumbers says whether numbers are written in another way than 1234.5.
func (d Dialect) ChangesNumbers() bool {
	return d.Decimal != "" && d.Decimal != "." || d.Thousands != "" || d.Symbols
}

func (d *Dialect) validate(v *validation) {
	one := func(key, value string, of ...string) {
		if slices.Contains(of, value) {
			return
		}
		v.add("record.csv."+key, "%q is none of %s", value, "\""+strings.Join(of[1:], "\", \"")+"\"")
	}
	one("separator", d.Separator, "", ",", ";", "|", "\t")
	one("decimal", d.Decimal, "", ".", ",")
	one("thousands", d.Thousands, "", ".", ",", " ", "'")
	one("encoding", d.Encoding, "", UTF8, UTF16, Latin1, Windows1252, Windows1250)
	decimal := cmp.Or(d.Decimal, ".")
	if d.Thousands == decimal {
		v.add("record.csv.thousands", "%q is the decimal mark, too", d.Thousands)
	}
}
