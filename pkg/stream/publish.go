package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/model"
)

// Keys of the model topic:
//
//	<job>/v/<version>   a weight document, JSON; never changes its weights within a term
//	<job>/latest        an Alias: which document to use
//
// Headers say version, term and weights' sum without decoding the value.
const (
	versionKind = "v"
	latestKind  = "latest"

	HeaderJob     = "fairstream.job"
	HeaderVersion = "fairstream.version"
	HeaderTerm    = "fairstream.term"
	HeaderSHA256  = "fairstream.weights_sha256"
)

// Alias points to a document.
type Alias struct {
	Job     string `json:"job"`
	Version int64  `json:"version"`
	// Term of the owner that published it. A reader follows an alias only to a higher term, or within
	// its term to a higher version: what a process that lost its job writes late is then ignored.
	Term          int64  `json:"term"`
	WeightsSHA256 string `json:"weights_sha256"`
	// Key of the document.
	Key string `json:"key"`
}

func versionKey(job string, version int64) string {
	return job + "/" + versionKind + "/" + strconv.FormatInt(version, 10)
}

func latestKey(job string) string { return job + "/" + latestKind }

// place orders publications: by term, then by version.
type place struct{ term, version int64 }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.term, q.term), cmp.Compare(p.version, q.version))
}

// publisher writes documents to the model topic, and deletes old ones.
type publisher struct {
	cluster Cluster
	topic   string
	job     string
	term    int64
	keep    int
	notify  func(Event)

	versions []place // on the topic, in order
	highest  int64   // term on the topic
}

// openPublisher looks what the topic holds of the job.
func openPublisher(ctx context.Context, cluster Cluster, topic, job string, term int64, keep int, notify func(Event)) (*publisher, error) {
	models, err := ReadModels(ctx, cluster, topic, job)
	if err != nil {
		return nil, err
	}
	p := &publisher{cluster: cluster, topic: topic, job: job, term: term, keep: keep, notify: notify}
	for _, m := range models.Versions {
		p.versions = append(p.versions, place{m.Term, m.Version})
		p.highest = max(p.highest, m.Term)
	}
	if models.Latest != nil {
		p.highest = max(p.highest, models.Latest.Term)
	}
	return p, nil
}

// latest is the version of the newest document, 0 if there is none.
func (p *publisher) latest() int64 {
	if len(p.versions) == 0 {
		return 0
	}
	return p.versions[len(p.versions)-1].version
}

// publish writes the document, the alias to it and the deletion of documents beyond those that are kept,
// as one batch: readers see all of it or nothing.
func (p *publisher) publish(ctx context.Context, document *model.Document) (size int, err error) {
	value, err := document.Encode()
	if err != nil {
		return 0, fmt.Errorf("stream: the weight document: %w", err)
	}
	here := place{p.term, document.Version}
	versions := slices.DeleteFunc(slices.Clone(p.versions), func(v place) bool { return v.version == here.version })
	versions = append(versions, here)
	old := max(0, len(versions)-p.keep)
	messages, err := p.messages(document, value, versions[:old])
	if err != nil {
		return 0, err
	}
	err = p.cluster.Retry(ctx, "publish to "+p.topic, func(ctx context.Context) error {
		_, err := p.cluster.Append(ctx, p.topic, 0, messages...)
		return err
	})
	if kafka.TooLarge(err) {
		err = fmt.Errorf("%w; a document of fewer weights than these %d comes from smaller learner.vocabulary.levels and .columns, "+
			"after `fairstream state reset`", err, document.Weights)
	}
	if err != nil {
		return 0, fmt.Errorf("the weights could not be published: %w", err)
	}
	p.versions = versions[old:]
	p.notify(Published{document.Version, p.term, document.WeightsSHA256, len(value), document.Measurements})
	return len(value), nil
}

func (p *publisher) messages(document *model.Document, value []byte, old []place) ([]kafka.Message, error) {
	key := versionKey(p.job, document.Version)
	alias, err := json.Marshal(Alias{p.job, document.Version, p.term, document.WeightsSHA256, key})
	if err != nil {
		return nil, fmt.Errorf("stream: the alias: %w", err)
	}
	headers := []kafka.Header{
		{Key: HeaderJob, Value: []byte(p.job)},
		{Key: HeaderVersion, Value: strconv.AppendInt(nil, document.Version, 10)},
		{Key: HeaderTerm, Value: strconv.AppendInt(nil, p.term, 10)},
		{Key: HeaderSHA256, Value: []byte(document.WeightsSHA256)},
	}
	messages := []kafka.Message{
		{Key: []byte(key), Value: value, Headers: headers},
		{Key: []byte(latestKey(p.job)), Value: alias, Headers: headers},
	}
	for _, v := range old {
		messages = append(messages, kafka.Message{Key: []byte(versionKey(p.job, v.version))})
	}
	return messages, nil
}
