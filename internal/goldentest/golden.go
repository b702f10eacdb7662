// Package goldentest compares what a package computes with a file in its testdata: a golden file proves that nothing changed, and a person reads the
// difference before it is committed.
//
// It imports nothing of the project.
package goldentest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Compare compares a text with a file in testdata. With UPDATE=1 in the environment it writes the file.
func Compare(t testing.TB, name, got string) {
	t.Helper()
	CompareFile(t, filepath.Join("testdata", name), got)
}

// CompareFile is Compare with any file, for a test that changes its working directory.
func CompareFile(t testing.TB, path, got string) {
	t.Helper()
	name := filepath.Base(path)
	if os.Getenv("UPDATE") != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	now, before := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i, line := range before {
		if i >= len(now) || now[i] != line {
			t.Fatalf("%s differs from line %d on; if it should, set UPDATE=1\ngot  %s\nwant %s", name, i+1, strings.Join(now[min(i, len(now)):min(i+3, len(now))], "\n     "), line)
		}
	}
	t.Fatalf("%s has %d lines more; if it should, set UPDATE=1", name, len(now)-len(before))
}

// Print writes a value with all that it points to: behind its path a line of the numbers and texts of each structure. Numbers have seven digits, and
// what is below 1e-9 is 0, so that they do not depend on the processor. What is zero is left out.
func Print(path string, value any) string {
	var text strings.Builder
	write(&text, path, reflect.ValueOf(value))
	return text.String()
}

func write(text *strings.Builder, path string, v reflect.Value) {
	if !v.IsValid() || v.IsZero() {
		return
	}
	if line := line(v); line != "" {
		fmt.Fprintf(text, "%s: %s\n", path, line)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		write(text, path, v.Elem())
	case reflect.Struct:
		var own []string
		for i := range v.NumField() {
			if of := v.Field(i); !of.IsZero() {
				if line := line(of); line != "" {
					own = append(own, v.Type().Field(i).Name+"="+line)
				}
			}
		}
		if len(own) > 0 {
			fmt.Fprintf(text, "%s: %s\n", path, strings.Join(own, " "))
		}
		for i := range v.NumField() {
			if of := v.Field(i); !of.IsZero() && line(of) == "" {
				write(text, path+"."+v.Type().Field(i).Name, of)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			write(text, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(line(a), line(b)) })
		for _, key := range keys {
			write(text, fmt.Sprintf("%s[%s]", path, line(key)), v.MapIndex(key))
		}
	default: // functions and channels
	}
}

// line is a number, a text, a time, or a list of them; empty for all else.
func line(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return ""
		}
		return line(v.Elem())
	case reflect.Struct:
		if at, ok := interfaceOf(v).(time.Time); ok {
			return at.UTC().Format(time.RFC3339Nano)
		}
	case reflect.Slice, reflect.Array:
		var parts []string
		for i := range v.Len() {
			part := line(v.Index(i))
			if part == "" {
				return ""
			}
			parts = append(parts, part)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Float32, reflect.Float64:
		x := v.Float()
		if math.Abs(x) < 1e-9 {
			x = 0
		}
		return strconv.FormatFloat(x, 'g', 7, 64)
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	default:
	}
	return ""
}

func interfaceOf(v reflect.Value) any {
	if !v.CanInterface() {
		return nil
	}
	return v.Interface()
}
