package adult_test

import (
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/record"
)

func TestContent(t *testing.T) {
	file := adult.Open()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) != adult.Bytes || file.Len() != 0 {
		t.Errorf("%d bytes, %d left, want %d and none", len(text), file.Len(), adult.Bytes)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(text)); sum != adult.SHA256 {
		t.Errorf("sha256 %s, want %s", sum, adult.SHA256)
	}
}

// TestShares checks the records, read with the standard library, against the counts that
// adult.names and the literature give.
func TestShares(t *testing.T) {
	rows, err := csv.NewReader(adult.Open()).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	header, rows := rows[0], rows[1:]
	if len(rows) != adult.Records || adult.DataRecords+adult.TestRecords != adult.Records {
		t.Fatalf("%d records, want %d", len(rows), adult.Records)
	}
	position := map[string]int{}
	for i, name := range header {
		position[name] = i
	}
	count := map[string]int{}
	missing, heldOut := 0, 0
	for i, row := range rows {
		count[row[position["income"]]]++
		count[row[position["sex"]]]++
		count[row[position["sex"]]+row[position["income"]]]++
		for _, cell := range row {
			if cell == "?" {
				missing++
			}
		}
		if adult.IsHeldOut(i) {
			heldOut++
		}
	}
	want := map[string]int{
		">50K": 11687, "<=50K": 37155, "Male": 32650, "Female": 16192,
		"Male>50K": 9918, "Male<=50K": 22732, "Female>50K": 1769, "Female<=50K": 14423,
	}
	for value, n := range want {
		if count[value] != n {
			t.Errorf("%d records are %s, want %d", count[value], value, n)
		}
	}
	if len(count) != len(want) {
		t.Errorf("labels and sexes %v, want only %v", count, want)
	}
	if missing != 2799+2809+857 { // workclass, occupation, native_country
		t.Errorf("%d values are ?, want 6465", missing)
	}
	if heldOut != adult.HeldOut {
		t.Errorf("%d records held out, want %d", heldOut, adult.HeldOut)
	}
	difference := float64(9918)/32650 - float64(1769)/16192
	if math.Abs(difference-.1945) > .0001 { // the risk difference of the labels in the literature
		t.Errorf("risk difference of the labels %.4f, want .1945", difference)
	}
}

func TestEveryRecordDecodes(t *testing.T) {
	constraint := adult.DefaultConstraint()
	schema, err := record.NewSchema(adult.RecordConfig(), []string{constraint.Attribute})
	if err != nil {
		t.Fatal(err)
	}
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var rec record.Record
	decoder := schema.NewDecoder()
	counts := map[string]int{}
	records := 0
	for {
		err := reader.Read(decoder, &rec)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		records++
		counts[string(rec.Attributes[0].Text)]++
		if len(rec.Features) != 12 { // 15 columns without income, fnlwgt and sex
			t.Fatalf("%d features, want 12", len(rec.Features))
		}
	}
	if records != adult.Records {
		t.Errorf("%d records, want %d", records, adult.Records)
	}
	if counts[constraint.Group] != 32650 || counts[constraint.Versus] != 16192 {
		t.Errorf("groups %v", counts)
	}
	if read, total := reader.Progress(); read != adult.Bytes || total != adult.Bytes {
		t.Errorf("progress %d of %d, want %d of it", read, total, adult.Bytes)
	}
}
