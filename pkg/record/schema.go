package record

import (
	"errors"
	"fmt"
	"slices"
)

// Schema is a checked [Config] together with the attributes that the constraints name. It is
// immutable but for its Names, and may be shared by any number of goroutines.
type Schema struct {
	config        Config
	attributes    []string
	protected     int // the first so many attributes
	names         *Names
	missing       missingTexts
	labelOptional bool
	parts         bool // a record may lack any of its parts, as one that is scored, or joined with its label by a key
	scored        bool
	at            At
	path          []string // of at in JSON, and
	within        []string // in what is walked over
	cluster       string
	identifier    string // beside that of config
	groups        map[string][]string
}

// NewSchema checks config, with defaults filled in, and joins it with the attributes of the
// constraints: dotted paths without repetition, whose order is that of Record.Attributes. strata
// are further such paths, which come last there and are features unless they have another role.
// The error joins a [Problem] for everything that is wrong.
func NewSchema(config Config, attributes []string, strata ...string) (*Schema, error) {
	config = config.WithDefaults()
	protected := len(attributes)
	attributes = slices.Concat(attributes, strata)
	var problems []error
	for _, problem := range config.Validate(attributes) {
		problems = append(problems, problem)
	}
	for i, attribute := range attributes {
		if slices.Contains(attributes[:i], attribute) {
			problems = append(problems, fmt.Errorf("record: attribute %q given twice", attribute))
		}
	}
	if problems != nil {
		return nil, errors.Join(problems...)
	}
	return &Schema{
		config:        config,
		attributes:    attributes,
		protected:     protected,
		names:         NewNames(),
		missing:       newMissingTexts(config.Missing),
		labelOptional: config.Key != "" || config.Counts(),
		parts:         config.Key != "",
		at:            config.At,
		path:          config.At.path(),
		within:        config.At.within(),
	}, nil
}

// LabelOptional returns a schema that shares everything with s and takes records without a label
// (HasLabel is then false), as scoring needs. A schema with a join key takes them anyway.
func (s *Schema) LabelOptional() *Schema {
	optional := *s
	optional.labelOptional, optional.parts = true, true
	return &optional
}

// Scored is LabelOptional for records that are only scored: a writer's schema fits even if it has neither the label nor the attributes.
func (s *Schema) Scored() *Schema {
	scored := s.LabelOptional()
	scored.scored = true
	return scored
}

// OnlyScored says whether records are only scored: see Scored.
func (s *Schema) OnlyScored() bool { return s.scored }

// LabelRequired says whether records have a field for the label, though it may be empty if they count without one.
func (s *Schema) LabelRequired() bool { return !s.parts }

// WithCluster returns a schema that shares everything with s and also reads Record.Cluster from a field, even if that field is ignored
// otherwise. An empty one stands for none.
func (s *Schema) WithCluster(field string) *Schema {
	with := *s
	with.cluster = field
	return &with
}

// WithGroups returns a schema that shares everything with s and knows texts of the groups of attributes: see Groups.
func (s *Schema) WithGroups(groups map[string][]string) *Schema {
	with := *s
	with.groups = groups
	return &with
}

// Groups lists texts that are in the groups of an attribute; of a group that is a range of numbers, one number. A writer's schema whose type
// can have none of them fits no longer. It is nil if each value is a group, so that any text may be one.
func (s *Schema) Groups(attribute string) []string { return s.groups[attribute] }

// WithID returns a schema that shares everything with s and also reads Record.ID from a field, where config names none: even if that field
// is ignored otherwise, and as a feature if it is one.
func (s *Schema) WithID(field string) *Schema {
	with := *s
	if s.config.ID == "" {
		with.identifier = field
	}
	return &with
}

// Feature says whether the field of a dotted path is a feature.
func (s *Schema) Feature(path string) bool { return s.column(path).feature }

// Config returns the configuration with its defaults filled in.
func (s *Schema) Config() Config { return s.config }

// Attributes returns the attributes in the order of Record.Attributes.
func (s *Schema) Attributes() []string { return slices.Clone(s.attributes) }

// Names returns the table of feature names.
func (s *Schema) Names() *Names { return s.names }

// column is what the schema makes of one dotted path.
type column struct {
	path      string
	id        int32 // of its name once it was a feature, till then notYet
	attribute int   // index into Record.Attributes, or -1
	role      role
	feature   bool
	ignored   bool
	moment    *moment // of a field of record.times
	seen      uint64  // the last record of the decoder that had it
	texts     knownTexts
	plain     bool // a feature and nothing else
}

// notYet is the id of a path that no record had a text for: those of objects need none.
const notYet int32 = -2

// role is a set of what a field is besides a feature or an attribute: an identifier may also be
// the join key.
type role uint16

const (
	labelRole role = 1 << iota
	weightRole
	idRole
	timeRole
	keyRole
	momentRole // a field of record.times
	opRole     // what a change event says of its row, and
	snapshotRole
	clusterRole
	propensityRole
	labelTimeRole
)

// column works out what path is. It is called once per path and decoder.
func (s *Schema) column(path string) *column {
	c := &column{path: path, id: notYet, attribute: slices.Index(s.attributes, path)}
	c.ignored = covered(s.config.Ignore, path) || s.belowTime(path)
	if s.cluster == path && path != "" {
		c.role = clusterRole
	}
	if s.identifier == path && path != "" {
		c.role |= idRole
	}
	if c.ignored && c.role != 0 {
		c.ignored = false
		return c
	}
	if c.ignored {
		return c
	}
	for _, r := range []struct {
		field string
		role  role
	}{
		{s.config.Label.Field, labelRole},
		{s.config.Weight, weightRole},
		{s.config.Propensity, propensityRole},
		{s.config.ID, idRole},
		{s.config.Time.Field, timeRole},
		{s.config.Label.Time, labelTimeRole},
		{s.config.Key, keyRole},
	} {
		if r.field != "" && r.field == path {
			c.role |= r.role
		}
	}
	if c.moment = s.newMoment(path); c.moment != nil {
		c.role |= momentRole
	}
	c.feature = s.isFeature(c)
	c.plain = c.feature && c.role == 0 && c.attribute < 0
	return c
}

func (s *Schema) isFeature(c *column) bool {
	features := s.config.Features
	if slices.Contains(features, c.path) {
		return true
	}
	beside := clusterRole
	if s.identifier == c.path {
		beside |= idRole
	}
	if c.role&^beside != 0 || c.attribute >= 0 && c.attribute < s.protected {
		return false
	}
	return len(features) == 0 || slices.Contains(features, "*") || covered(features, c.path)
}

// missingTexts is the set of texts that count as missing, arranged so that most texts are told
// apart by their length and their first byte.
type missingTexts struct {
	lengths uint64    // bit n: a text of n bytes is in the set; bit 63: a longer one is
	first   [256]bool // bytes that a text in the set begins with
	texts   []string
}

func newMissingTexts(texts []Text) missingTexts {
	var m missingTexts
	for _, text := range texts {
		m.texts = append(m.texts, string(text))
		m.lengths |= 1 << min(len(text), 63)
		if text != "" {
			m.first[text[0]] = true
		}
	}
	return m
}

func (m *missingTexts) has(text []byte) bool {
	return m.lengths&(1<<min(len(text), 63)) != 0 && (len(text) == 0 || m.first[text[0]]) && m.lists(text)
}

func (m *missingTexts) lists(text []byte) bool {
	for _, t := range m.texts {
		if t == string(text) {
			return true
		}
	}
	return false
}
