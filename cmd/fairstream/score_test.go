package main

import (
	"encoding/csv"
	"strconv"
	"strings"
	"testing"
)

// TestScoresAsCSV: the columns are the same as in JSON, identifiers included.
func TestScoresAsCSV(t *testing.T) {
	var train strings.Builder
	train.WriteString("name,age,sex,y\n")
	for i := range 2000 {
		train.WriteString("n" + strconv.Itoa(i) + "," + strconv.Itoa(i%80) + "," + "MF"[i%2:i%2+1] + "," + strconv.Itoa(i%80/40) + "\n")
	}
	inDirectory(t, map[string]string{
		"config.yaml": strings.Replace(learning, "record: {", "record: {id: name, ", 1),
		"train.csv":   train.String(),
		"people.csv":  "name,age,sex\n\"Ann, \"\"A\"\"\",70,F\nBob,5,M\nshort\n,30,M\n",
	})
	succeed(t, "replay", "-c", "config.yaml", "-i", "train.csv", "--mode", "unconstrained", "--save", "w.json")
	rows, err := csv.NewReader(strings.NewReader(succeed(t, "score", "--model", "w.json", "-i", "people.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	objects := lines(t, succeed(t, "score", "-c", "config.yaml", "--model", "w.json", "-i", "people.csv", "--json"))
	if len(rows) != 5 || len(objects) != 4 || strings.Join(rows[0], " ") != "id score decision rejected margin version weights_sha256 probability" {
		t.Fatalf("%d rows, %d objects, header %v", len(rows), len(objects), rows[0])
	}
	wants := []struct{ id, decision, rejected string }{{`Ann, "A"`, "1", ""}, {"Bob", "0", ""}, {"", "", "wrong_field_count"}, {"", "0", ""}}
	for i, want := range wants {
		row, object := rows[i+1], objects[i]
		if row[0] != want.id || row[2] != want.decision || row[3] != want.rejected {
			t.Errorf("row %d is %v, want %v", i, row, want)
		}
		if id, _ := object["id"].(string); id != want.id {
			t.Errorf("object %d is of %q, want %q", i, id, want.id)
		}
		for column, key := range map[int]string{1: "score", 2: "decision", 4: "margin", 5: "version", 6: "weights_sha256", 7: "probability"} {
			want := ""
			switch value := object[key].(type) {
			case float64:
				want = strconv.FormatFloat(value, 'g', -1, 64)
			case string:
				want = value
			}
			if row[column] != want || (want == "") != (row[3] != "") {
				t.Errorf("row %d has the %s %q, the object %q", i, key, row[column], want)
			}
		}
	}
}

// TestScoreWarnsOfMissingColumns: a record without any field of the model is decided all the same, by the
// intercept.
func TestScoreWarnsOfMissingColumns(t *testing.T) {
	inDirectory(t, map[string]string{
		"config.yaml": learning,
		"train.csv":   "age,town,sex,y\n30,x,F,1\n40,y,M,0\n50,x,F,0\n35,x,M,1\n",
		"all.csv":     "town,age\nx,30\n", "some.csv": "age,Town\n30,x\n", "none.jsonl": `{"Age":30}` + "\n", "sparse.jsonl": `{"age":30}` + "\n",
	})
	succeed(t, "replay", "-c", "config.yaml", "-i", "train.csv", "--save", "w.json")
	for input, want := range map[string]string{
		"all.csv": "", "sparse.jsonl": "",
		"some.csv":   "Warning: some.csv lacks 1 of the 2 columns of the model (seen in 1 record): town; is its \"Town\" the model's \"town\"?\n",
		"none.jsonl": "Warning: none.jsonl lacks 2 of the 2 columns of the model (seen in 1 record): age, town; is its \"Age\" the model's \"age\"?\n",
	} {
		if code, _, stderr := fairstream(t, "score", "--model", "w.json", "-i", input); code != done || stderr != want {
			t.Errorf("%s: exit code %d, says %q, want %q", input, code, stderr, want)
		}
	}
}
