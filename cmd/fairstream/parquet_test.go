package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestParquet: every command that reads a file reads Parquet, and learns from it what it learns from the same JSON.
func TestParquet(t *testing.T) {
	filesAlone(t)
	type applicant struct {
		Sex      string   `json:"sex" parquet:"sex"`
		Age      *int64   `json:"age" parquet:"age,optional"`
		Income   string   `json:"income" parquet:"income"`
		Employed bool     `json:"employed" parquet:"employed"`
		Phones   []string `json:"phones" parquet:"phones,list"`
	}
	type loan struct {
		Applicant applicant `json:"applicant" parquet:"applicant"`
		Product   string    `json:"product" parquet:"product"`
		Score     float64   `json:"score" parquet:"score"`
		Repaid    bool      `json:"repaid" parquet:"repaid"`
	}
	var rows []loan
	var lines bytes.Buffer
	for i := range 1500 {
		age := int64(20 + i*7%50)
		row := loan{applicant{[]string{"male", "female"}[i%2], &age, []string{"1000", "2500", "n/a"}[i%3], i%5 > 1, nil}, []string{"loan", "card", "home"}[i%3], float64(i%17) / 4, (i*i+i/3)%5 > 1}
		if i%11 == 0 {
			row.Applicant.Age = nil
		}
		if i%4 == 0 {
			row.Applicant.Phones = []string{"+4930", "+4940"}
		}
		rows = append(rows, row)
		text, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(text, '\n'))
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[loan](&file)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	inDirectory(t, map[string]string{"loans.jsonl": strings.ReplaceAll(lines.String(), `"phones":null`, `"phones":[]`), "loans.parquet": file.String(), "c.yaml": loansByHand})
	if err := os.WriteFile("loans.bin", file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"--folds", "3"}, {"--shuffle", "7"}} {
		learn := func(input ...string) string {
			said := succeed(t, append(append([]string{"replay", "-c", "c.yaml", "--json", "--input"}, input...), args...)...)
			_, rest, _ := strings.Cut(said, `"seconds"`)
			_, rest, _ = strings.Cut(rest, ",")
			return rest
		}
		want := learn("loans.jsonl")
		if learn("loans.parquet") != want || learn("loans.bin", "--format", "parquet") != want {
			t.Errorf("%v: other results from Parquet than from JSON", args)
		}
	}
	if got := succeed(t, "init", "-i", "loans.parquet"); !strings.Contains(got, "applicant.sex") || !strings.Contains(got, "job: loans") {
		t.Error(got)
	}
	if got := succeed(t, "check", "-c", "c.yaml", "-i", "loans.parquet"); !strings.Contains(got, "1,500 records of loans.parquet; 0 rejected") {
		t.Error(got)
	}
	succeed(t, "replay", "-c", "c.yaml", "-i", "loans.jsonl", "--save", "w.json")
	if succeed(t, "score", "--model", "w.json", "-i", "loans.parquet", "--json") != succeed(t, "score", "--model", "w.json", "-i", "loans.jsonl", "--json") {
		t.Error("other scores of Parquet than of JSON")
	}
	fails(t, misuse, "it cannot be standard input", "replay", "-c", "c.yaml", "-i", "-", "--format", "parquet")
	fails(t, failed, "no such file", "replay", "-c", "c.yaml", "-i", "nowhere.parquet")
}
