package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
)

var raw = [][]byte{
	[]byte("39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0, 40, United-States, <=50K\n\n"),
	[]byte("|1x3 Cross validator\n25, Private, 226802, 11th, 7, Never-married, ?, Own-child, Black, Male, 0, 0, 40, United-States, >50K.\n\n"),
}

const want = `age,workclass,fnlwgt,education,education_num,marital_status,occupation,relationship,race,sex,capital_gain,capital_loss,hours_per_week,native_country,income
39,State-gov,77516,Bachelors,13,Never-married,Adm-clerical,Not-in-family,White,Male,2174,0,40,United-States,<=50K
25,Private,226802,11th,7,Never-married,?,Own-child,Black,Male,0,0,40,United-States,>50K
`

func TestPack(t *testing.T) {
	var first, second bytes.Buffer
	for _, packed := range []*bytes.Buffer{&first, &second} {
		if err := pack(packed, raw); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same records gave other bytes")
	}
	unpacker, err := gzip.NewReader(&first)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(unpacker)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestConvertRefusesShortLines(t *testing.T) {
	if err := convert(io.Discard, [][]byte{[]byte("39, State-gov\n")}); err == nil {
		t.Error("a line of two values was taken")
	}
}

func TestRunRefusesOtherEditions(t *testing.T) {
	if err := run([]string{t.TempDir(), "unused"}); err == nil {
		t.Error("a directory without the raw files was taken")
	}
	if err := run(nil); err == nil {
		t.Error("no arguments were taken")
	}
}
