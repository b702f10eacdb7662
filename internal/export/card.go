package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// Card is a model card in the JSON of the Model Card Toolkit, schema 0.0.2. Where that schema has no field for what is
// known, an object has a further one.
type Card struct {
	SchemaVersion  string         `json:"schema_version"`
	Details        Details        `json:"model_details"`
	Parameters     Parameters     `json:"model_parameters"`
	Analysis       Analysis       `json:"quantitative_analysis"`
	Considerations Considerations `json:"considerations"`
}

// Details are metadata of the model.
type Details struct {
	Name          string      `json:"name"`
	Overview      string      `json:"overview"`
	Documentation string      `json:"documentation"`
	Owners        []Owner     `json:"owners,omitempty"`
	Version       Version     `json:"version"`
	Licenses      []License   `json:"licenses,omitempty"`
	References    []Reference `json:"references,omitempty"`
	Citations     []Citation  `json:"citations,omitempty"`
}

// Owner is a person or team.
type Owner struct {
	Name    string `json:"name"`
	Contact string `json:"contact,omitempty"`
}

// Version is that of the weights.
type Version struct {
	// Name is TERM/VERSION, or VERSION of weights that were not learnt from a topic.
	Name string `json:"name"`
	// Date is when the version was published, as YYYY-MM-DD; absent if that is not known.
	Date string `json:"date,omitempty"`
	// Diff lists the latest changes of the configuration.
	Diff          string `json:"diff,omitempty"`
	WeightsSHA256 string `json:"weights_sha256"`
	ConfigSHA256  string `json:"config_sha256"`
}

// License is an SPDX identifier, or a text.
type License struct {
	Identifier string `json:"identifier,omitempty"`
	CustomText string `json:"custom_text,omitempty"`
}

// Reference is an address.
type Reference struct {
	Reference string `json:"reference"`
}

// Citation says how to refer to the card.
type Citation struct {
	Style    string `json:"style,omitempty"`
	Citation string `json:"citation"`
}

// Parameters say how the model is made.
type Parameters struct {
	Architecture string    `json:"model_architecture"`
	Data         []Dataset `json:"data"`
	InputFormat  string    `json:"input_format"`
	OutputFormat string    `json:"output_format"`
}

// Dataset is what was learnt from.
type Dataset struct {
	Name        string    `json:"name"`
	Link        string    `json:"link,omitempty"`
	Description string    `json:"description"`
	Sensitive   Sensitive `json:"sensitive"`
}

// Sensitive names the protected attributes of the records.
type Sensitive struct {
	Data []string `json:"sensitive_data"`
}

// Considerations are what a reader must know before using the model.
type Considerations struct {
	Users       []Said `json:"users,omitempty"`
	UseCases    []Said `json:"use_cases,omitempty"`
	Limitations []Said `json:"limitations"`
	Tradeoffs   []Said `json:"tradeoffs"`
	Ethical     []Risk `json:"ethical_considerations"`
}

// Said is one statement.
type Said struct {
	Description string `json:"description"`
}

// Risk is what could go wrong, and what is done about it.
type Risk struct {
	Name     string `json:"name"`
	Strategy string `json:"mitigation_strategy"`
}

// Evidence is what is known of a model besides its document.
type Evidence struct {
	// Published is when the document was published; zero if that is not known.
	Published time.Time
	// Monitored are the decisions of the job as they were made; nil if that is not known.
	Monitored []*monitor.Report
	// Audit is the history of the job; nil without one.
	Audit *history.Audit
}

// NewCard describes the weights of a document. own has what its owners say: names, licences, users, use cases and more;
// what the document knows is put in its place, or added to its lists.
func NewCard(d *document.Document, e Evidence, own Card) (*Card, error) {
	columns, err := d.Columns()
	if err != nil {
		return nil, err
	}
	c := own
	c.SchemaVersion = "0.0.2"
	c.Details.describe(d, e)
	c.Parameters = parametersOf(d, columns)
	c.Analysis.Metrics = append(slices.Clone(own.Analysis.Metrics), documentMetrics(d)...)
	for _, r := range e.Monitored {
		c.Analysis.Metrics = append(c.Analysis.Metrics, monitorMetrics(r)...)
	}
	if e.Audit != nil {
		c.Analysis.Metrics = append(c.Analysis.Metrics, auditMetrics(e.Audit)...)
	}
	c.Considerations.add(d, e)
	return &c, nil
}

func (t *Details) describe(d *document.Document, e Evidence) {
	t.Name = cmp.Or(t.Name, d.Job, "model")
	t.Overview = cmp.Or(t.Overview, fmt.Sprintf("%s of field %s, learnt online from %d records, with %d constraints on differences between groups.",
		strings.ToUpper(string(d.Task[:1]))+string(d.Task[1:]), d.Config.Record.Label.Field, d.Records, len(d.Constraints)))
	t.Documentation = cmp.Or(t.Documentation, fmt.Sprintf("Weight document of fairstream, format version %d, made by %s. SHA-256 of the weights: %s. SHA-256 of the configuration: %s. "+
		"The document alone reproduces every score.", d.FormatVersion, cmp.Or(d.Lineage.Program, "an unknown version of the program"), d.WeightsSHA256, d.Lineage.ConfigSHA256))
	t.Version = Version{Name: fmt.Sprint(d.Version), WeightsSHA256: d.WeightsSHA256, ConfigSHA256: d.Lineage.ConfigSHA256}
	if d.Lineage.Term > 0 {
		t.Version.Name = fmt.Sprintf("%d/%d", d.Lineage.Term, d.Version)
	}
	if !e.Published.IsZero() {
		t.Version.Date = e.Published.UTC().Format(time.DateOnly)
	}
	var changes []string
	for _, change := range d.Lineage.Changes {
		changes = append(changes, fmt.Sprintf("%s, after %d records: %s: %s -> %s", change.Time.UTC().Format(time.DateTime+" UTC"), change.Version, change.Key, change.Old, change.New))
	}
	t.Version.Diff = strings.Join(changes, "; ")
}

func parametersOf(d *document.Document, columns []string) Parameters {
	architecture, output := "linear logistic regression", "A score in [0, 1] and a decision, 0 or 1: 1 if the sum of the weights is above 0."
	if d.Task == document.Regression {
		architecture, output = "linear regression", "The predicted number."
	}
	input := cmp.Or(d.Lineage.Input, "records of a file")
	data := fmt.Sprintf("%d records were learnt, each once, and %d were rejected.", d.Records, d.Rejected)
	var offsets []string
	for _, partition := range slices.Sorted(maps.Keys(d.Offsets)) {
		offsets = append(offsets, fmt.Sprintf("%s before offset %d", partition, d.Offsets[partition]))
	}
	if offsets != nil {
		data += " They are those of " + strings.Join(offsets, ", ") + "."
	}
	protected := d.Config.Attributes()
	if protected == nil {
		protected = []string{}
	}
	return Parameters{
		Architecture: fmt.Sprintf("%s with %d weights, in mode %s", architecture, d.Weights, d.Mode),
		Data:         []Dataset{{Name: input, Description: data, Sensitive: Sensitive{protected}}},
		InputFormat:  "A record of JSON or CSV with the columns " + strings.Join(columns, ", ") + ". A column may be absent.",
		OutputFormat: output,
	}
}

// add states what follows from the measurements.
func (c *Considerations) add(d *document.Document, e Evidence) {
	limit := func(format string, arguments ...any) {
		c.Limitations = append(c.Limitations, Said{fmt.Sprintf(format, arguments...)})
	}
	c.Limitations = slices.Clone(c.Limitations)
	limit("All measurements apply to records like those learnt from %s. They say nothing about other records.", fmt.Sprintf("the last %d", d.Measurements.Recent.Records))
	for _, condition := range d.Measurements.Conditions {
		limit("%s: %s", strings.TrimSpace(string(condition.Code)+" "+condition.Constraint), condition.Detail)
	}
	for _, m := range d.Measurements.Missing {
		limit("%d recent records, a share of %.4g, have no %s. The constraints on %s say nothing about them.", m.Records, m.Share, m.Attribute, m.Attribute)
	}
	for _, r := range e.Monitored {
		for _, words := range unlabelled(r) {
			limit("%s", words)
		}
	}
	if e.Audit != nil && !e.Audit.Chain.Whole {
		limit("The history of the job is broken in %d places: what it says of versions and changes is incomplete.", len(e.Audit.Chain.Breaks))
	}
	c.Tradeoffs = append([]Said{}, c.Tradeoffs...)
	if free := d.Measurements.UnconstrainedRecent; free != nil {
		c.Tradeoffs = append(c.Tradeoffs, Said{price(&d.Measurements.Recent, free)})
	}
	c.Ethical = append([]Risk{}, c.Ethical...)
	for _, estimate := range d.Constraints {
		c.Ethical = append(c.Ethical, riskOf(&estimate))
	}
}

// price compares the model with the one that is learnt without constraints.
func price(with, without *document.Report) string {
	name, a, b := "accuracy", fairness.Measure{}, fairness.Measure{}
	if with.Predictions != nil && without.Predictions != nil {
		name, a, b = "mean squared error", with.MSE, without.MSE
	} else if with.Decisions != nil && without.Decisions != nil {
		a, b = with.Accuracy, without.Accuracy
	}
	return fmt.Sprintf("With constraints, %s is %.4g [%.4g, %.4g] on the last %d records. Without them, it is %.4g [%.4g, %.4g] on the same records.",
		name, a.Value, a.Lo, a.Hi, with.Records, b.Value, b.Lo, b.Hi)
}

func riskOf(e *fairness.Estimate) Risk {
	how := "It is measured, and not enforced."
	if e.Enforced {
		how = fmt.Sprintf("Learning enforces the bound tau = %v.", e.Tau)
	}
	verdict := fmt.Sprintf("The verdict on this version is %s.", e.Status)
	if e.Status == fairness.NotEstimable {
		verdict = fmt.Sprintf("The verdict on this version is %s: %s.", e.Status, e.Reason)
	}
	return Risk{Name: fmt.Sprintf("%s and %s could be treated differently (%s, %s)", e.Group, e.Versus, e.Name, e.Criterion), Strategy: how + " " + verdict}
}
