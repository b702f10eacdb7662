package command

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/config"
)

// Config are the flags that say where the configuration comes from.
type Config struct {
	files       []string
	assignments []string
	named       []namedFlag
	Adjust      func(*config.Config) // by flags that set no single key, before the configuration is checked
}

// namedFlag is a flag that sets one key.
type namedFlag struct {
	name, path string
	value      *string
}

// Register adds the flags to a command.
func (f *Config) Register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.files, "config", "c", nil, "configuration `FILE`, in YAML; a later file overrides an earlier one (default $"+config.FilesVariable+")")
	cmd.Flags().StringArrayVar(&f.assignments, "set", nil, "set one key of the configuration, `KEY=VALUE` as in learner.mode=paper")
	MustComplete(cmd.MarkFlagFilename("config", "yaml", "yml"))
}

// Name adds a flag of its own for a key that is set often.
func (f *Config) Name(cmd *cobra.Command, name, path, usage string) {
	value := cmd.Flags().String(name, "", usage+" ("+path+")")
	f.named = append(f.named, namedFlag{name, path, value})
}

// Given says whether a configuration file was named.
func (f *Config) Given() bool { return len(f.files) > 0 || os.Getenv(config.FilesVariable) != "" }

// Assigned says whether --set was given.
func (f *Config) Assigned() bool { return len(f.assignments) > 0 }

// Paths are the keys that --set was given.
func (f *Config) Paths() (paths []string) {
	for _, assignment := range f.assignments {
		if path, _, err := assigned(assignment); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// Files are the files that the configuration came from.
func (f *Config) Files() []string {
	if len(f.files) > 0 {
		return f.files
	}
	if names := os.Getenv(config.FilesVariable); names != "" {
		return strings.Split(names, ",")
	}
	return nil
}

// Load reads the configuration from base (nil: the defaults), files, variables and flags.
func (f *Config) Load(cmd *cobra.Command, base *config.Config, purpose config.Purpose) (*config.Loaded, error) {
	return f.LoadFiles(cmd, base, f.files, purpose)
}

// LoadFiles is Load with other files than those that were named.
func (f *Config) LoadFiles(cmd *cobra.Command, base *config.Config, files []string, purpose config.Purpose) (*config.Loaded, error) {
	for i, file := range files {
		if slices.Contains(files[:i], file) {
			return nil, fmt.Errorf("--config %s: the file is named twice: remove one, since a later file overrides an earlier one", file)
		}
	}
	sources := config.Sources{Base: base, Files: files, Environment: os.Environ(), Adjust: f.Adjust}
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
	if err != nil && base == nil && !f.Given() {
		err = fmt.Errorf("no configuration file was named: give --config FILE or set %s; fairstream init writes one\n%w", config.FilesVariable, err)
	}
	return loaded, err
}

// MustComplete panics on an error of setting up a flag: it was given a name that is not there.
func MustComplete(err error) {
	if err != nil {
		panic("fairstream: " + err.Error())
	}
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

// settingsShown are the sections whose settings decide what is learnt, and from what.
var settingsShown = []string{"record.features", "record.ignore", "record.renamed", "record.missing", "record.weight", "record.propensity", "record.key", "record.unlabelled", "learner", "evaluation", "stream.labels", "monitor"}

// mostOfSetting is how many characters of a value are shown.
const mostOfSetting = 120

// Settings lists in words which of these are not the defaults.
func Settings(c config.Config) (settings []string) {
	for _, s := range c.Changed(settingsShown...) {
		words := s.Path + " " + english.Clipped(s.Value, mostOfSetting)
		if s.Default != "" {
			words += " (by default " + english.Clipped(s.Default, mostOfSetting) + ")"
		}
		settings = append(settings, words)
	}
	return settings
}
