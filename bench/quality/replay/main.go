// Command replay answers `replay --config C --input TRAIN --holdout TEST --tau T,T --json` as the command
// line of fairstream does.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

func main() {
	flags := flag.NewFlagSet("replay", flag.ExitOnError)
	config := flags.String("config", "", "")
	input := flags.String("input", "", "")
	holdout := flags.String("holdout", "", "")
	taus := flags.String("tau", "", "")
	flags.Bool("json", false, "")
	_ = flags.Parse(os.Args[2:])
	if err := run(*config, *input, *holdout, *taus); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path, input, holdout, taus string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	c := model.Config{Learner: model.DefaultLearner()}
	if err := json.Unmarshal(text, &c); err != nil {
		return err
	}
	for _, text := range strings.Split(taus, ",") {
		if text != "" {
			tau, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return err
			}
			for i := range c.Constraints {
				c.Constraints[i].Tau = tau
			}
		}
		started := time.Now()
		learner, err := model.New(c)
		if err != nil {
			return err
		}
		schema, err := learner.Config().Schema()
		if err != nil {
			return err
		}
		if err := each(input, schema, learner.Learn); err != nil {
			return err
		}
		seconds := time.Since(started).Seconds()
		document, err := learner.Document()
		if err != nil {
			return err
		}
		evaluation, err := model.NewEvaluation(document)
		if err != nil {
			return err
		}
		if err := each(holdout, schema, evaluation.Add); err != nil {
			return err
		}
		r := evaluation.Report()
		if err := json.NewEncoder(os.Stdout).Encode(map[string]any{
			"records": learner.Version(), "rejected": 0, "seconds": seconds,
			"holdout": map[string]any{"records": r.Records, "accuracy": r.Accuracy.Value, "log_loss": r.LogLoss.Value,
				"constant_accuracy": r.ConstantAccuracy.Value, "constraints": r.Constraints},
			"model": map[string]any{"version": document.Version, "weights": document.Weights, "weights_sha256": document.WeightsSHA256},
		}); err != nil {
			return err
		}
	}
	return nil
}

func each(path string, schema *record.Schema, use func(*record.Record)) error {
	reader, err := record.Open(path, record.Limits{})
	if err != nil {
		return err
	}
	decoder := schema.NewDecoder()
	var r record.Record
	for {
		err := reader.Read(decoder, &r)
		if errors.Is(err, io.EOF) {
			return reader.Close()
		}
		if err != nil {
			return err
		}
		use(&r)
	}
}
