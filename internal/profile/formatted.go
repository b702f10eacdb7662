package profile

import (
	"regexp"
	"strings"

	"github.com/fairstream/fairstream/pkg/record"
)

// formatted matches numbers with thousands separators, a decimal comma, a currency sign or a percent sign, such as 1,234.5,
// 1.234,50, 12,5, $12 and 120 kr, and numbers below zero as accounts have them: (12.50), 12.50- and with a sign that is no hyphen. The encoder reads none of them as a number.
var formatted = regexp.MustCompile(`^\(?[-+−]?(` + sign + `)?[ \x{a0}]?[+-]?((0|[1-9]\d*)([.,]\d+)?|[1-9]\d{0,2}([,.' \x{a0}\x{202f}’]\d{2,3})+([.,]\d+)?)[ \x{a0}]?(` + sign + `)?[-)]?$`)

// sign matches any of the signs.
var sign = `R?\p{Sc}|` + strings.ReplaceAll(strings.ReplaceAll(strings.Join(record.Signs, "|"), ".", `\.`), "$", `\$`)

// isFormatted says whether a text is a number with separators, a currency sign or a per cent sign.
func isFormatted(text []byte) bool {
	if len(text) < 2 || len(text) > 40 {
		return false
	}
	first, last := text[0], text[len(text)-1]
	may := first >= '0' && first <= '9' || first == '-' || first == '+' || first == '$' || first == '(' || first >= 'A' && first <= 'Z' || first >= 0x80 || first == 'k' || first == 'l'
	return may && (first < 'A' || first >= 0x80 || last >= '0' && last <= '9') && formatted.Match(text) && !record.MayBeCode(string(text))
}
