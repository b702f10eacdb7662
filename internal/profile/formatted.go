package profile

import "regexp"

// formatted matches numbers with thousands separators, a decimal comma, a currency sign or a percent sign, such as 1,234.5,
// 1.234,50, 12,5 and $12, and numbers below zero as accounts have them: (12.50), 12.50- and with a sign that is no hyphen. The encoder reads none of them as a number.
var formatted = regexp.MustCompile(`^\(?[-+−]?(R?\p{Sc})?[ \x{a0}]?[+-]?((0|[1-9]\d*)([.,]\d+)?|[1-9]\d{0,2}([,.' \x{a0}\x{202f}’]\d{2,3})+([.,]\d+)?)[ \x{a0}]?(\p{Sc}|%)?[-)]?$`)

// isFormatted says whether a text is a number with separators, a currency sign or a per cent sign.
func isFormatted(text []byte) bool {
	if len(text) < 2 || len(text) > 40 {
		return false
	}
	first := text[0]
	return (first >= '0' && first <= '9' || first == '-' || first == '+' || first == '$' || first == '(' || first == 'R' || first >= 0x80) && formatted.Match(text)
}
