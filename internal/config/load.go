package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Sources are where the values of a configuration come from, the later ones winning.
type Sources struct {
	// Base is what the sources are put on; nil stands for Default.
	Base *Config
	// Files are paths of YAML files, in order.
	Files []string
	// Text is YAML that comes before the files.
	Text []byte
	// Environment is that of the process, as from os.Environ.
	Environment []string
	// Flags are values from the command line, in order.
	Flags []Assignment
	// Adjust makes the last changes before the check, those of flags that set no single key; nil makes none.
	Adjust func(*Config)
}

// Loaded is a checked configuration that knows where its values come from.
type Loaded struct {
	Config
	origins map[string]string
}

// Load reads the sources, fills in defaults and checks that the result is good for purpose. The error
// is Problems.
func Load(sources Sources, purpose Purpose) (*Loaded, error) {
	config := Default()
	if sources.Base != nil {
		config = *sources.Base
	}
	d := decoder{origins: map[string]string{}}
	d.read(&config, sources)
	loaded := &Loaded{Config: config.WithDefaults(), origins: d.origins}
	if sources.Adjust != nil {
		sources.Adjust(&loaded.Config)
	}
	if purpose == AsWritten {
		purpose = loaded.written()
	}
	problems := d.problems
	if !d.unread {
		problems = append(problems, loaded.validate(purpose, problems)...)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return loaded, nil
}

// read puts the sources onto config.
func (d *decoder) read(config *Config, sources Sources) {
	root := reflect.ValueOf(config).Elem()
	files := sources.Files
	if len(files) == 0 {
		files = filesOf(sources.Environment)
	}
	if sources.Text != nil {
		d.stage(config, func() { d.setYAML(root, "the configuration", sources.Text) })
	}
	for _, file := range files {
		d.stage(config, func() { d.setFile(root, file) })
	}
	d.stage(config, func() { d.setVariables(root, sources.Environment) })
	d.stage(config, func() {
		for _, flag := range sources.Flags {
			d.from(flag.Flag, func() { d.assign(root, flag.Path, flag.Value) })
		}
	})
}

func filesOf(environment []string) []string {
	for _, entry := range environment {
		if names, found := strings.CutPrefix(entry, FilesVariable+"="); found && names != "" {
			return strings.Split(names, ",")
		}
	}
	return nil
}

func (d *decoder) setFile(root reflect.Value, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		d.source = func(*yaml.Node) string { return file }
		d.unread = true
		d.problem(nil, "", "cannot be read: %v", reasonOf(err))
		return
	}
	d.setYAML(root, file, data)
}

func (d *decoder) setYAML(root reflect.Value, name string, data []byte) {
	d.source = func(node *yaml.Node) string {
		if node == nil || node.Line == 0 {
			return name
		}
		return fmt.Sprintf("%s:%d", name, node.Line)
	}
	var document yaml.Node
	if err := yaml.Load(data, &document); err != nil {
		d.unread = true
		if strings.Contains(err.Error(), "expected single document") {
			d.problem(nil, "", "holds several YAML documents, each after a line ---: keep one, or write each to a file of its own and name all with --config")
			return
		}
		d.problem(nil, "", "is not YAML: %s%s", yamlMessage(err), tabHint(data, err))
		return
	}
	d.set(document.Content[0], root, "")
}

// reasonOf is an error of the file system without the path, which stands before it already.
func reasonOf(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// secretUnread is why a file that holds a secret cannot be read. It leaves the path out, because some write the secret there.
func secretUnread(err error) error {
	return fmt.Errorf("cannot be read: %w: give the path of a file that holds it", reasonOf(err))
}

// yamlMessage is a syntax error in the library's words, without the library's name.
func yamlMessage(err error) string {
	var syntax *yaml.LoadError
	if errors.As(err, &syntax) && syntax.Mark.Line > 0 {
		return fmt.Sprintf("line %d: %s", syntax.Mark.Line, syntax.Message)
	}
	const name = "yaml: "
	message := err.Error()
	if at := strings.LastIndex(message, name); at >= 0 {
		message = message[at+len(name):]
	}
	return message
}

// tabHint is a hint where the line of a syntax error is indented with a tab, which YAML forbids.
func tabHint(data []byte, err error) string {
	var syntax *yaml.LoadError
	if !errors.As(err, &syntax) {
		return ""
	}
	lines := bytes.Split(data, []byte("\n"))
	for _, at := range []int{syntax.Mark.Line - 1, syntax.Mark.Line} {
		if at < 0 || at >= len(lines) {
			continue
		}
		if indent := lines[at][:len(lines[at])-len(bytes.TrimLeft(lines[at], " \t"))]; bytes.Contains(indent, []byte("\t")) {
			return fmt.Sprintf(": line %d is indented with a tab; use spaces", at+1)
		}
	}
	return ""
}

// from names the source of what set sets.
func (d *decoder) from(source string, set func()) {
	d.source = func(*yaml.Node) string { return source }
	set()
}

// secretWays are keys of which one is to be set: the password itself, and two places to find it in.
var secretWays = []string{"kafka.sasl.password", "kafka.sasl.password_file", "kafka.sasl.password_env"}

// stage lets one source set values. When it gives a secret in one way, the ways of earlier sources
// are forgotten: a variable replaces the file's password_file. Two ways in one source stay, to be
// reported.
func (d *decoder) stage(config *Config, set func()) {
	earlier := d.origins
	d.origins = map[string]string{}
	set()
	again := slices.ContainsFunc(secretWays, func(way string) bool { return d.origins[way] != "" })
	if again {
		for way, value := range map[string]reflect.Value{
			secretWays[0]: reflect.ValueOf(&config.Kafka.SASLPassword),
			secretWays[1]: reflect.ValueOf(&config.Kafka.SASLPasswordFile),
			secretWays[2]: reflect.ValueOf(&config.Kafka.SASLPasswordEnv),
		} {
			if d.origins[way] == "" {
				value.Elem().SetZero()
				delete(earlier, way)
			}
		}
	}
	for path, origin := range earlier {
		if d.origins[path] == "" {
			d.origins[path] = origin
		}
	}
}

// validate checks the values. Keys that are known to be wrong hold their defaults, and to check those
// would raise false alarms.
func (l *Loaded) validate(purpose Purpose, known Problems) Problems {
	var problems Problems
	for _, problem := range l.Validate(purpose) {
		if !slices.ContainsFunc(known, func(k Problem) bool { return covers(k.Path, problem.Path) }) {
			problems = append(problems, Problem{Source: l.Origin(problem.Path), Path: problem.Path, Message: problem.Message})
		}
	}
	return problems
}

func covers(path, below string) bool {
	return path == below || strings.HasPrefix(below, path+".") || strings.HasPrefix(below, path+"[")
}

// Origin says where the value of path was set, or the section around it; it is empty for a default.
func (l *Loaded) Origin(path string) string {
	for path != "" {
		if origin := l.origins[path]; origin != "" {
			return origin
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return ""
}

// IsSet says whether some source set path or a key below it.
func (l *Loaded) IsSet(path string) bool {
	for set := range l.origins {
		if covers(path, set) {
			return true
		}
	}
	return false
}

// written is the purpose that the sections tell of.
func (l *Loaded) written() Purpose {
	if len(l.Monitor.Fields()) > 0 {
		return Monitoring
	}
	if l.IsSet("kafka") || l.IsSet("topics") {
		return Streaming
	}
	return Learning
}
