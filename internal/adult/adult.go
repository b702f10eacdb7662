// Package adult bundles the Adult records of the UCI Machine Learning Repository, so that the first
// command a user types needs no file: 48,842 people of the 1994 census, whether each earns more than
// 50,000 dollars a year, and their sex. ATTRIBUTION names authors and licence (CC BY 4.0).
//
// It may import pkg/record and nothing else of this project.
package adult

import (
	"bytes"
	_ "embed"
	"io"

	"github.com/klauspost/compress/gzip"

	"github.com/fairstream/fairstream/pkg/record"
)

//go:embed adult.csv.gz
var packed []byte

// Facts about the bundled records.
const (
	Records     = 48842 // all of them, in the order adult.data, adult.test
	DataRecords = 32561 // those of adult.data
	TestRecords = 16281 // those of adult.test
	HeldOut     = 9768  // those that IsHeldOut keeps from learning

	Bytes  = 5277522 // length of the CSV file
	SHA256 = "6f519c67ccd70e0c9d4f616b15d338aa6e44b336a20962f5010fb01bee0d12d4"
)

// IsHeldOut is the split that every run on the bundled records makes: of each five records in
// order the fifth is held out, to measure on what was not learnt from. index counts from 0.
func IsHeldOut(index int) bool { return index%5 == 4 }

// Open returns the records as a CSV file with a header line, ? marking missing values. Its
// Len is the number of bytes left to read, so that a record.Reader can tell its progress.
func Open() *File {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic("adult: the bundled records are damaged: " + err.Error())
	}
	return &File{unpacked: unpacked, left: Bytes}
}

// File is the bundled CSV file being read.
type File struct {
	unpacked io.Reader
	left     int
}

// Read reads the next bytes.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.unpacked.Read(p)
	f.left -= n
	return n, err
}

// Len returns the number of bytes left to read.
func (f *File) Len() int { return f.left }

// RecordConfig returns how the bundled records are to be read: the label is an income above 50,000
// dollars; fnlwgt, the census' sampling weight, describes the survey, not the person, and is ignored.
func RecordConfig() record.Config {
	return record.Config{
		Label:  record.Label{Field: "income", Positive: ">50K"},
		Ignore: []string{"fnlwgt"},
	}.WithDefaults()
}

// Constraint describes the constraint that runs on the bundled records set, in the words of the
// configuration.
type Constraint struct {
	Name, Attribute, Group, Versus, Criterion string
	Tau                                       float64
}

// DefaultConstraint returns the constraint: men and women are to be given the positive decision at
// rates at most 0.05 apart. In the labels the rates are 0.195 apart.
func DefaultConstraint() Constraint {
	return Constraint{
		Name:      "sex",
		Attribute: "sex",
		Group:     "Male",
		Versus:    "Female",
		Criterion: "demographic-parity",
		Tau:       .05,
	}
}
