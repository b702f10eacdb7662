// Command adult measures the learner on the bundled Adult records: 5 folds, several orders of the
// training records, one pass each, every relaxation and tau. It prints the table of the README.
//
//	go run ./bench/adult [-shuffles 4] [-splits 1] [-tau 0,.02,.05,.10] [-criterion demographic-parity]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

const folds = 5

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	shuffles, splits int
	seed             uint64
	taus             []float64
	relaxations      []surrogate.Name
	criterion        fairness.Criterion
	set              func(*model.Config)
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("adult", flag.ContinueOnError)
	o := options{}
	flags.IntVar(&o.shuffles, "shuffles", 4, "orders of the training records per fold")
	flags.IntVar(&o.splits, "splits", 1, "independent splits into folds")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of splits and orders")
	taus := flags.String("tau", "0,.02,.05,.10", "values of tau; 0 is unconstrained")
	names := flags.String("relaxation", "approximation-1,approximation-2,approximation-3", "relaxations")
	criterion := flags.String("criterion", "demographic-parity", "fairness criterion")
	step := flags.Float64("step", 0, "learner.step, 0 for the default")
	confidence := flags.Float64("confidence", 0, "learner.confidence, 0 for the default")
	crosses := flags.String("crosses", "", "learner.crosses: pairs a+b, separated by commas")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for _, text := range strings.Split(*taus, ",") {
		tau, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("-tau: %w", err)
		}
		o.taus = append(o.taus, tau)
	}
	for _, text := range strings.Split(*names, ",") {
		name, err := surrogate.Parse(text)
		if err != nil {
			return fmt.Errorf("-relaxation: %w", err)
		}
		o.relaxations = append(o.relaxations, name)
	}
	o.criterion = fairness.Criterion(*criterion)
	o.set = func(c *model.Config) {
		if *step > 0 {
			c.Learner.Step = *step
		}
		if *confidence > 0 {
			c.Learner.Confidence = *confidence
		}
		for _, cross := range strings.FieldsFunc(*crosses, func(r rune) bool { return r == ',' }) {
			c.Learner.Crosses = append(c.Learner.Crosses, strings.Split(cross, "+"))
		}
	}
	records, err := load()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "| tau | relaxation | runs | error | largest | RD | SD | largest abs RD | within tau | within tau+.025 | seconds |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, tau := range o.taus {
		for i, relaxation := range o.relaxations {
			if tau == 0 && i > 0 {
				continue
			}
			for _, row := range measure(records, o, tau, relaxation) {
				row.print(out, tau, relaxation)
			}
		}
	}
	return nil
}

// load decodes every record once; the texts share one buffer.
func load() ([]record.Record, error) {
	text, err := io.ReadAll(adult.Open())
	if err != nil {
		return nil, err
	}
	schema, err := config(.05, surrogate.Approximation1, fairness.DemographicParity).Schema()
	if err != nil {
		return nil, err
	}
	decoder := schema.NewDecoder()
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	records := make([]record.Record, 0, len(lines)-1)
	reader, err := record.NewReader(bytes.NewReader(text), record.CSV, record.Limits{})
	if err != nil {
		return nil, err
	}
	for {
		var r record.Record
		err := reader.Read(decoder, &r)
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return nil, err
		}
		for i := range r.Features {
			r.Features[i].Text = bytes.Clone(r.Features[i].Text)
		}
		for i := range r.Attributes {
			r.Attributes[i].Text = bytes.Clone(r.Attributes[i].Text)
		}
		records = append(records, r)
	}
}

func config(tau float64, relaxation surrogate.Name, criterion fairness.Criterion) model.Config {
	c := model.Config{Record: adult.RecordConfig(), Learner: model.DefaultLearner(), Constraints: []model.Constraint{{
		Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.OneOrMore{"Male"}, Versus: model.OneOrMore{"Female"},
		Criterion: criterion, Tau: tau, Relaxation: relaxation,
	}}}
	if tau == 0 {
		c.Learner.Mode = model.Unconstrained
		c.Constraints[0].Tau = .05
	}
	return c
}

// row is one line of the table: one comparison over all runs.
type row struct {
	criterion fairness.Criterion
	errors    []float64
	values    []float64
	seconds   float64
}

func measure(records []record.Record, o options, tau float64, relaxation surrogate.Name) []row {
	type job struct{ split, fold, shuffle int }
	jobs := make(chan job)
	var rows []row
	var lock sync.Mutex
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for j := range jobs {
				c := config(tau, relaxation, o.criterion)
				o.set(&c)
				report, seconds := once(records, c, o.seed, j.split, j.fold, j.shuffle)
				lock.Lock()
				for i, e := range report.Constraints {
					if len(rows) <= i {
						rows = append(rows, row{criterion: e.Criterion})
					}
					rows[i].errors = append(rows[i].errors, 1-report.Accuracy.Value)
					rows[i].values = append(rows[i].values, e.Value)
					rows[i].seconds += seconds
				}
				lock.Unlock()
			}
		})
	}
	for split := range o.splits {
		for fold := range folds {
			for shuffle := range o.shuffles {
				jobs <- job{split, fold, shuffle}
			}
		}
	}
	close(jobs)
	workers.Wait()
	return rows
}

// once learns four folds in one pass and measures the fifth.
func once(records []record.Record, c model.Config, seed uint64, split, fold, shuffle int) (model.Report, float64) {
	order := rand.New(rand.NewPCG(seed, uint64(split))).Perm(len(records))
	var train, test []int
	for i, k := range order {
		if i%folds == fold {
			test = append(test, k)
		} else {
			train = append(train, k)
		}
	}
	shuffled := rand.New(rand.NewPCG(seed+1, uint64(split*1000+fold*100+shuffle)))
	shuffled.Shuffle(len(train), func(i, j int) { train[i], train[j] = train[j], train[i] })
	learner, err := model.New(c)
	check(err)
	started := time.Now()
	for _, k := range train {
		learner.Learn(&records[k])
	}
	seconds := time.Since(started).Seconds()
	document, err := learner.Document()
	check(err)
	evaluation, err := model.NewEvaluation(document)
	check(err)
	for _, k := range test {
		evaluation.Add(&records[k])
	}
	return evaluation.Report(), seconds
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func (r row) print(out io.Writer, tau float64, relaxation surrogate.Name) {
	name := string(relaxation)
	if tau == 0 {
		name = "unconstrained"
	}
	if r.criterion != fairness.DemographicParity {
		name += " " + string(r.criterion)
	}
	e, _, worst := moments(r.errors)
	mean, deviation, _ := moments(r.values)
	largest, met, near := 0.0, 0, 0
	for _, v := range r.values {
		largest = max(largest, math.Abs(v))
		if math.Abs(v) <= tau {
			met++
		}
		if math.Abs(v) <= tau+.025 {
			near++
		}
	}
	fmt.Fprintf(out, "| %.2f | %s | %d | %.4f | %.4f | %+.4f | %.4f | %.3f | %d | %d | %.3f |\n",
		tau, name, len(r.values), e, worst, mean, deviation, largest, met, near, r.seconds/float64(len(r.values)))
}

func moments(values []float64) (mean, deviation, largest float64) {
	for _, v := range values {
		mean += v / float64(len(values))
		largest = max(largest, v)
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean) / float64(len(values))
	}
	return mean, math.Sqrt(deviation), largest
}
