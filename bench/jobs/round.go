package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/fairstream/fairstream/bench/lines"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// round is one process, and what it is to do.
type round struct {
	name         string
	dir, program string
	jobs, rate   int  // a rate of 0: no record comes
	many         bool // a directory of jobs, as against the file of one
	length       time.Duration
	backlog      int // records of one more job; 0: there is none
}

// result is what was measured from the moment that all jobs learn until they have learnt everything.
type result struct {
	records int64 // of each job
	cpu     time.Duration
	memory  int64
	elapsed time.Duration
	behind  time.Duration // the longest time that a job took to learn what had come
	weights string        // the hash of those that every job published
	lag     lags          // while records came
}

// named begins the names of the jobs that are measured.
const named = "job-"

func name(i int) string { return fmt.Sprintf(named+"%03d", i) }

// measure runs the process on a broker of its own.
func (r *round) measure(ctx context.Context) (f result, err error) {
	broker, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		return f, err
	}
	defer broker.Close()
	client, err := kafka.Open(kafka.Config{Brokers: broker.Addresses()}, kafka.Options{})
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	configured, err := r.configure(ctx, broker.Addresses()[0], client)
	if err != nil {
		return f, err
	}
	c, err := start(ctx, r.program, "run", "--config", configured, "--set", "server.address=127.0.0.1:0")
	if err != nil {
		return f, err
	}
	defer func() { _ = c.command.Process.Kill() }() // if it has not ended
	if err := c.until(ctx, "all jobs learn", func() bool { return r.learn(ctx, c, func(s status) bool { return s.Ready }) }); err != nil {
		return f, err
	}
	before, err := c.cpu()
	if err != nil {
		return f, err
	}
	begun := time.Now()
	watched := r.watch(ctx, c)
	if f.records, err = r.feed(ctx, client); err != nil {
		return f, err
	}
	f.lag = watched()
	fed := time.Now()
	if err := c.until(ctx, "everything is learnt", func() bool { return r.learn(ctx, c, func(s status) bool { return s.Version == f.records }) }); err != nil {
		return f, err
	}
	f.behind, f.elapsed = time.Since(fed), time.Since(begun)
	after, err := c.cpu()
	if err != nil {
		return f, err
	}
	f.cpu = after - before
	if f.memory, err = c.peak(); err != nil {
		return f, err
	}
	if err := c.end(); err != nil && r.backlog == 0 || f.records == 0 { // the job that halts is an error
		return f, err
	}
	f.weights, err = r.published(ctx, client, f.records)
	return f, err
}

// configure makes the topics of the jobs and writes their configuration, and says where it is.
func (r *round) configure(ctx context.Context, address string, client *kafka.Client) (string, error) {
	dir, err := os.MkdirTemp(r.dir, "jobs")
	if err != nil {
		return "", err
	}
	var file string
	for i := range r.jobs {
		if _, err := client.CreateTopics(ctx, kafka.TopicSpec{Name: name(i), Kind: kafka.InputTopic, Partitions: 1}); err != nil {
			return "", err
		}
		if file, err = write(dir, name(i), address); err != nil {
			return "", err
		}
	}
	if r.backlog > 0 {
		if err := r.disturb(ctx, dir, address, client); err != nil {
			return "", err
		}
	}
	if r.many {
		return dir, nil
	}
	return file, nil
}

// write writes the configuration of a job, and gives the name of the file.
func write(dir, job, address string) (file string, err error) {
	text := fmt.Sprintf(`job: %s
kafka: {brokers: [%s]}
topics: {input: %[1]s}
record: {label: {field: income, positive: ">50K"}, ignore: [fnlwgt]}
constraints: [{name: sex, attribute: sex, group: Male, versus: Female, tau: 0.05}]
`, job, address)
	file = filepath.Join(dir, job+".yaml")
	return file, os.WriteFile(file, []byte(text), 0o600)
}

// ticks is how often in a second records come.
const ticks = 10

// feed writes the same records to every job, at the rate, and gives how many each has.
func (r *round) feed(ctx context.Context, client *kafka.Client) (records int64, err error) {
	if r.rate == 0 {
		time.Sleep(r.length)
		return 0, nil
	}
	lines, err := lines.Adult()
	if err != nil {
		return 0, err
	}
	ticksInAll := int(r.length.Seconds() * ticks)
	group, ctx := errgroup.WithContext(ctx)
	for i := range r.jobs {
		group.Go(func() error { return r.feedOne(ctx, client, name(i), lines, ticksInAll) })
	}
	return int64(ticksInAll * (r.rate / ticks)), group.Wait()
}

// feedOne writes the records of one job. What is sent in a tick is on the topic at its end.
func (r *round) feedOne(ctx context.Context, client *kafka.Client, topic string, lines [][]byte, ticksInAll int) error {
	producer, err := client.NewProducer(ctx, topic, 0)
	if err != nil {
		return err
	}
	ticker := time.NewTicker(time.Second / ticks)
	defer ticker.Stop()
	for tick := range ticksInAll {
		<-ticker.C
		for i := range r.rate / ticks {
			if err := producer.Send(ctx, &kafka.Message{Value: lines[(tick*(r.rate/ticks)+i)%len(lines)]}); err != nil {
				return err
			}
		}
		if err := producer.Flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

// status is what is asked of one job.
type status struct {
	Job     string
	Ready   bool
	Version int64
}

// learn says whether every job is as it is to be.
func (r *round) learn(ctx context.Context, c *child, is func(status) bool) bool {
	var found struct {
		status          // of one job
		Jobs   []status // of many
	}
	path := "/api/v1/status"
	if r.many {
		path = "/api/v1/jobs"
	}
	text, err := c.get(ctx, path)
	if err != nil || json.Unmarshal([]byte(text), &found) != nil {
		return false
	}
	if !r.many {
		return is(found.status)
	}
	live := 0
	for _, job := range found.Jobs {
		if !strings.HasPrefix(job.Job, named) {
			continue
		}
		if live++; !is(job) {
			return false
		}
	}
	return live == r.jobs
}

// published is the hash of the weights that every job published, and an error if they differ.
func (r *round) published(ctx context.Context, client *kafka.Client, records int64) (weights string, err error) {
	for i := range r.jobs {
		models, err := stream.ReadModels(ctx, stream.Kafka(client), name(i)+".models", name(i))
		if err != nil {
			return "", err
		}
		newest := models.Newest()
		if newest == nil || newest.Version != records {
			return "", fmt.Errorf("%s published %+v, and learnt %d records", name(i), newest, records)
		}
		if weights == "" {
			weights = newest.WeightsSHA256
		}
		if newest.WeightsSHA256 != weights {
			return "", fmt.Errorf("%s published weights %s, and %s published %s", name(0), weights, name(i), newest.WeightsSHA256)
		}
	}
	return weights, nil
}
