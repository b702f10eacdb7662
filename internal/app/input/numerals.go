package input

import (
	"strings"

	"github.com/fairstream/fairstream/pkg/record"
)

// numerals reads numbers as people of a country write them.
type numerals struct {
	decimal, thousands byte // 0: none
	symbols            bool
	changes            bool
}

func newNumerals(d record.Dialect) numerals {
	n := numerals{decimal: '.', symbols: d.Symbols, changes: d.ChangesNumbers()}
	if d.Decimal != "" {
		n.decimal = d.Decimal[0]
	}
	if d.Thousands != "" {
		n.thousands = d.Thousands[0]
	}
	return n
}

// spaces are written between a number and its sign, and between groups of digits.
const spaces = " \u00a0\u202f"

// plain is the number that a cell is, with a decimal point and nothing else, or the cell as it is.
func (n numerals) plain(cell string) string {
	if !n.changes || len(cell) > 64 {
		return cell
	}
	text, sign := strings.Trim(cell, spaces), ""
	if n.symbols {
		for _, s := range record.Signs {
			text = strings.Trim(strings.TrimPrefix(strings.TrimSuffix(text, s), s), spaces)
		}
	}
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		sign, text = strings.TrimPrefix(text[:1], "+"), text[1:]
	}
	if n.symbols {
		for _, s := range record.Signs {
			text = strings.TrimLeft(strings.TrimPrefix(text, s), spaces)
		}
	}
	if n.thousands == ' ' {
		text = strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(text)
	}
	whole, fraction, _ := strings.Cut(text, string(n.decimal))
	digits, ok := n.join(whole)
	if !ok || strings.Contains(text, string(n.decimal)) && !allDigits(fraction) {
		return cell
	}
	if fraction != "" {
		digits += "." + fraction
	}
	return sign + digits
}

// join takes the marks between groups of digits away: of three, or, between commas, of two before the last three, as lakhs and crores have them.
func (n numerals) join(whole string) (digits string, ok bool) {
	if n.thousands == 0 || strings.IndexByte(whole, n.thousands) < 0 {
		return whole, allDigits(whole)
	}
	least, groups := 3, strings.Split(whole, string(n.thousands))
	if n.thousands == ',' {
		least = 2
	}
	for i, group := range groups {
		last := i == len(groups)-1
		if !allDigits(group) || len(group) > 3 || i > 0 && (last && len(group) != 3 || !last && len(group) < least) {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

func allDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
