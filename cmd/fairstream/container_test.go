package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"
)

// loanSchema is that of loansByHand, with nulls, and a plain field of each kind.
const loanSchema = `{"type":"record","name":"loan","fields":[
 {"name":"applicant","type":{"type":"record","name":"applicant","fields":[
  {"name":"sex","type":{"type":"enum","name":"sex","symbols":["male","female"]}}, {"name":"age","type":["null","long"]}, {"name":"income","type":"string"},
  {"name":"employed","type":"boolean"}, {"name":"phones","type":{"type":"array","items":"string"}}]}},
 {"name":"product","type":"string"}, {"name":"score","type":"double"}, {"name":"repaid","type":"boolean"}]}`

// TestAvroContainers: every command that reads a file reads Avro, and learns from it what it learns from the same JSON.
func TestAvroContainers(t *testing.T) {
	filesAlone(t)
	schema := avro.MustParse(loanSchema)
	var lines, file, events bytes.Buffer
	w, err := ocf.NewWriter(&file, schema, ocf.WithCodec(ocf.SnappyCodec()))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1500 {
		applicant := map[string]any{"sex": []string{"male", "female"}[i%2], "age": any(int64(20 + i*7%50)), "income": []string{"1000", "2500", "n/a"}[i%3], "employed": i%5 > 1, "phones": []string{}}
		if i%11 == 0 {
			applicant["age"] = nil
		}
		if i%4 == 0 {
			applicant["phones"] = []string{"+4930", "+4940"}
		}
		loan := map[string]any{"applicant": applicant, "product": []string{"loan", "card", "home"}[i%3], "score": float64(i%17) / 4, "repaid": (i*i+i/3)%5 > 1}
		if err := w.Encode(loan); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(loan)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(text, '\n'))
		fmt.Fprintf(&events, `{"before":null,"after":%s,"source":{"snapshot":"%t"},"op":"%c","ts_ms":%d}`+"\n", text, i < 100, "rcu"[min(2, i/100)], i)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	inDirectory(t, map[string]string{"loans.jsonl": lines.String(), "events.jsonl": events.String(), "loans.avro": file.String(), "loans.bin": file.String(), "c.yaml": loansByHand,
		"half.avro": file.String()[:file.Len()/2], "misnamed.jsonl": file.String()})
	learn := func(args ...string) string {
		said := succeed(t, append([]string{"replay", "-c", "c.yaml", "--json", "--input"}, args...)...)
		_, rest, _ := strings.Cut(said, `"seconds"`)
		_, rest, _ = strings.Cut(rest, ",")
		return rest
	}
	want := learn("loans.jsonl")
	if learn("loans.avro") != want || learn("loans.bin", "--format", "avro") != want {
		t.Error("other results from Avro than from JSON")
	}
	if weights(learn("events.jsonl", "--set", "record.at=debezium")) != weights(want) || weights(want) == "" {
		t.Error("other weights from events of Debezium than from JSON")
	}
	contains(t, succeed(t, "init", "-i", "loans.avro"), "applicant.sex", "job: loans\n")
	contains(t, succeed(t, "init", "-i", "events.jsonl"), "  at: debezium\n", "applicant.sex")
	_, said, _ := fairstream(t, "check", "-c", "c.yaml", "--input", "events.jsonl", "--set", "record.at=debezium")
	contains(t, said, "100 records are rows of a snapshot")
	_, said, notes := fairstream(t, "check", "-c", "c.yaml", "--input", "loans.avro")
	contains(t, said+notes, "1,500 records")
	for name, says := range map[string]string{"half.avro": "of the Avro container file is damaged: the file ends within it", "misnamed.jsonl": "let its name end in .avro"} {
		code, _, notes := fairstream(t, "replay", "-c", "c.yaml", "--input", name)
		if code != failed || !strings.Contains(notes, says) {
			t.Errorf("%s: exit code %d, %s", name, code, notes)
		}
	}
}

// weights is the hash of the weights that replay reports.
func weights(report string) string {
	_, rest, _ := strings.Cut(report, `"weights_sha256":"`)
	hash, _, _ := strings.Cut(rest, `"`)
	return hash
}
