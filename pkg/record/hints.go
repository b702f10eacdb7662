package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// What to do about files that are nearly right: their mistakes are common, and the cure is a command.
const (
	cureLatin1    = "`iconv -f latin1 -t utf8 OLD > NEW` converts Latin-1, or, for a CSV file, set record.csv.encoding: windows-1252"
	cureArray     = "the file is one JSON array: `jq -c '.[]' OLD > NEW.jsonl` writes one object a line"
	cureUnnamed   = "name it or remove it (pandas: to_csv(index=False))"
	cureTitle     = "is the first line a title? Remove the lines above the names of the columns"
	cureQuoted    = "the quotes around each whole line hide its columns: remove them"
	cureReturns   = "its lines end with a carriage return alone: `tr '\\r' '\\n' < OLD > NEW`"
	cureLines     = "write one object a line, as `jq -c . OLD > NEW` does"
	cureComma     = "write nothing behind it: `sed 's/,$//' OLD > NEW`"
	cureName      = "let the name of a CSV file end in .csv"
	cureSeparator = "is the file separated by %s? Set record.csv.separator: %q, which fairstream init proposes together with decimal marks and encoding"
)

// formatHint says what to do with a file whose extension is known but is no format that is read.
func formatHint(path string) string {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	for _, known := range []struct{ extension, hint string }{
		{".json", "; JSON has to be one object a line, in a .jsonl file: `jq -c '.[]' OLD.json > NEW.jsonl` makes that of an array"},
		{".parquet", "; `duckdb -c \"copy 'OLD.parquet' to 'NEW.csv'\"` converts it"},
		{".xlsx", "; save it as CSV UTF-8"},
		{".xls", "; save it as CSV UTF-8"},
		{".zst", "; `zstd -dc FILE | fairstream … --input - --format jsonl` reads it"},
		{".zip", "; unpack it first"},
	} {
		if strings.HasSuffix(name, known.extension) {
			return known.hint
		}
	}
	return ""
}

// arrayOfObjects finds that what should be lines of objects begins as an array of objects.
func arrayOfObjects(start []byte) error {
	start = bytes.TrimLeft(start, " \t\r\n")
	if rest, found := bytes.CutPrefix(start, []byte("[")); found && bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("{")) {
		return errors.New("record: " + cureArray)
	}
	return nil
}

// containers are files that hold others, told by their first bytes.
var containers = []struct{ magic, hint string }{
	{"\xff\xfe", "UTF-16: set record.csv.encoding: utf-16 for a CSV file, or save it as UTF-8"},
	{"\xfe\xff", "UTF-16: set record.csv.encoding: utf-16 for a CSV file, or save it as UTF-8"},
	{"\x1f\x8b", "compressed with gzip: let its name end in .gz"},
	{"PK\x03\x04", "a ZIP archive or a spreadsheet: unpack it, or save it as CSV UTF-8"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd: `zstd -d OLD` unpacks it"},
	{"Obj\x01", "an Avro container file: let its name end in .avro"},
	{"PAR1", "a Parquet file: let its name end in .parquet"},
}

// otherFormat finds that a file, which begins with start, is not written as its name says.
func otherFormat(start []byte, format Format) error {
	for _, c := range containers {
		if bytes.HasPrefix(start, []byte(c.magic)) {
			return errors.New("record: the file is " + c.hint)
		}
	}
	if first := bytes.ToLower(bytes.TrimLeft(start, " \t\r\n")); bytes.HasPrefix(first, []byte("<!doctype")) || bytes.HasPrefix(first, []byte("<html")) || bytes.HasPrefix(first, []byte("<?xml")) {
		return errors.New("record: the file holds HTML or XML, as a page that says why a download failed: get the file again, or save the table as CSV UTF-8")
	}
	if format == CSV && bytes.HasPrefix(start, []byte("{\"")) {
		return errors.New("record: the file holds JSON objects: let its name end in .jsonl")
	}
	return nil
}

// jsonHint says what JSON is probably not written as, where it stops being JSON, and what to do about it in a file.
func jsonHint(data []byte, offset int) (hint, file string) {
	rest, first := data[offset:], len(data)-len(bytes.TrimLeft(data, " \t"))
	starts := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return bytes.HasPrefix(rest, []byte(text)) })
	}
	before := bytes.TrimRight(data[:offset], " \t")
	switch {
	case bytes.HasSuffix(before, []byte("}")) && starts("{") && json.Valid(before):
		return ": another object begins here, and a record is one object", cureLines
	case bytes.HasSuffix(before, []byte("}")) && starts(",") && json.Valid(before):
		return ": a comma follows the object", cureComma
	case bytes.HasSuffix(before, []byte(",")) && starts("}", "]"):
		return ": remove the comma before it", ""
	case offset == first:
		return ": a record is one JSON object", cureName
	case starts("'"):
		return ": names and texts need double quotes (in Python: json.dumps)", ""
	case starts("N", "I", "T", "F"):
		return ": write null for NaN, Infinity and None, and true or false", ""
	}
	return "", ""
}

func notUTF8(offset int) *Rejection {
	return &Rejection{Reason: InvalidUTF8, Offset: offset, Detail: "text must be UTF-8", file: cureLatin1}
}

// blanks are the white space of JSON.
const blanks = " \t\r\n"

// separator names what a line that should have commas is separated by.
func separator(name string) (words, mark string) {
	for _, s := range []struct{ mark, words string }{{";", "semicolons"}, {"\t", "tabs"}, {"|", "bars"}} {
		if strings.Contains(name, s.mark) {
			return s.words, s.mark
		}
	}
	return "", ""
}
