package record_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fairstream/fairstream/pkg/record"
)

func ExampleDecoder_DecodeJSON() {
	schema, err := record.NewSchema(record.Config{
		Label:  record.Label{Field: "outcome.approved", Positive: "true"},
		Ignore: []string{"trace"},
	}, []string{"applicant.sex"})
	if err != nil {
		fmt.Println(err)
		return
	}
	decoder := schema.NewDecoder()
	var rec record.Record
	err = decoder.DecodeJSON(&rec, []byte(`{
		"applicant": {"sex": "F", "age": 39, "job": null},
		"amounts": [1200, 80.5],
		"trace": {"span": "9f"},
		"outcome": {"approved": true}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("positive:", rec.Positive)
	fmt.Printf("attribute: %s\n", rec.Attributes[0].Text)
	for _, f := range rec.Features {
		fmt.Printf("%s=%s missing=%v\n", f.Name, f.Text, f.Missing)
	}
	// Output:
	// positive: true
	// attribute: F
	// applicant.age=39 missing=false
	// applicant.job= missing=true
	// amounts.0=1200 missing=false
	// amounts.1=80.5 missing=false
}

func ExampleReader() {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "income", Positive: ">50K"}}, []string{"sex"})
	if err != nil {
		fmt.Println(err)
		return
	}
	const file = "age,sex,income\n39,Male,>50K\n\"41,Female,<=50K\n52,Female,?\n28,Female,<=50K\n"
	reader, err := record.NewReader(strings.NewReader(file), record.CSV, record.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	decoder := schema.NewDecoder()
	var rec record.Record
	for {
		err := reader.Read(decoder, &rec)
		if err == io.EOF {
			return
		}
		if rejection, ok := errors.AsType[*record.Rejection](err); ok {
			fmt.Println("rejected:", rejection)
			continue
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("line %d: %s %s\n", reader.Line(), rec.Attributes[0].Text, rec.Features[0].Text)
	}
	// Output:
	// line 2: Male 39
	// rejected: line 3: malformed_csv: a quoted cell is not closed
	// rejected: line 4: missing_label in field "income": absent, null or a text that counts as missing
	// line 5: Female 28
}

func ExampleHeader_AppendJSON() {
	header, err := record.NewHeader([]string{"age", "job"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", header.AppendJSON(nil, [][]byte{[]byte("39"), []byte(`"Mad" Max`)}))
	// Output: {"age":"39","job":"\"Mad\" Max"}
}
