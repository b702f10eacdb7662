package manual

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
)

// Command is one command of the program.
type Command struct {
	Path     []string // fairstream, models, show
	Long     string   // what it does, in paragraphs
	Sections []Section
	names    []string // of its subcommands
}

// Section is a part of the help: Usage, Examples, Available Commands or Flags, with its lines as they are.
type Section struct{ Title, Text string }

// Name is the command as it is typed.
func (c Command) Name() string { return strings.Join(c.Path, " ") }

// Commands returns the command itself and all below it, each before those below it.
func Commands(program string) ([]Command, error) { return below(program, []string{"fairstream"}) }

func below(program string, path []string) ([]Command, error) {
	var said bytes.Buffer
	command := exec.Command(program, append(path[1:len(path):len(path)], "--help")...)
	command.Stderr = &said
	help, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s --help: %w: %s", strings.Join(path, " "), err, said.Bytes())
	}
	c := parse(path, string(help))
	commands := []Command{c}
	for _, name := range c.names {
		if name == "help" || name == "completion" {
			continue // cobra's own
		}
		more, err := below(program, append(path[:len(path):len(path)], name))
		if err != nil {
			return nil, err
		}
		commands = append(commands, more...)
	}
	return commands, nil
}

// parse divides a help at its titles: lines that are not indented, end with a colon, and begin a part of cobra's layout.
func parse(path []string, help string) Command {
	titles := map[string]bool{"Usage:": true, "Examples:": true, "Available Commands:": true, "Flags:": true, "Global Flags:": true}
	c := Command{Path: path}
	for line := range strings.Lines(help) {
		word := strings.TrimSuffix(line, "\n")
		switch {
		case titles[word]:
			c.Sections = append(c.Sections, Section{Title: strings.TrimSuffix(word, ":")})
		case len(c.Sections) == 0:
			c.Long += line
		case strings.HasPrefix(line, `Use "`):
		default:
			s := &c.Sections[len(c.Sections)-1]
			s.Text += line
			if fields := strings.Fields(line); s.Title == "Available Commands" && len(fields) > 0 {
				c.names = append(c.names, fields[0])
			}
		}
	}
	c.Long = strings.TrimSpace(c.Long)
	for i, s := range c.Sections {
		c.Sections[i].Text = strings.Trim(s.Text, "\n") + "\n"
	}
	return c
}
