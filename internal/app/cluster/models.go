package cluster

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/stream"
)

// ReadModels reads the model topic of a job to its end. That there is no document is an error.
func ReadModels(ctx context.Context, c *config.Loaded, warnings io.Writer) (found *stream.Models, err error) {
	err = With(ctx, c.Kafka, warnings, func(ctx context.Context, client *kafka.Client) error {
		if err := Exist(ctx, client, c.Topics.Model); err != nil {
			return err
		}
		verifier, err := c.Signing.Verifier()
		if err != nil {
			return err
		}
		found, err = stream.ReadSignedModels(ctx, stream.Kafka(client), c.Topics.Model, c.Job, verifier)
		if err != nil {
			return err
		}
		for _, refused := range found.Refused {
			fmt.Fprintf(warnings, "Warning: topic %s, offset %d: %s is refused: %s\n", c.Topics.Model, refused.Offset, refused.Key, refused.Reason)
		}
		if found.Newest() == nil {
			return noWeights(ctx, client, c)
		}
		return nil
	})
	return found, err
}

// ByAlias is the document that an alias points to; that there is none is an error.
func ByAlias(found *stream.Models, name, topic, job string) (*stream.Model, error) {
	if chosen := found.ByAlias(name); chosen != nil {
		return chosen, nil
	}
	if a, there := found.Aliases[name]; there {
		return nil, fmt.Errorf("topic %s does not hold version %d/%d of job %s as alias %s has it: fairstream run writes it again", topic, a.Term, a.Version, job, name)
	}
	for _, refused := range slices.Backward(found.Refused) {
		if refused.Key == modeltopic.AliasKey(job, name) {
			return nil, fmt.Errorf("topic %s, offset %d: alias %s of job %s is refused: %s. fairstream run writes the alias again", topic, refused.Offset, name, job, refused.Reason)
		}
	}
	names := slices.Sorted(maps.Keys(found.Aliases))
	return nil, fmt.Errorf("topic %s has no alias %s of job %s: it has %s%s", topic, name, job, english.List(names), english.DidYouMean(name, names))
}
