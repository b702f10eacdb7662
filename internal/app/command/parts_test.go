package command

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/config"
)

// TestGroupsOfCommands show what is below them, and refuse other names.
func TestGroupsOfCommands(t *testing.T) {
	called := ""
	below := &cobra.Command{Use: "list", Short: "lists them", RunE: func(cmd *cobra.Command, _ []string) error { called = cmd.Name(); return nil }}
	var said Said
	said.Register(below)
	root := Group(&cobra.Command{Use: "models", SilenceUsage: true, SilenceErrors: true}, below)
	Strict(root)
	run := func(args ...string) (string, error) {
		var out strings.Builder
		root.SetOut(&out)
		root.SetArgs(args)
		err := root.Execute()
		return out.String(), err
	}
	if help, err := run(); err != nil || !strings.Contains(help, "lists them") {
		t.Errorf("%s, %v", help, err)
	}
	if _, err := run("list", "--actor", "maria", "--reason", "a test"); err != nil || called != "list" || said.Actor != "maria" || said.Reason != "a test" {
		t.Errorf("%q was called for %+v: %v", called, said, err)
	}
	if _, err := run("lst"); err == nil || err.Error() != `unknown command "lst" for "models" (did you mean "list"?)` {
		t.Errorf("%v", err)
	}
	if _, err := run("list", "more"); err == nil {
		t.Error("a surplus argument is taken")
	}
	if err := noSuchCommand(root, nil); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{"run": "fairstream produce", "monitor": "fairstream produce", "check": ""} {
		if got := instead(&cobra.Command{Use: name}, "input"); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("--input of %s: %q", name, got)
		}
		if got := instead(&cobra.Command{Use: name}, "format"); got != "" {
			t.Errorf("--format of %s: %q", name, got)
		}
	}
	configured := &cobra.Command{Use: "run"}
	configured.Flags().String("set", "", "")
	if with, without := instead(configured, "brokers"), instead(&cobra.Command{Use: "run"}, "brokers"); !strings.Contains(with, "kafka.brokers") || without != "" {
		t.Errorf("%q and %q", with, without)
	}
}

// TestSettingsInWords: those that are not the defaults, with these where there are any; and the keys of --set, none of which shows a value.
func TestSettingsInWords(t *testing.T) {
	c := config.Default()
	if got := Settings(c); got != nil {
		t.Errorf("of the defaults: %q", got)
	}
	c.Record.Key, c.Learner.Warmup = "id", 123
	got := Settings(c)
	if len(got) != 2 || !slices.Contains(got, "record.key id") || !slices.ContainsFunc(got, func(words string) bool {
		return strings.HasPrefix(words, "learner.warmup 123 (by default ") && strings.HasSuffix(words, ")")
	}) {
		t.Errorf("%q", got)
	}
	f := Config{assignments: []string{"learner.warmup=7", "kafka.sasl.passwordsecret", "a=b=c"}}
	if got := f.Paths(); !slices.Equal(got, []string{"learner.warmup", "a"}) || !f.Assigned() || new(Config).Assigned() {
		t.Errorf("%q", got)
	}
	for text, want := range map[string]string{"learner.warmup7": "--set learner.warmup: write KEY=VALUE", "x": "--set: write KEY=VALUE", "learner.warmup": "--set learner.warmup: write KEY=VALUE"} {
		if _, _, err := assigned(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
