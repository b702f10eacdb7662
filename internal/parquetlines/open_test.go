package parquetlines

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go/format"
)

// TestRowGroupsOfAFile are opened alone or together, and the file says how many rows each has.
func TestRowGroupsOfAFile(t *testing.T) {
	var rows []person
	for i := range 250 {
		rows = append(rows, person{Name: fmt.Sprint("n", i)})
	}
	path := filepath.Join(t.TempDir(), "f.parquet")
	data := written(t, rows) // in groups of a hundred
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	counts, sizes, err := Groups(path)
	if err != nil || fmt.Sprint(counts) != "[100 100 50]" || len(sizes) != 3 || sizes[0] <= 0 {
		t.Fatalf("%v rows, %v bytes, %v", counts, sizes, err)
	}
	for _, c := range []struct{ from, to, first, n int }{{0, -1, 0, 250}, {0, 1, 0, 100}, {1, 3, 100, 150}, {2, 3, 200, 50}, {1, -1, 100, 150}, {0, 3, 0, 250}} {
		l, err := OpenGroups(path, c.from, c.to)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(l)
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		if err != nil || len(lines) != c.n || !strings.HasPrefix(lines[0], fmt.Sprintf(`{"name":"n%d",`, c.first)) || l.file != nil {
			t.Errorf("groups %d to %d: %d rows from %s on, %v", c.from, c.to, len(lines), lines[0], err)
		}
		if n, err := l.Read(make([]byte, 10)); n != 0 || err != io.EOF {
			t.Errorf("behind the end: %d bytes, %v", n, err)
		}
	}
	for _, c := range [][2]int{{-1, 2}, {1, 1}, {2, 1}, {0, 4}, {3, -1}} {
		if _, err := OpenGroups(path, c[0], c[1]); err == nil || !strings.Contains(err.Error(), "has 3 row groups") || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("groups %v: %v", c, err)
		}
	}
	if l, err := Open(path); err != nil {
		t.Error(err)
	} else if text, err := io.ReadAll(l); err != nil || strings.Count(string(text), "\n") != 250 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if _, err := Open(path + "x"); !os.IsNotExist(err) {
		t.Error(err)
	}
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Error(err)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"short":                                {[]byte("PAR1PAR1PAR"), "fewer than 12 bytes"},
		"encrypted":                            {append(data[:len(data)-4:len(data)-4], "PARE"...), "encrypted"},
		"cut":                                  {data[:len(data)-1], "does not end in PAR1"},
		"a footer that is as long as the file": {append([]byte{byte(4), 0, 0, 0}, 5, 0, 0, 0, 'P', 'A', 'R', '1'), "its footer has 5 bytes"},
	} {
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := Groups(path); err == nil {
			t.Errorf("%s: it has groups", name)
		}
	}
}

// TestValues: each type and meaning as JSON.
func TestValues(t *testing.T) {
	type of = format.LogicalTypeValue
	moment := func(unit format.TimeUnitValue, utc bool) of {
		return &format.TimestampType{IsAdjustedToUTC: utc, Unit: format.TimeUnit{Value: unit}}
	}
	for i, c := range []struct {
		value   any
		meaning of
		want    string
	}{
		{true, nil, "true"}, {int32(-5), nil, "-5"}, {int32(1), &format.DateType{}, `"1970-01-02"`}, {int32(-1), &format.DateType{}, `"1969-12-31"`}, {int64(7), nil, "7"}, {7, nil, "7"},
		{uint32(7), nil, "7"}, {uint64(math.MaxUint64), nil, "18446744073709551615"}, {float32(.1), nil, "0.1"}, {.1, nil, "0.1"}, {math.NaN(), nil, "null"}, {math.Inf(-1), nil, `"-Inf"`}, {float32(math.Inf(1)), nil, `"+Inf"`},
		{"a", nil, `"a"`}, {[]byte{0xab, 1}, nil, `"ab01"`}, {[]byte("0123456789abcdef"), &format.UUIDType{}, `"30313233-3435-3637-3839-616263646566"`}, {[]byte("01234"), &format.UUIDType{}, `"3031323334"`},
		{int64(1500), moment(&format.MilliSeconds{}, true), `"1970-01-01T00:00:01.5Z"`}, {int64(1500), moment(&format.MicroSeconds{}, true), `"1970-01-01T00:00:00.0015Z"`},
		{int64(1500), moment(&format.NanoSeconds{}, true), `"1970-01-01T00:00:00.0000015Z"`}, {int64(1500), moment(&format.MilliSeconds{}, false), `"1970-01-01T00:00:01.5"`}, {int64(1500), moment(nil, true), `"1970-01-01T00:00:01.5Z"`},
		{time.Unix(1, 0), nil, `"1970-01-01T00:00:01Z"`}, {[]int{1}, nil, `"[1]"`},
	} {
		var logical *format.LogicalType
		if c.meaning != nil {
			logical = &format.LogicalType{Value: c.meaning}
		}
		got := appendLeaf([]byte(nil), logical, c.value)
		if string(got) != c.want || !json.Valid(got) {
			t.Errorf("%d: %v becomes %s, want %s", i, c.value, got, c.want)
		}
	}
}
