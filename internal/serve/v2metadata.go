package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
)

// tensorMetadata describes a tensor to a client.
type tensorMetadata struct {
	Name       string            `json:"name"`
	Datatype   string            `json:"datatype"`
	Shape      []int             `json:"shape"`
	Parameters map[string]string `json:"parameters,omitempty"`
}

// metadata is what the protocol needs to know of a document.
type metadata struct {
	name    string
	model   *follow.Model
	inputs  map[string]document.Input
	ignored []string // fields that are not read, and what is below them
	listed  []tensorMetadata
	outputs []tensorMetadata
}

// missingValues says how a value is left out.
const missingValues = "a value is missing where it is null, NaN or the empty text, and where the input is left out"

// describe returns the metadata of the document that decides, which are kept until there is another one.
func (s *Service) describe() (*metadata, error) {
	model, shadow := s.o.Models.Current(), s.o.Shadow.Current()
	if model == nil {
		return nil, errNoDocument
	}
	if kept := s.described.Load(); kept != nil && kept.model == model {
		return kept, nil
	}
	inputs, err := model.Document.Inputs()
	if err != nil {
		return nil, err
	}
	m := &metadata{name: s.o.Job, model: model, inputs: map[string]document.Input{}}
	for _, in := range inputs {
		m.inputs[in.Name] = in
		described := tensorMetadata{Name: in.Name, Datatype: typeOf(in), Shape: []int{-1}, Parameters: map[string]string{"missing": missingValues}}
		if !in.Feature {
			described.Parameters["use"] = "decides nothing"
		}
		m.listed = append(m.listed, described)
	}
	config := &model.Document.Config.Record
	m.ignored = append(append(m.ignored, config.Ignore...), config.Label.Field)
	add := func(name, datatype string) {
		m.outputs = append(m.outputs, tensorMetadata{Name: name, Datatype: datatype, Shape: []int{-1}})
	}
	add("score", "FP64")
	add("margin", "FP64")
	if model.Document.Task == document.Classification {
		add("decision", "INT64")
		if model.Document.Probability != nil && (shadow == nil || shadow.Document.Probability != nil) {
			add("probability", "FP64")
		}
	}
	if s.o.Explore > 0 {
		add("explored", "INT64")
		add("propensity", "FP64")
	}
	add("version", "INT64")
	add("term", "INT64")
	add("alias", "BYTES")
	if shadow == nil { // else the outputs depend on it, too
		s.described.Store(m)
	}
	return m, nil
}

// typeOf is the datatype that suits a field best; accepts says what else is understood.
func typeOf(in document.Input) string {
	if in.Numbers && in.Feature && !in.Booleans {
		return "FP64"
	}
	return "BYTES"
}

// ignores says whether a field is known and not read.
func (m *metadata) ignores(name string) bool {
	for _, field := range m.ignored {
		if field != "" && (name == field || strings.HasPrefix(name, field+".")) {
			return true
		}
	}
	return false
}

// server answers GET /v2.
func (s *Service) server(w http.ResponseWriter, _ *http.Request) error {
	return answerJSON(w, map[string]any{"name": "fairstream", "version": s.o.Program, "extensions": []string{"binary_tensor_data"}})
}

// model answers GET /v2/models/NAME, with or without a version.
func (s *Service) model(w http.ResponseWriter, r *http.Request) error {
	m, _, err := s.named(r)
	if err != nil {
		return err
	}
	return answerJSON(w, map[string]any{"name": m.name, "versions": []string{strconv.FormatInt(m.model.Version, 10)}, "platform": "fairstream",
		"inputs": m.listed, "outputs": m.outputs})
}

// modelReady answers GET /v2/models/NAME/ready.
func (s *Service) modelReady(_ http.ResponseWriter, r *http.Request) error {
	_, _, err := s.named(r)
	return err
}

// named gives the model that a path names, and the version; 0: none is named.
func (s *Service) named(r *http.Request) (m *metadata, version int64, err error) {
	if name := r.PathValue("model"); name != s.o.Job {
		return nil, 0, &refusal{http.StatusNotFound, fmt.Sprintf("model %q is not served: the model is %q", name, s.o.Job)}
	}
	if m, err = s.describe(); err != nil {
		return nil, 0, err
	}
	text := r.PathValue("version")
	if text == "" {
		return m, 0, nil
	}
	version, err = strconv.ParseInt(text, 10, 64)
	if err != nil || version != m.model.Version {
		return nil, 0, unserved(text, m.model.Version)
	}
	return m, version, nil
}

// unserved is the error of a request for another version.
func unserved(wanted string, version int64) error {
	return &refusal{http.StatusNotFound, fmt.Sprintf("version %q is not served: version %d is", wanted, version)}
}

func answerJSON(w http.ResponseWriter, content any) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // whoever asked has gone
	return nil
}
