//go:build ignore

// Generate writes the records of this example, the same ones each time. No person is behind any of them.
//
//	go run examples/loans/generate.go [DIRECTORY [LOANS IN THE SAMPLE]]
package main

import (
	"bufio"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	usual   = 3000 // loans whose outcome is known: sample.jsonl
	applied = 3000 // loans whose outcome comes in a message of its own: applications.jsonl and outcomes.jsonl
)

func main() {
	log.SetFlags(0)
	directory := filepath.Join("examples", "loans")
	if len(os.Args) > 1 {
		directory = os.Args[1]
	}
	finished := usual
	if len(os.Args) > 2 {
		var err error
		if finished, err = strconv.Atoi(os.Args[2]); err != nil {
			log.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(2026, 11))
	sample, applications, outcomes := newFile(directory, "sample"), newFile(directory, "applications"), newFile(directory, "outcomes")
	for i := range finished + applied {
		l := newLoan(rng, i)
		if i < finished {
			sample.write(`{%s,"repaid":%t}`, l.application, l.repaid)
			continue
		}
		applications.write(`{%s}`, l.application)
		outcomes.write(`{"loan":"%s","repaid":%t}`, l.id, l.repaid)
	}
	for _, f := range []*file{sample, applications, outcomes} {
		if err := f.Flush(); err != nil {
			log.Fatal(err)
		}
		if err := f.on.Close(); err != nil {
			log.Fatal(err)
		}
	}
}

// loan is an application, as the fields of a JSON object, and its outcome.
type loan struct {
	id, application string
	repaid          bool
}

// newLoan draws a loan. Women earn less and more often have a short contract, so a model that is trained on income
// and contract treats the groups differently. All arithmetic is on whole numbers, so every machine draws the same.
func newLoan(rng *rand.Rand, i int) loan {
	sex, contract, income := "male", "permanent", 1800+rng.IntN(1200)+rng.IntN(1200)+rng.IntN(1200)
	if rng.IntN(100) < 45 {
		sex, income = "female", income-200
	}
	if short := rng.IntN(100); short < 20 || sex == "female" && short < 25 {
		contract = "temporary"
	}
	age := 20 + rng.IntN(50)
	amount := 500 * (2 + rng.IntN(40))
	purpose := []string{"car", "home", "study", "other"}[rng.IntN(4)]
	chance := 65 + (income-3500)/18 - amount/700 + (age-40)/3 // in percent
	if contract == "temporary" {
		chance -= 25
	}
	if purpose == "home" {
		chance += 10
	}
	id := fmt.Sprintf("L%05d", i)
	day := time.Date(2025, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(i) * 137 * time.Minute)
	return loan{id: id, repaid: rng.IntN(100) < chance,
		application: fmt.Sprintf(`"loan":"%s","applied":"%s","applicant":{"sex":"%s","age":%d,"income":%d,"contract":"%s"},"amount":%d,"purpose":"%s"`,
			id, day.Format(time.RFC3339), sex, age, income/50*50, contract, amount, purpose)}
}

// file is a file of JSON lines.
type file struct {
	*bufio.Writer
	on *os.File
}

func newFile(directory, name string) *file {
	f, err := os.Create(filepath.Join(directory, name+".jsonl"))
	if err != nil {
		log.Fatal(err)
	}
	return &file{bufio.NewWriter(f), f}
}

func (f *file) write(format string, arguments ...any) {
	fmt.Fprintf(f.Writer, format+"\n", arguments...)
}
