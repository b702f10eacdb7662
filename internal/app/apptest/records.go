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

// OddCSV is a file with columns of most kinds: an identifier, a date, a column that is nearly the label, one that is constant, one that
// is mostly missing, numbers with commas, levels that are written in two ways, and a group of few.
func OddCSV(n int) string {
	var text strings.Builder
	text.WriteString("id,joined,gender,age,income,status,empty,country,city,zip,approved,approved_at\n")
	state := uint32(3)
	next := func(below uint32) uint32 {
		state = state*1664525 + 1013904223
		return state >> 16 % below
	}
	for i := range n {
		gender := []string{"male", "female", "Female ", "other"}[min(3, next(40)/13)]
		approved, at := "no", ""
		if next(100) < 40 {
			approved, at = "yes", "2026-03-04"
		}
		empty := ""
		if i%50 == 0 {
			empty = "7"
		}
		fmt.Fprintf(&text, "c%05d,2025-%02d-%02d,%s,%d,\"%d,%03d\",active,%s,%s,city%d,%05d,%s,%s\n",
			i*7919%99991, 1+next(12), 1+next(28), gender, 18+next(60), 1+next(90), next(1000), empty, []string{"DE", "FR"}[next(2)], next(300), 10000+next(50)*7, approved, at)
	}
	return text.String()
}
