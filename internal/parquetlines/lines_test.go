package parquetlines

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

type person struct {
	Name string `parquet:"name"`
	Age  *int32 `parquet:"age,optional"`
}

type loan struct {
	ID     int64            `parquet:"id"`
	Repaid bool             `parquet:"repaid"`
	Amount float64          `parquet:"amount"`
	Share  float32          `parquet:"share"`
	When   time.Time        `parquet:"when,timestamp(microsecond)"`
	Born   int32            `parquet:"born,date"`
	Price  int64            `parquet:"price,decimal(2:10)"`
	Who    person           `parquet:"who"`
	Phones []string         `parquet:"phones,list"`
	Second *person          `parquet:"second,optional"`
	Counts map[string]int64 `parquet:"counts"`
	Key    [16]byte         `parquet:"key,uuid"`
	Tags   []int64          `parquet:"tags"`
	People []person         `parquet:"people,list"`
}

func written[T any](t testing.TB, rows []T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, parquet.MaxRowsPerRowGroup(100))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func linesOf(data []byte) (string, error) {
	l, err := newLines(bytes.NewReader(data), int64(len(data)), 0, -1)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(l)
	return string(text), err
}

func TestRowsAreObjects(t *testing.T) {
	age := int32(41)
	when := time.Date(2026, 1, 5, 10, 30, 0, 250000, time.UTC)
	text, err := linesOf(written(t, []loan{
		{ID: 1, Repaid: true, Amount: 1.5, Share: .1, When: when, Born: 20000, Price: 1234, Who: person{`A "B" \ü`, &age}, Phones: []string{"1", "2"}, Second: &person{Name: "C"},
			Counts: map[string]int64{"z": 3, "a": 1}, Key: [16]byte{0xab, 1}, Tags: []int64{7, 8}, People: []person{{"P", &age}, {"Q", nil}}},
		{ID: 2, Amount: math.NaN(), When: when, Who: person{Name: "b\xff"}},
	}))
	want := `{"id":1,"repaid":true,"amount":1.5,"share":0.1,"when":"2026-01-05T10:30:00.00025Z","born":"2024-10-04","price":12.34,"who":{"name":"A \"B\" \\ü","age":41},"phones":["1","2"],"second":{"name":"C","age":null},"counts":{"a":1,"z":3},"key":"ab010000-0000-0000-0000-000000000000","tags":[7,8],"people":[{"name":"P","age":41},{"name":"Q","age":null}]}
{"id":2,"repaid":false,"amount":null,"share":0,"when":"2026-01-05T10:30:00.00025Z","born":"1970-01-01","price":0,"who":{"name":"b` + "\xff" + `","age":null},"phones":[],"counts":{},"key":"00000000-0000-0000-0000-000000000000","tags":[],"people":[]}
`
	if err != nil || text != want {
		t.Errorf("%v\n%s\nwant\n%s", err, text, want)
	}
}

// TestManyRows: row groups and batches come one after the other.
func TestManyRows(t *testing.T) {
	rows := make([]struct {
		N int64 `parquet:"n"`
	}, 1234)
	for i := range rows {
		rows[i].N = int64(i)
	}
	text, err := linesOf(written(t, rows))
	all := strings.Split(strings.TrimSpace(text), "\n")
	if err != nil || len(all) != len(rows) || all[1233] != `{"n":1233}` || all[100] != `{"n":100}` {
		t.Errorf("%v, %d lines", err, len(all))
	}
}

func TestWhatIsNoParquetFile(t *testing.T) {
	good := written(t, []person{{Name: "a"}})
	for what, test := range map[string]struct {
		data []byte
		says string
	}{
		"nothing":       {nil, "fewer than 12 bytes"},
		"a text":        {[]byte("name,age\na,3\n"), "does not end in PAR1"},
		"half of it":    {good[:len(good)/2], "PAR1"},
		"encrypted":     {append(bytes.Clone(good[:len(good)-4]), "PARE"...), "encrypted"},
		"a long footer": {append(bytes.Clone(good[:len(good)-8]), 0xff, 0xff, 0xff, 0x7f, 'P', 'A', 'R', '1'), "footer"},
		"zeros inside":  {append(make([]byte, len(good)-8), good[len(good)-8:]...), "Parquet"},
	} {
		if _, err := linesOf(test.data); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// FuzzLines: a damaged file is an error, never a panic, and what is read is bounded.
func FuzzLines(f *testing.F) {
	age := int32(3)
	good := written(f, []loan{{ID: 1, Who: person{"a", &age}, Phones: []string{"x"}}, {ID: 2, Amount: 4}})
	f.Add(good, 0, byte(0))
	f.Add(good, 40, byte(0xff))
	f.Add(good, len(good)-40, byte(0x7f))
	f.Fuzz(func(t *testing.T, data []byte, at int, value byte) {
		if len(data) > 1<<16 {
			return
		}
		if at >= 0 && at < len(data) {
			data = bytes.Clone(data)
			data[at] = value
		}
		l, err := newLines(bytes.NewReader(data), int64(len(data)), 0, -1)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, io.LimitReader(l, 1<<20))
	})
}
