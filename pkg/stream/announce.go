package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/cloudevents"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/signature"
)

// announcement is a changed verdict or an alarm of the monitor: an entry of the history, and an event on the topic of
// events. The same change has the same ID, however often it is told.
type announcement struct {
	ID        string          `json:"id"`
	Decisions *history.Judged `json:"decisions"`
}

// announced is what a snapshot says of announcements.
type announced struct {
	// Pending are those that the snapshot covers and the one before does not. They are told once it counts.
	Pending []announcement `json:"pending,omitempty"`
	// Offset is where the topic of events ended before they were told.
	Offset int64 `json:"offset,omitempty"`
}

// announceEvery is how soon after a snapshot another one is taken, so that an announcement may be told.
const announceEvery = 5 * time.Second

// watch reports events of the monitors to Options.Notify, and keeps them for the next snapshot.
func (l *learning) watch() {
	if l.witnesses == nil {
		return
	}
	for _, one := range l.witnesses.all {
		if one.monitor.LastEvent() > one.told {
			l.note(one)
		}
	}
}

func (l *learning) note(w *witness) {
	subject := w.monitor.Config().Subject.ID
	for _, e := range w.monitor.Events(w.told) {
		about := w.monitor.Config().Grouper.Comparisons()[e.Comparison]
		l.options.Notify(DecisionsChanged{Subject: subject, Comparison: about, Event: e})
		told := &history.Judged{Subject: subject, Number: e.Number, Change: string(e.Kind), Record: w.since + e.Record,
			Constraint: about.Name, Criterion: string(about.Criterion), Group: about.GroupLabel(), Versus: about.VersusLabel(), Tau: about.Tau,
			From: string(e.From), To: string(e.To)}
		if !e.Time.IsZero() {
			told.EventTime = &e.Time
		}
		if e.Kind == monitor.VerdictChanged {
			told.Value, told.Lo, told.Hi = finite(e.Value), finite(e.Lo), finite(e.Hi)
		}
		if e.Kind == monitor.AlarmRaised {
			told.Evidence = finite(e.Evidence)
		}
		id := fmt.Sprintf("%s/%d/%d/%s/%d", history.Decisions, l.origin, w.since, subject, e.Number)
		l.announcements = append(l.announcements, announcement{id, told})
	}
	w.told = w.monitor.LastEvent()
}

// announce says whether a snapshot is due because somebody waits for an announcement.
func (l *learning) announce() bool {
	return len(l.announcements) > 0 && l.options.Topics.Events != "" && l.now.Sub(l.savedAt) >= announceEvery
}

// announcer tells announcements, in order, once the snapshot that covers them counts (rule "announced from the snapshot" in
// doc.go). It belongs to the keeper's goroutine.
type announcer struct {
	cluster Cluster
	topic   string // empty: they are in the history alone
	job     string
	history *recorder
	signer  *signature.Signer

	owed []announcement  // those of the snapshot that the owner began from, until they are told
	told map[string]bool // those of them that are on the topic
	next int64           // where the topic ends
}

// openAnnouncer looks which announcements of a snapshot were told before its owner ended.
func openAnnouncer(ctx context.Context, cluster Cluster, o *Options, r *recorder, saved announced) (*announcer, error) {
	a := &announcer{cluster: cluster, topic: o.Topics.Events, job: o.Job, history: r, signer: o.Signer, owed: saved.Pending, told: map[string]bool{}}
	if a.topic == "" {
		return a, nil
	}
	bounds, err := cluster.Bounds(ctx, a.topic)
	if err != nil || len(bounds) == 0 {
		return a, err
	}
	if a.next = bounds[0].End; len(a.owed) == 0 {
		return a, nil
	}
	from := saved.Offset
	if from < bounds[0].Start || from > bounds[0].End { // deleted, or another topic
		from = kafka.Earliest
	}
	a.next, err = cluster.Read(ctx, a.topic, 0, from, kafka.End, func(record *kafka.Record) error {
		named := map[string]string{}
		for _, h := range record.Headers() {
			named[h.Key] = string(h.Value)
		}
		if named[cloudevents.HeaderSource] == cloudevents.Source(a.job) {
			a.told[named[cloudevents.HeaderID]] = true
		}
		return nil
	})
	return a, err
}

// catchUp tells what the snapshot covers that the owner began from.
func (a *announcer) catchUp(ctx context.Context) error {
	err := a.tell(ctx, a.owed)
	if err == nil {
		a.owed, a.told = nil, nil
	}
	return err
}

// eventsAtOnce bounds one message batch.
const eventsAtOnce = 500

// tell writes announcements to the history, then to the topic of events.
func (a *announcer) tell(ctx context.Context, all []announcement) error {
	for _, one := range all {
		if a.history != nil && !a.history.behind[one.ID] {
			if err := a.history.record(ctx, history.Entry{ID: one.ID, Kind: history.Decisions, Decisions: one.Decisions}); err != nil {
				return err
			}
		}
	}
	if a.history != nil {
		clear(a.history.behind)
	}
	if a.topic == "" {
		return nil
	}
	all = slices.DeleteFunc(slices.Clone(all), func(one announcement) bool { return a.told[one.ID] })
	for some := range slices.Chunk(all, eventsAtOnce) {
		var messages []kafka.Message
		for _, one := range some {
			message, err := a.event(one)
			if err != nil {
				return err
			}
			messages = append(messages, message)
		}
		err := a.cluster.Retry(ctx, "write events to "+a.topic, func(ctx context.Context) error {
			offset, err := a.cluster.Append(ctx, a.topic, 0, messages...)
			if err == nil {
				a.next = offset + int64(len(messages))
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("the events could not be written: %w", err)
		}
	}
	return nil
}

// event is the message of an announcement. All events of a job have one key, so that they stay in order wherever they are
// copied to.
func (a *announcer) event(one announcement) (kafka.Message, error) {
	value, err := json.Marshal(one.Decisions)
	if err != nil {
		return kafka.Message{}, fmt.Errorf("stream: an event: %w", err)
	}
	event := cloudevents.Event{ID: one.ID, Type: "io.fairstream.decisions." + one.Decisions.Change + ".v1", Source: cloudevents.Source(a.job),
		Subject: one.Decisions.Subject}
	if at := one.Decisions.EventTime; at != nil {
		event.Time = *at
	}
	message := kafka.Message{Key: []byte(a.job), Value: value, Headers: event.Headers()}
	if keyID, sum := a.signer.Sign(message.Key, message.Value); keyID != "" {
		message.Headers = append(message.Headers, kafka.Header{Key: signature.HeaderKeyID, Value: []byte(keyID)},
			kafka.Header{Key: signature.HeaderSignature, Value: sum})
	}
	return message, nil
}

// finite is a number for JSON; nil if it is none.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
