package apptest

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Header is that of the records.
const Header = "age,sex,part,paid,pay"

// Rows are rows of people: paid follows from age and sex, but for every eleventh, and pay too, with noise. Every hundredth is
// no record.
func Rows(n int) (rows []string) {
	state := uint32(7)
	next := func(below uint32) uint32 {
		state = state*1664525 + 1013904223
		return state >> 16 % below
	}
	for i := range n {
		age, male, part := 20+next(50), next(3) > 0, "nsw"[next(3)]
		sex, paid, more := "F", age > 48, uint32(0)
		if male {
			sex, paid, more = "M", age > 38, 5
		}
		if i%11 == 3 {
			paid = !paid
		}
		label := 0
		if paid {
			label = 1
		}
		if i%100 == 50 {
			rows = append(rows, "too,few")
			continue
		}
		rows = append(rows, fmt.Sprintf("%d,%s,%c,%d,%d", age, sex, part, label, 2*age+more+next(30)+uint32(part)))
	}
	return rows
}

// CSV is a file of so many rows.
func CSV(n int) string { return Header + "\n" + strings.Join(Rows(n), "\n") + "\n" }

// JSON are the same rows as objects; a row that is no record is no object.
func JSON(n int) (values []string) {
	names := strings.Split(Header, ",")
	for _, row := range Rows(n) {
		cells := strings.Split(row, ",")
		if len(cells) < len(names) {
			values = append(values, "no object")
			continue
		}
		var fields []string
		for i, cell := range cells {
			fields = append(fields, fmt.Sprintf("%q:%q", names[i], cell))
		}
		values = append(values, "{"+strings.Join(fields, ",")+"}")
	}
	return values
}

// InDirectory moves into a new directory with the given files.
func InDirectory(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
