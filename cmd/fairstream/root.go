package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

// newRoot returns the command with all its subcommands.
func newRoot(s *program.Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "fairstream",
		Short: "Learn fair classifiers from streams of labelled records",
		Long: `fairstream learns a linear classifier in one pass over labelled records and keeps the
difference of its positive rates between groups within a bound, tau.`,
		Example: `  fairstream demo
  fairstream replay --input adult
  fairstream replay --input adult --tau 0.02,0.05,0.10
  fairstream replay --config config.yaml --input train.csv --holdout test.csv`,
		Version:       program.Version(),
		Args:          noSuchCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(noSuchFlag)
	root.AddCommand(
		newDemo(s),
		newInit(s),
		newCheck(s),
		newReplay(s),
		newRun(s),
		newMonitor(s),
		newBroker(s),
		newTopics(s),
		newProduce(s),
		newModels(s),
		newScore(s),
		newState(s),
		newDeadLetters(s),
		newAudit(s),
		newPlan(s),
		newKeys(s),
		newHealth(s),
		newConfig(s),
		newVersion(s),
	)
	giveOnce(root)
	return root
}

// noSuchCommand refuses the arguments of a command that has subcommands: they are the name of none.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), english.DidYouMean(args[0], names))
}

// configFlags are the flags that say where the configuration comes from.
type configFlags struct {
	files       []string
	assignments []string
	named       []namedFlag
	adjust      func(*config.Config) // by flags that set no single key, before the configuration is checked
}

// namedFlag is a flag that sets one key.
type namedFlag struct {
	name, path string
	value      *string
}

func (f *configFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.files, "config", "c", nil, "configuration `FILE`, in YAML; a later one wins (default $"+config.FilesVariable+")")
	cmd.Flags().StringArrayVar(&f.assignments, "set", nil, "set one key of the configuration, `KEY=VALUE` as in learner.mode=paper")
	mustComplete(cmd.MarkFlagFilename("config", "yaml", "yml"))
}

// name adds a flag of its own for a key that is set often.
func (f *configFlags) name(cmd *cobra.Command, name, path, usage string) {
	value := cmd.Flags().String(name, "", usage+" ("+path+")")
	f.named = append(f.named, namedFlag{name, path, value})
}

// given says whether a configuration file was named.
func (f *configFlags) given() bool { return len(f.files) > 0 || os.Getenv(config.FilesVariable) != "" }

// load reads the configuration from base (nil: the defaults), files, variables and flags.
func (f *configFlags) load(cmd *cobra.Command, base *config.Config, purpose config.Purpose) (*config.Loaded, error) {
	for i, file := range f.files {
		if slices.Contains(f.files[:i], file) {
			return nil, fmt.Errorf("--config %s: the file is named twice: remove one, since a later file wins over an earlier one", file)
		}
	}
	sources := config.Sources{Base: base, Files: f.files, Environment: os.Environ(), Adjust: f.adjust}
	for _, assignment := range f.assignments {
		path, value, err := assigned(assignment)
		if err != nil {
			return nil, err
		}
		sources.Flags = append(sources.Flags, config.Assignment{Flag: "--set", Path: path, Value: value})
	}
	for _, flag := range f.named {
		if cmd.Flags().Changed(flag.name) {
			sources.Flags = append(sources.Flags, config.Assignment{Flag: "--" + flag.name, Path: flag.path, Value: *flag.value})
		}
	}
	loaded, err := config.Load(sources, purpose)
	if err != nil && base == nil && !f.given() {
		err = fmt.Errorf("no configuration file was named: give --config FILE or set %s; fairstream init writes one\n%w", config.FilesVariable, err)
	}
	return loaded, err
}

// mustComplete panics on an error of setting up a flag: it was given a name that is not there.
func mustComplete(err error) {
	if err != nil {
		panic("fairstream: " + err.Error())
	}
}
