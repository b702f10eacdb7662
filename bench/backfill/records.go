package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/fairstream/fairstream/bench/records"
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// set is labelled records, with what is compared.
type set struct {
	name    string
	record  record.Config
	compare model.Constraint
	open    func() (io.ReadCloser, error)
}

// sets are the bundled records and those that `bench/quality/run.sh --only records` writes into a directory.
func sets(directory string) []set {
	of := adult.DefaultConstraint()
	list := []set{{"adult", adult.RecordConfig(), model.Constraint{Name: of.Name, Attribute: model.OneOrMore{of.Attribute}, Group: model.Values(of.Group),
		Versus: model.Values(of.Versus)}, func() (io.ReadCloser, error) { return io.NopCloser(adult.Open()), nil }}}
	for _, one := range [][3]string{{"families", "Black", "Hispanic"}, {"admissions", "female", "male"}} {
		list = append(list, set{one[0], record.Config{Label: record.Label{Field: "label", Positive: "1"}}, model.Constraint{Name: one[0],
			Attribute: model.OneOrMore{"attribute"}, Group: model.Values(one[1]), Versus: model.Values(one[2])},
			func() (io.ReadCloser, error) { return os.Open(filepath.Join(directory, one[0]+".csv")) }})
	}
	return list
}

// config compares at a bound.
func (s *set) config(tau float64, criterion string) model.Config {
	c := s.compare
	c.Criterion, c.Tau = fairness.Criterion(criterion), tau
	return model.Config{Record: s.record, Learner: model.DefaultLearner(), Constraints: []model.Constraint{c}}
}

// load decodes the records.
func (s *set) load() ([]record.Record, error) {
	file, err := s.open()
	if err != nil {
		return nil, fmt.Errorf("%w: `bench/quality/run.sh --only records` writes it, and -records names its directory", err)
	}
	text, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	return records.All(s.config(.05, string(fairness.DemographicParity)), bytes.NewReader(text))
}
