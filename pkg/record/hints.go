package record

import (
	"bytes"
	"errors"
	"strings"
)

// What to do about files that are nearly right: their mistakes are common, and the cure is a command.
const (
	cureLatin1    = "text must be UTF-8: `iconv -f latin1 -t utf8 OLD > NEW` converts Latin-1"
	cureArray     = "the file is one JSON array: `jq -c '.[]' OLD > NEW.jsonl` writes one object a line"
	cureUnnamed   = "name it or remove it (pandas: to_csv(index=False))"
	cureSeparator = "is the file separated by %s? Columns are separated by commas: pandas.read_csv(OLD, sep=%q).to_csv(NEW, index=False)"
)

// formatHint says what to do with a file whose extension is known but is no format that is read.
func formatHint(path string) string {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	for _, known := range []struct{ extension, hint string }{
		{".json", "; JSON has to be one object a line, in a .jsonl file: `jq -c '.[]' OLD.json > NEW.jsonl` makes that of an array"},
		{".tsv", "; columns have to be separated by commas: pandas.read_csv(OLD, sep='\\t').to_csv(NEW, index=False)"},
		{".parquet", "; `duckdb -c \"copy 'OLD.parquet' to 'NEW.csv'\"` converts it"},
		{".xlsx", "; save it as CSV UTF-8"},
		{".xls", "; save it as CSV UTF-8"},
		{".avro", "; convert it to one JSON object a line"},
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

// separator names what a line that should have commas is separated by.
func separator(name string) (words, mark string) {
	for _, s := range []struct{ mark, words string }{{";", "semicolons"}, {"\t", "tabs"}, {"|", "bars"}} {
		if strings.Contains(name, s.mark) {
			return s.words, s.mark
		}
	}
	return "", ""
}
