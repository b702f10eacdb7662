package command

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/config"
)

// run runs a command with flags of most kinds, and gives what was read.
func run(t *testing.T, args ...string) (loaded *config.Loaded, list []string, err error) {
	t.Helper()
	var flags Config
	root := &cobra.Command{Use: "fairstream", SilenceErrors: true, SilenceUsage: true, Args: noSuchCommand, RunE: func(*cobra.Command, []string) error { return nil }}
	cmd := &cobra.Command{Use: "work", Args: NoArguments, RunE: func(cmd *cobra.Command, _ []string) error {
		var err error
		loaded, err = flags.Load(cmd, nil, config.Learning)
		return err
	}}
	flags.Register(cmd)
	flags.Name(cmd, "mode", "learner.mode", "a mode")
	cmd.Flags().StringSliceVar(&list, "tau", nil, "bounds")
	cmd.Flags().Int("count", 0, "a number")
	cmd.Flags().Duration("wait", 0, "a time")
	cmd.Flags().Bool("json", false, "a switch")
	root.AddCommand(cmd, &cobra.Command{Use: "other", RunE: func(*cobra.Command, []string) error { return nil }})
	root.SetFlagErrorFunc(NoSuchFlag)
	Strict(cmd)
	root.SetArgs(args)
	return loaded, list, root.ExecuteContext(t.Context())
}

func TestMistakesOnTheCommandLine(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(config.FilesVariable, "")
	for name, text := range map[string]string{"c.yaml": "record: {label: {field: y, positive: 1}}\n", "a.csv": "x\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"work -c c.yaml": "",
		"work -c c.yaml --json --json --tau 1 --tau 2":        "",
		"work -c c.yaml -c c.yaml":                            "--config c.yaml: the file is named twice",
		"work":                                                "no configuration file was named: give --config FILE or set " + config.FilesVariable,
		"work -c c.yaml --count 1 --count 2":                  "--count is given twice, and the first value would have no effect",
		"work -c c.yaml --count x":                            "--count x: give a whole number, such as 7",
		"work -c c.yaml --wait 3":                             "--wait 3: give a duration, such as 30s or 5m",
		"work -c c.yaml --cuont 3":                            "unknown flag: --cuont (did you mean --count?)",
		"work -c c.yaml --zzzzzz 3":                           "unknown flag: --zzzzzz",
		"other -c c.yaml":                                     "fairstream other has no --config: it is a flag of work",
		"other --mode x":                                      "fairstream other has no --mode: it is a flag of work",
		"work -c c.yaml --count":                              "flag needs an argument",
		"worf":                                                `unknown command "worf" for "fairstream" (did you mean "work"?)`,
		"work -c c.yaml --tau .1, .2":                         ".2 is not a flag: give several values of --tau with commas and without spaces, as --tau .1,.2",
		"work -c c.yaml .2":                                   ".2 is not a flag, and fairstream work takes nothing else: does a value with spaces need quotes?",
		"work -c c.yaml a.csv":                                "a.csv is not a flag: name a file of records by --input FILE, a configuration by --config FILE",
		"work -c c.yaml none.csv":                             "none.csv is not a flag, and fairstream work takes nothing else",
		"work -c c.yaml --set learner.modepaper":              "--set learner.mode: write KEY=VALUE, with an equals sign",
		"work -c c.yaml --set secret":                         "--set: write KEY=VALUE, with an equals sign",
		"work -c c.yaml --mode fast":                          "learner.mode",
		"work -c c.yaml --set learner.mode=unconstrained":     "",
		"work -c c.yaml --set learner.mode=x --mode adaptive": "",
	} {
		_, _, err := run(t, strings.Fields(args)...)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	if loaded, _, err := run(t, "work", "-c", "c.yaml", "--set", "learner.window=4321", "--set", "learner.mode=unconstrained", "--mode", "adaptive"); err != nil || loaded.Learner.Window != 4321 || loaded.Learner.Mode != "adaptive" {
		t.Errorf("keys that are set, and a flag of its own: %v", err)
	}
	if loaded, _, err := run(t, "work", "-c", "c.yaml", "--mode", "unconstrained"); err != nil || loaded.Learner.Mode != "unconstrained" {
		t.Errorf("%v", err)
	}
}

func TestWhereTheConfigurationIs(t *testing.T) {
	t.Setenv(config.FilesVariable, "")
	var c Config
	if c.Given() || c.Files() != nil || c.Assigned() {
		t.Errorf("nothing is given: %v %v", c.Files(), c.Assigned())
	}
	t.Setenv(config.FilesVariable, "a.yaml,b.yaml")
	if files := c.Files(); !c.Given() || len(files) != 2 || files[1] != "b.yaml" {
		t.Errorf("%v", files)
	}
	c.files, c.assignments = []string{"c.yaml"}, []string{"a=b"}
	if files := c.Files(); !c.Given() || len(files) != 1 || !c.Assigned() {
		t.Errorf("%v", files)
	}
}

// TestInWork: an error of the work is told from one of the command line, and none stays none.
func TestInWork(t *testing.T) {
	inner := errors.New("x")
	if err := InWork(inner); !errors.Is(err, inner) || err.Error() != "x" {
		t.Errorf("%v", err)
	}
	if err := InWork(nil); err != nil {
		t.Errorf("%v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a flag that is not there is completed")
		}
	}()
	MustComplete(nil)
	MustComplete(inner)
}

// TestSurplusArguments: a command that says nothing of arguments refuses them, and one that takes some gets them.
func TestSurplusArguments(t *testing.T) {
	for use, takes := range map[string]cobra.PositionalArgs{"none": nil, "one": cobra.MaximumNArgs(1)} {
		cmd := &cobra.Command{Use: use, Args: takes, SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error { return nil }}
		Strict(cmd)
		cmd.SetArgs([]string{"surplus"})
		if err := cmd.Execute(); (err != nil) != (takes == nil) {
			t.Errorf("%s: %v", use, err)
		}
	}
}
