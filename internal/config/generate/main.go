// Command generate writes the JSON schema of the configuration, with the comments of the Go fields as
// descriptions. It is run by go generate in internal/config.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate FILE, in internal/config")
		os.Exit(2)
	}
	text, err := generate("../..")
	if err == nil {
		err = os.WriteFile(os.Args[1], text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const module = "github.com/fairstream/fairstream"

// documented are the directories whose comments describe keys.
var documented = []string{"internal/config", "internal/format/registry", "internal/intake", "internal/observe", "pkg/features", "pkg/kafka", "pkg/model", "pkg/record", "pkg/release", "pkg/stream"}

// generate returns the schema, given the path of the module.
func generate(root string) ([]byte, error) {
	reflector := jsonschema.Reflector{
		FieldNameTag:               "yaml",
		RequiredFromJSONSchemaTags: true,
		DoNotReference:             true,
		Anonymous:                  true,
		Mapper:                     special,
	}
	if err := addComments(&reflector, root); err != nil {
		return nil, err
	}
	schema := reflector.Reflect(config.Config{})
	schema.ID = "https://" + module + "/config.schema.json"
	schema.Title = "fairstream configuration"
	text, err := json.MarshalIndent(schema, "", "  ")
	return append(text, '\n'), err
}

// addComments reads the comments of the documented packages. The library takes paths relative to the
// working directory as import paths, so it has to stand in the root of the module.
func addComments(reflector *jsonschema.Reflector, root string) error {
	back, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	for _, directory := range documented {
		if err := reflector.AddGoComments(module, directory, jsonschema.WithFullComment()); err != nil {
			return err
		}
	}
	for name, comment := range reflector.CommentMap {
		reflector.CommentMap[name] = describe(strings.Join(strings.Fields(comment), " "))
	}
	return os.Chdir(back)
}

// goName is how a comment in Go begins, with the name of a field or a type that the key replaces.
var goName = regexp.MustCompile(`^[A-Z]\w* (is|are) `)

// describe makes a comment in Go the description of a key: without the Go name, and with a capital letter.
func describe(comment string) string {
	text := goName.ReplaceAllString(comment, "")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// special describes the types that are not written as their Go kind says.
func special(t reflect.Type) *jsonschema.Schema {
	text := &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}}}
	switch t {
	case reflect.TypeFor[record.Text]():
		return text
	case reflect.TypeFor[model.OneOrMore]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{text, {Type: "array", Items: text}}}
	case reflect.TypeFor[model.Group]():
		one := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{text, {Type: "array", Items: text}, rangeOfNumbers()}}
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{text, rangeOfNumbers(), {Type: "array", Items: one}}}
	case reflect.TypeFor[time.Duration]():
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`}
	case reflect.TypeFor[kafka.Secret]():
		return &jsonschema.Schema{Type: "string", WriteOnly: true}
	case reflect.TypeFor[model.Mode]():
		return enum(model.Adaptive, model.Paper, model.Unconstrained)
	case reflect.TypeFor[features.ColumnType]():
		return enum(features.Numeric, features.Categorical)
	case reflect.TypeFor[features.Encoding]():
		return enum(features.Bins, features.PiecewiseLinear, features.Standardized)
	case reflect.TypeFor[record.TimeFormat]():
		return enum(record.RFC3339, record.UnixTime, record.UnixMilli)
	case reflect.TypeFor[fairness.Criterion]():
		return enum(fairness.Criteria()...)
	case reflect.TypeFor[surrogate.Name]():
		return enum(surrogate.Names()...)
	case reflect.TypeFor[kafka.LossPolicy]():
		return enum(kafka.LossPolicies...)
	case reflect.TypeFor[config.Management]():
		return enum(config.CreateTopics, config.VerifyTopics)
	case reflect.TypeFor[config.Format]():
		return enum(config.JSON, config.Console)
	case reflect.TypeFor[config.Level]():
		return enum(config.Debug, config.Info, config.Warn, config.Error)
	}
	return nil
}

// rangeOfNumbers describes {from: 40, below: 65}, of which one key may be absent.
func rangeOfNumbers() *jsonschema.Schema {
	ends := jsonschema.NewProperties()
	ends.Set("from", &jsonschema.Schema{Type: "number"})
	ends.Set("below", &jsonschema.Schema{Type: "number"})
	one := uint64(1)
	return &jsonschema.Schema{Type: "object", Properties: ends, AdditionalProperties: jsonschema.FalseSchema, MinProperties: &one}
}

func enum[T ~string](names ...T) *jsonschema.Schema {
	schema := &jsonschema.Schema{Type: "string"}
	for _, name := range names {
		schema.Enum = append(schema.Enum, string(name))
	}
	return schema
}
