package command

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/spelling"
)

// Group completes a command that does nothing itself and has others below it.
func Group(cmd *cobra.Command, below ...*cobra.Command) *cobra.Command {
	cmd.Args = noSuchCommand
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(below...)
	return cmd
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

// once is the value of a flag that holds a single one. A second one would replace the first without a word.
type once struct {
	pflag.Value
	given bool
}

var errTwice = errors.New("is given twice, and the first value would have no effect: remove one")

// Set is part of pflag.Value.
func (o *once) Set(text string) error {
	if o.given {
		return errTwice
	}
	o.given = true
	return o.Value.Set(text)
}

// Strict lets the flags of a command and of those below it be given once, but for lists and switches, and has commands that say nothing of arguments
// refuse them.
func Strict(cmd *cobra.Command) {
	if cmd.Args == nil {
		cmd.Args = cobra.NoArgs
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, isList := f.Value.(pflag.SliceValue); !isList && f.NoOptDefVal == "" {
			f.Value = &once{Value: f.Value}
		}
	})
	for _, below := range cmd.Commands() {
		Strict(below)
	}
}

// NoSuchFlag says of a flag that is unknown which one was probably meant or which commands have it, and of one with a bad value what it
// takes.
func NoSuchFlag(cmd *cobra.Command, err error) error {
	if bad := (*pflag.InvalidValueError)(nil); errors.As(err, &bad) {
		return badValue(bad)
	}
	unknown := (*pflag.NotExistError)(nil)
	if !errors.As(err, &unknown) {
		return err
	}
	name := unknown.GetSpecifiedName()
	flag, having := owners(cmd.Root(), name)
	if flag != nil {
		return fmt.Errorf("%s has no --%s: it is a flag of %s%s", cmd.CommandPath(), flag.Name, english.And(having), instead(cmd, flag.Name))
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Errorf("%w (did you mean --%s?)", err, near)
	}
	return err
}

// owners are the commands that have a flag of this name, or of this letter, and the flag.
func owners(cmd *cobra.Command, name string) (flag *pflag.Flag, having []string) {
	flag = cmd.Flags().Lookup(name)
	if flag == nil && len(name) == 1 {
		flag = cmd.Flags().ShorthandLookup(name)
	}
	if flag != nil {
		having = append(having, strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" "))
	}
	for _, below := range cmd.Commands() {
		f, more := owners(below, name)
		if having = append(having, more...); flag == nil {
			flag = f
		}
	}
	return flag, having
}

// instead is what to do where a command lacks a flag, as it stands behind the message.
func instead(cmd *cobra.Command, name string) string {
	switch {
	case name == "input" && (cmd.Name() == "run" || cmd.Name() == "monitor"):
		return ". This command reads the topic that topics.input names: fairstream produce --input FILE fills it from a file"
	case name == "brokers" && cmd.Flags().Lookup("set") != nil:
		return ". This command finds Kafka in the configuration: set it there, or with --set 'kafka.brokers=[\"HOST:PORT\"]'"
	}
	return ""
}

func badValue(bad *pflag.InvalidValueError) error {
	flag := bad.GetFlag()
	if errors.Is(bad, errTwice) {
		return fmt.Errorf("--%s %w", flag.Name, errTwice)
	}
	takes := map[string]string{
		"int": "a whole number, such as 7", "int64": "a whole number, such as 7", "int32": "a whole number, such as 7", "uint64": "a whole number from 0, such as 7",
		"float64": "a number with a point, such as 0.05", "duration": "a duration, such as 30s or 5m", "bool": "true or false",
	}[flag.Value.Type()]
	if takes == "" {
		return bad
	}
	return fmt.Errorf("--%s %s: give %s", flag.Name, bad.GetValue(), takes)
}

// NoArguments refuses arguments of a command that reads its files by flags.
func NoArguments(cmd *cobra.Command, args []string) error {
	err := cobra.NoArgs(cmd, args)
	if err == nil {
		return nil
	}
	if _, noNumber := strconv.ParseFloat(strings.Trim(args[0], ","), 64); noNumber == nil {
		if list := ofNumbers(cmd); list != nil {
			values := append(list.Value.(pflag.SliceValue).GetSlice(), args...)
			return fmt.Errorf("%s is not a flag: give several values of --%s with commas and without spaces, as --%[2]s %[3]s",
				args[0], list.Name, strings.ReplaceAll(strings.Join(values, ","), ",,", ","))
		}
	}
	if _, missing := os.Stat(args[0]); missing == nil {
		return fmt.Errorf("%s is not a flag: name a file of records by --input FILE, a configuration by --config FILE", args[0])
	}
	return fmt.Errorf("%s is not a flag, and %s takes nothing else: does a value with spaces need quotes?", args[0], cmd.CommandPath())
}

// ofNumbers is the flag that was given and holds several values that may be numbers; nil if there is none.
func ofNumbers(cmd *cobra.Command) (list *pflag.Flag) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "stringSlice" {
			list = f
		}
	})
	return list
}
