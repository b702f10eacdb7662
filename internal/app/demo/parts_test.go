package demo

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestPartsOfADemoThatFail say why: topics that are there already, weights that are not there, brokers that are not named, and an interruption while it waits.
func TestPartsOfADemoThatFail(t *testing.T) {
	broker, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	d, _, notes := shown(Demo{Lasts: time.Hour, JSON: true})
	d.configure(broker)
	if d.client, err = kafka.Open(d.config.Kafka, kafka.Options{}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.client.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := d.prepare(t.Context(), broker); err != nil {
		t.Fatal(err)
	}
	if err := d.prepare(t.Context(), broker); err == nil {
		t.Error("the topic of records is made twice")
	}
	if forget, err := d.introduce(); err != nil || forget() != nil || strings.Contains(notes.String(), "keeps running") {
		t.Errorf("%v\n%s", err, notes)
	}
	if stop, err := d.serve(t.Context()); err != nil || stop() != nil || d.page != "" {
		t.Errorf("nobody looks at %q, %v", d.page, err)
	}
	if found, err := d.readBack(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "topic adult.models holds no weights of job adult") || found != nil {
		t.Errorf("%v, %v", found, err)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := d.readBack(interrupted, 1); !errors.Is(err, context.Canceled) || found != nil {
		t.Errorf("interrupted: %v, %v", found, err)
	}
	if err := d.learnt(interrupted); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted while it waits: %v", err)
	}
	for feeding, want := range map[context.Context]error{interrupted: errInterrupted, t.Context(): errGone} {
		if err := d.interrupted(feeding, t.Context(), errGone); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if d.KeepRunning = true; d.interrupted(interrupted, t.Context(), errGone) != nil || !errors.Is(d.interrupted(interrupted, interrupted, errGone), errGone) {
		t.Error("a demo that keeps running ends well when it is told to, and not when its learner has failed")
	}
	d.config.Kafka.Brokers = nil
	if found, err := d.readBack(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "kafka.brokers") || found != nil {
		t.Errorf("without brokers: %v, %v", found, err)
	}
	d.Out = &full{}
	if err := d.report(t.Context(), &findings.Result{}); err == nil || err.Error() != "the disk is full" {
		t.Errorf("reported to a full disk: %v", err)
	}
}

var errGone = errors.New("the broker is gone")
