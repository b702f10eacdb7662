package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/statement"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// mostOfTopic is how many of the newest records of a topic are looked at.
const mostOfTopic = 20000

func (c *Records) prepare(most int) (err error) {
	if c.decisions, err = newDecisions(&c.Config, c.Monitor.Given); err != nil {
		return err
	}
	if c.seen, err = inspect.New(c.Config); err != nil {
		return err
	}
	c.seen.Cluster = c.Monitor.Cluster
	if c.meaning, err = statement.New(c.Config); err != nil {
		return err
	}
	c.meaning.Settings, c.meaning.Age = c.Settings, c.Age
	if c.decisions != nil {
		c.seen.WithUnlabelled = true
	}
	if c.joined, err = newJoined(c.Config, c.use); err != nil {
		return err
	}
	c.sample = input.Sample{Most: most,
		Use: func(raw []byte) {
			if c.joined == nil {
				c.use(raw, c.sample.Line)
				return
			}
			c.joined.add(raw, c.sample.Line)
		},
		Reject: func(rejection *record.Rejection) {
			c.seen.Reject(rejection)
			c.rejected.Add(rejection)
		}}
	return nil
}

// use looks at one record, which is of that line of a file.
func (c *Records) use(raw []byte, line int64) {
	c.decisions.add(raw)
	if rejection, ok := errors.AsType[*record.Rejection](c.seen.Add(raw)); ok {
		rejection.Line = line
		c.rejected.Add(rejection)
		return
	}
	c.meaning.Add(c.seen.Record(), c.seen.Whole())
}

// report says what was seen. The error says that learning would be useless.
func (c *Records) report(name string) error {
	if c.joined != nil {
		c.seen.Labels, c.seen.Early = c.joined.finish(), c.joined.early
		c.seen.Delays, c.seen.Age = c.joined.delays, c.Age
	}
	var text strings.Builder
	which := ""
	if !c.sample.Whole {
		which = "the newest "
	}
	english.Fprintf(&text, "%s%s of %s; %d rejected.\n", which, english.Counted(c.sample.Read, "record"), name, c.rejected.Total)
	c.rejected.Write(&text, int64(c.sample.Read), name)
	c.joined.write(&text)
	c.writeLabel(&text)
	c.writeGroups(&text)
	c.writeColumns(&text)
	c.meaning.Decision, c.meaning.Left = c.decisions.meaning(), c.seen.LeftOut()
	c.meaning.Ends = map[string][2]float64{}
	for _, column := range c.seen.Columns() {
		if column.Numbers > 0 {
			c.meaning.Ends[column.Name] = [2]float64{column.Low, column.High}
		}
	}
	fatal := c.writeFindings(&text, c.meaning.Write(&text))
	if _, err := io.WriteString(c.Out, text.String()); err != nil {
		return err
	}
	if fatal > 0 {
		if c.decisions != nil {
			return fmt.Errorf("monitor would find nothing useful in %s: see the lines above that begin with Error", name)
		}
		return fmt.Errorf("run would learn nothing useful from %s: see the lines above that begin with Error", name)
	}
	return nil
}

// OfFile looks at all records of a file.
func (c *Records) OfFile(ctx context.Context, from input.Source) error {
	if err := c.prepare(0); err != nil {
		return err
	}
	if err := c.sample.FromFile(ctx, from, c.Config.Record); err != nil {
		return err
	}
	return c.report(from.Name)
}

// OfTopic looks at the newest records of the topic.
func (c *Records) OfTopic(ctx context.Context, client *kafka.Client) error {
	from := input.Topic{Name: c.Topic, Record: c.Config.Record, Registry: c.Registry}
	c.Config.Record = c.Config.Record.AsJSON()
	if err := c.prepare(mostOfTopic); err != nil {
		return err
	}
	if err := c.sample.FromTopic(ctx, client, from); err != nil {
		return err
	}
	if c.sample.Schema != nil {
		of := c.Config
		of.Record = from.Record
		var err error
		if c.told, err = described(of, c.sample.Schema); err != nil {
			return err
		}
	}
	return c.report("topic " + c.Topic)
}
