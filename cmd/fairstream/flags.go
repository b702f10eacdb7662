package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/spelling"
)

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

// giveOnce lets the flags of a command and of those below it be given once, but for lists and switches.
func giveOnce(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, isList := f.Value.(pflag.SliceValue); !isList && f.NoOptDefVal == "" {
			f.Value = &once{Value: f.Value}
		}
	})
	for _, below := range cmd.Commands() {
		giveOnce(below)
	}
}

// noSuchFlag says of a flag that is unknown which one was probably meant, and of one with a bad value what it takes.
func noSuchFlag(cmd *cobra.Command, err error) error {
	if bad := (*pflag.InvalidValueError)(nil); errors.As(err, &bad) {
		return badValue(bad)
	}
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Errorf("%w (did you mean --%s?)", err, near)
	}
	return err
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

// noArguments refuses arguments of a command that reads its files by flags.
func noArguments(cmd *cobra.Command, args []string) error {
	err := cobra.NoArgs(cmd, args)
	if err == nil {
		return nil
	}
	if _, noNumber := strconv.ParseFloat(strings.Trim(args[0], ","), 64); noNumber == nil {
		if list := ofNumbers(cmd); list != nil {
			values := append(list.Value.(pflag.SliceValue).GetSlice(), args...)
			return fmt.Errorf("%s is no flag: give several values of --%s with commas and without spaces, as --%[2]s %[3]s",
				args[0], list.Name, strings.ReplaceAll(strings.Join(values, ","), ",,", ","))
		}
	}
	if _, missing := os.Stat(args[0]); missing == nil {
		return fmt.Errorf("%s is no flag: name a file of records by --input FILE, a configuration by --config FILE", args[0])
	}
	return fmt.Errorf("%s is no flag, and %s takes nothing else: does a value with spaces need quotes?", args[0], cmd.CommandPath())
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

// assigned is KEY=VALUE of --set. Without an equals sign the value cannot be told from the key, and may be a secret: only
// the key is shown, if it is one.
func assigned(text string) (path, value string, err error) {
	path, value, found := strings.Cut(text, "=")
	if found {
		return path, value, nil
	}
	known := ""
	for _, key := range config.Keys() {
		if strings.HasPrefix(text, key.Path) && len(key.Path) > len(known) {
			known = key.Path
		}
	}
	return "", "", errors.New(strings.TrimRight("--set "+known, " ") + ": write KEY=VALUE, with an equals sign")
}
