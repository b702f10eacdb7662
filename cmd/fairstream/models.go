package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/models"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/export"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newModels(s *program.Streams) *cobra.Command {
	cmd := command.Group(&cobra.Command{
		Use:   "models",
		Short: "List, show, explain, describe and export the weights on the model topic",
		Long: `List, show, explain, describe and export the weight documents that a job published on its model topic. A version is the
number of records that were learnt, and a term counts the processes that owned the job: the newest is the
highest version of the highest term. An alias such as stable points to the version that readers use.`,
	}, newModelsList(s), newModelsShow(s), newModelsExplain(s), newModelsCard(s), newModelsExport(s), newModelsPrune(s))
	for _, c := range releaseCommands {
		cmd.AddCommand(c.command(s))
	}
	return cmd
}

// configured reads the configuration, unless the document is in a file, and does the work.
func configured(cmd *cobra.Command, m *models.Weights, flags *command.Config, work func(context.Context) error) (err error) {
	if m.File == "" {
		if m.Config, err = flags.Load(cmd, nil, config.Streaming); err != nil {
			return err
		}
	}
	return command.InWork(work(cmd.Context()))
}

// modelFlag names a document in a file.
func modelFlag(cmd *cobra.Command, m *models.Weights) {
	cmd.Flags().StringVar(&m.File, "model", "", "weight document in a `FILE` (default the newest on the model topic)")
	command.MustComplete(cmd.MarkFlagFilename("model", "json"))
}

// choice adds the flags that choose a version on the model topic.
func choice(cmd *cobra.Command, m *models.Weights, purpose string) {
	cmd.Flags().Var(&m.Version, "version", "version to "+purpose+", as V or TERM/V (default the newest)")
	cmd.Flags().StringVar(&m.Alias, "alias", "", "`NAME` of an alias instead of a version, such as stable")
	cmd.MarkFlagsMutuallyExclusive("version", "alias", "model")
}

func newModelsList(s *program.Streams) *cobra.Command {
	var flags command.Config
	m := models.Weights{Streams: s}
	cmd := &cobra.Command{
		Use:     "list --config FILE",
		Short:   "List the versions that the model topic holds",
		Example: `  fairstream models list --config config.yaml`,
		RunE:    func(cmd *cobra.Command, _ []string) error { return configured(cmd, &m, &flags, m.List) },
	}
	flags.Register(cmd)
	cmd.Flags().BoolVar(&m.JSON, "json", false, "print one JSON array, an object a version")
	return cmd
}

func newModelsShow(s *program.Streams) *cobra.Command {
	var flags command.Config
	m := models.Weights{Streams: s}
	cmd := &cobra.Command{
		Use:   "show --config FILE | --model FILE",
		Short: "Show a version: what it was learnt from, and how it was measured",
		Long: `Show a version: what it was learnt from, and how it was measured. With --json it is the whole weight
document, which fairstream score --model takes.`,
		Example: `  fairstream models show --config config.yaml
  fairstream models show --config config.yaml --alias stable
  fairstream models show --config config.yaml --json > weights.json
  fairstream models show --model weights.json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return configured(cmd, &m, &flags, m.Show) },
	}
	flags.Register(cmd)
	modelFlag(cmd, &m)
	cmd.Flags().BoolVar(&m.JSON, "json", false, "print the weight document")
	choice(cmd, &m, "show")
	return cmd
}

func newModelsExplain(s *program.Streams) *cobra.Command {
	var flags command.Config
	m := models.Weights{Streams: s}
	by := models.ByColumn{Weights: &m}
	var columns bool
	cmd := &cobra.Command{
		Use:   "explain --config FILE | --model FILE",
		Short: "Explain each weight of a model in plain words",
		Long: `Explain each weight of a model in plain words. The margin of a record is the sum of the weights that
apply to it; the decision is positive if the sum is above 0. For a regression the sum is the prediction.

--columns explains by column instead, over the records of --input, or over the newest records of the input
topic: for how many records a column counts, how much it moves the margin, and how much of the difference
between two groups comes from it.`,
		Example: `  fairstream models explain --config config.yaml
  fairstream models explain --config config.yaml --columns
  fairstream models explain --model weights.json --columns --input records.csv
  fairstream models explain --model weights.json --top 0 --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if by.Input != "" && !columns {
				return errors.New("--input is for --columns: add it")
			}
			if columns {
				return configured(cmd, &m, &flags, by.Explain)
			}
			return configured(cmd, &m, &flags, func(ctx context.Context) error { return m.Explain(ctx, by.Top) })
		},
	}
	flags.Register(cmd)
	modelFlag(cmd, &m)
	f := cmd.Flags()
	f.BoolVar(&m.JSON, "json", false, "print one JSON object a weight, a line each")
	choice(cmd, &m, "explain")
	f.IntVar(&by.Top, "top", 30, "how many weights or columns, the largest first; 0 is all")
	f.BoolVar(&columns, "columns", false, "explain by column, over records")
	inputFlags(cmd, &by.Input, &by.Format, "with --columns: `FILE` of records, - or adult (default the newest records of the input topic)")
	return cmd
}

func newModelsCard(s *program.Streams) *cobra.Command {
	var flags command.Config
	m := models.Weights{Streams: s}
	var own string
	var text bool
	cmd := &cobra.Command{
		Use:   "card --config FILE | --model FILE",
		Short: "Print the model card of a version as JSON",
		Long: `Print the model card of a version as JSON, in schema 0.0.2 of the Model Card Toolkit: details, parameters,
measurements with confidence intervals by group, limitations, trade-offs and ethical considerations.

With --config, the measurements include what the monitor of the job says of the decisions as they were made,
from its last snapshot, and the share of time within tau, from the history.

A program cannot know owners, licences, users and use cases. --own names a JSON file of the same schema
that contains them; its other statements are kept too.

With --text, it prints the report for signature instead: rule, versions that decided with their hashes,
differences, alarms, and who changed what. The page of a running job has it for a period, at /report.`,
		Example: `  fairstream models card --config config.yaml > card.json
  fairstream models card --model weights.json --own owners.json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var card export.Card
			if text && (own != "" || m.File != "") {
				return errors.New("--text is made from the history of a job: give --config, without --model and --own")
			}
			if own != "" {
				if err := models.ReadCard(own, &card); err != nil {
					return err
				}
			}
			if text {
				return configured(cmd, &m, &flags, m.Report)
			}
			return configured(cmd, &m, &flags, func(ctx context.Context) error { return m.Card(ctx, card) })
		},
	}
	flags.Register(cmd)
	modelFlag(cmd, &m)
	choice(cmd, &m, "describe")
	cmd.Flags().StringVar(&own, "own", "", "model card in a `FILE` with owners, licences, users and use cases")
	cmd.Flags().BoolVar(&text, "text", false, "print the report for signature as text, from the history of the job")
	command.MustComplete(cmd.MarkFlagFilename("own", "json"))
	return cmd
}

func newModelsExport(s *program.Streams) *cobra.Command {
	var flags command.Config
	m := models.Weights{Streams: s}
	var format string
	cmd := &cobra.Command{
		Use:   "export --format onnx --config FILE | --model FILE",
		Short: "Write a version as an ONNX model",
		Long: `Write a version as an ONNX model to --output or to standard output, in core operators of double precision
(opset 17, and LabelEncoder of ai.onnx.ml 2). Inputs are the columns of the model, [N, 1] each: double for a numeric column, in which
NaN means missing and an infinite value contributes nothing; string for every other column, in which the texts
of record.missing mean missing. Outputs, [N, 1] each: margin (double), decision (bool) of a classifier, and probability (double)
if the document gives one.

What a graph cannot express, such as weights that values share by hash, is refused with the key that avoids it.`,
		Example: `  fairstream models export --format onnx --model weights.json --output model.onnx
  fairstream models export --format onnx --config config.yaml --alias stable > model.onnx`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format != "onnx" {
				return fmt.Errorf("--format %q is unknown: use onnx", format)
			}
			return configured(cmd, &m, &flags, m.Graph)
		},
	}
	flags.Register(cmd)
	modelFlag(cmd, &m)
	choice(cmd, &m, "export")
	cmd.Flags().StringVar(&format, "format", "", "`FORMAT` of the output: onnx; required")
	cmd.Flags().StringVarP(&m.Output, "output", "o", "", "write the model to `FILE` (default standard output)")
	command.MustComplete(cmd.MarkFlagRequired("format"))
	command.MustComplete(cmd.MarkFlagFilename("output", "onnx"))
	return cmd
}

func newModelsPrune(s *program.Streams) *cobra.Command {
	return onCluster(s, models.Prune, "dry-run", "list the keys, and delete nothing", &cobra.Command{
		Use:   "prune --config FILE",
		Short: "Delete documents of an older format, and damaged keys",
		Long: `Delete what this program cannot read of the job on its model topic: documents of an older format, and
damaged keys and aliases. Nothing else is deleted. run then publishes the weights again.`,
		Example: `  fairstream models prune --config config.yaml --dry-run
  fairstream models prune --config config.yaml`,
	})
}

// releaseCommand is what one of the commands of releases is for.
type releaseCommand struct {
	action, short, long string
	version             string // usage of --version; empty: it takes none
}

var releaseCommands = []releaseCommand{
	{stream.Promote, "Make a version stable", `Make a version stable at once, whatever its evidence says. Its gates are recorded in the history.`,
		"version to make stable, as V or TERM/V (default the candidate)"},
	{stream.Rollback, "Return to an earlier stable version", `Return to an earlier version. The weights of the present stable version are barred: they never become
stable again.`, "version to return to, as V or TERM/V (default the previous stable one)"},
	{stream.Pause, "Let no version become stable by itself", `Let no candidate become stable by itself, until the command models resume ends the pause. The stable version
is still watched, and can still be withdrawn.`, ""},
	{stream.Resume, "Let versions become stable by themselves again", `Let candidates become stable by themselves again, after models pause.`, ""},
	{stream.Pin, "Keep a version stable, whatever the evidence says", `Keep a version stable, until the command models unpin ends this. No candidate replaces the pinned version, and
no evidence withdraws it.`,
		"version to keep, as V or TERM/V (default the present stable one)"},
	{stream.Unpin, "Let the stable version be replaced again", `Let the stable version be replaced and withdrawn by itself again, after models pin.`, ""},
}

func (c releaseCommand) command(s *program.Streams) *cobra.Command {
	var flags command.Config
	r := models.Release{Streams: s, Action: c.action}
	cmd := &cobra.Command{
		Use:   c.action + " --config FILE --reason TEXT",
		Short: c.short,
		Long: c.long + `

The process that owns the job makes the change. It records the actor and the reason in the history before an
alias moves. If no process owns the job, or if the owner gives no sign of life, this command claims the job,
makes the change itself, and gives the job up.`,
		Example: fmt.Sprintf("  fairstream models %s --config config.yaml --reason \"complaints from the branch in Leeds\"", c.action),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if r.Config, err = flags.Load(cmd, nil, config.Running); err != nil {
				return err
			}
			if r.Wait < time.Second || r.Wait > time.Hour {
				return fmt.Errorf("--timeout %v is outside 1s to 1h", r.Wait)
			}
			r.Said.Actor = cmp.Or(r.Said.Actor, actor())
			request := r.Request()
			if err := request.Validate(); err != nil {
				return fmt.Errorf("models %s: %w", r.Action, err)
			}
			return command.InWork(r.Run(cmd.Context()))
		},
	}
	flags.Register(cmd)
	f := cmd.Flags()
	if c.version != "" {
		f.Var(&r.Version, "version", c.version)
	}
	f.StringVar(&r.Said.Actor, "actor", "", "who asks for this, for the history of the job (default USER@HOST)")
	f.StringVar(&r.Said.Reason, "reason", "", "why, for the history of the job; required")
	f.DurationVar(&r.Wait, "timeout", time.Minute, "how long to wait for the answer")
	f.BoolVar(&r.JSON, "json", false, "print the answer as one JSON object")
	return cmd
}

// actor is who runs this program.
func actor() string {
	name := os.Getenv("USER")
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = u.Username
	}
	host, err := os.Hostname()
	switch {
	case name == "" && err != nil:
		return "unknown"
	case name == "":
		return "a user of " + host
	case err != nil:
		return name
	}
	return name + "@" + host
}
