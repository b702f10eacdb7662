package features

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// checkNumber holds record.Decimal to strconv.ParseFloat: it takes exactly the finite decimal numbers.
func checkNumber(t *testing.T, text string) {
	t.Helper()
	got, ok := record.Decimal([]byte(text))
	want, err := strconv.ParseFloat(text, 64)
	decimal := err == nil && !math.IsInf(want, 0) && !math.IsNaN(want) && !strings.ContainsAny(text, "xX_")
	switch {
	case ok != decimal:
		t.Errorf("%q: taken for a number: %t, should be %t", text, ok, decimal)
	case ok && math.Float64bits(got) != math.Float64bits(want):
		t.Errorf("%q gives %v, should be %v", text, got, want)
	}
}

func TestParseNumber(t *testing.T) {
	for _, text := range []string{
		"", "-", "+", ".", "-.", "+.", "e", "e5", "5e", "1e5", "1E-5", "+1", "-0", "0", "00", "007", "1.", ".5", "-.5", "1..2", "1.2.3", "--1", "1-", "1 ", " 1",
		"123456789012345", "1234567890123456", "12345678901234567890", "0.1", "0.12345678901234", "0.123456789012345", "9007199254740993",
		"1e308", "-1e308", "1e309", "1e-324", "5e-324", "1.7976931348623157e308", "2.2250738585072011e-308",
		"inf", "-Inf", "NaN", "nan", "infinity", "0x10", "0b1", "1_000", "1,5", "１", "٣", "1\x00", "1e", "1e+", "1e+5", "Infinity",
	} {
		checkNumber(t, text)
	}
}

func TestParseNumberOnRandomTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const alphabet = "0123456789012345678901234567890123456789..--+eEx_n"
	for range 200000 {
		text := make([]byte, random.IntN(20))
		for i := range text {
			text[i] = alphabet[random.IntN(len(alphabet))]
		}
		checkNumber(t, string(text))
		checkNumber(t, strconv.FormatFloat(random.NormFloat64()*math.Pow(10, float64(random.IntN(40)-20)), 'f', random.IntN(8), 64))
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, text := range []string{"", "1.5", "-0", "1e400", "0x1p-2", "1_0", ".", "999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(checkNumber)
}

func TestReadNumberIsBounded(t *testing.T) {
	for text, want := range map[string]float64{"1e300": largestNumber, "-1e300": -largestNumber, "1e150": 1e150, "-7.25": -7.25} {
		if got, ok := readNumber([]byte(text)); !ok || got != want {
			t.Errorf("%s is read as %v, %t", text, got, ok)
		}
	}
	if _, ok := readNumber([]byte("many")); ok {
		t.Error("a word is read as a number")
	}
}
