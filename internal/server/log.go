package server

import (
	"fmt"
	"io"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/stream"
)

// NewLogger returns a logger that writes JSON, or with console for people, to a writer, and the level
// by which it can be turned up and down while it is in use.
func NewLogger(to io.Writer, console bool, level string) (*zap.Logger, zap.AtomicLevel, error) {
	least, err := zap.ParseAtomicLevel(level)
	if err != nil {
		return nil, least, fmt.Errorf("log.level: %w", err)
	}
	settings := zap.NewProductionEncoderConfig()
	settings.TimeKey, settings.MessageKey = "time", "message"
	settings.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	encoder := zapcore.NewJSONEncoder(settings)
	if console {
		settings.EncodeTime = zapcore.TimeEncoderOfLayout("2006-01-02 15:04:05 -0700")
		settings.EncodeLevel = zapcore.CapitalLevelEncoder
		settings.EncodeDuration = zapcore.StringDurationEncoder
		encoder = zapcore.NewConsoleEncoder(settings)
	}
	return zap.New(zapcore.NewCore(encoder, zapcore.Lock(zapcore.AddSync(to)), least)), least, nil
}

// Log returns a listener that writes events to a logger.
func Log(logger *zap.Logger) func(stream.Event) {
	return func(event stream.Event) {
		switch e := event.(type) {
		case stream.Owned:
			logger.Info("took ownership of the job", zap.Int64("term", e.Claim.Term), zap.String("owner", e.Claim.Owner),
				zap.String("host_before", e.Before.Host))
		case stream.Resumed:
			logger.Info("resumed from a snapshot", zap.Int64("version", e.Snapshot.Version), zap.Int64("rejected", e.Snapshot.RejectedRecords()),
				zap.Time("taken", e.Snapshot.Taken), zap.Int64("term", e.Snapshot.Term), zap.Int64("sequence", e.Snapshot.Sequence))
			if e.Given != "" {
				logger.Info("the job began earlier from the state of a backfill: --start-from, and --start-offsets or --start-time, took effect then and are ignored now", zap.String("sha256", e.Given))
			}
		case stream.Begun:
			logBegun(logger, e)
		case stream.StateElsewhere:
			logElsewhere(logger, e)
		case stream.WaitingLost:
			words := "records that waited for their label are gone from their topic, for example because it was deleted: they are never learnt"
			if e.Cut {
				words = "the topic of the records that wait for their label has lost its end: some are gone and never learnt, and some may wait again whose label was learnt"
			}
			logger.Error(words, zap.String("topic", e.Topic), zap.Int64("records", e.Records))
		case stream.WaitingRemade:
			logger.Warn("the topic of the records that wait for their label was created again, or had lost its end: all waiting records were written to it again", zap.String("topic", e.Topic), zap.Int64("records", e.Records))
		case stream.WaitingUnseen:
			if e.Err == nil {
				logger.Info("the topic of the records that wait for their label can be read again", zap.String("topic", e.Topic))
			} else {
				logger.Error("the topic of the records that wait for their label cannot be read: if it was deleted, create it by `fairstream topics create`, and the job writes all waiting records to it again; do not stop the job before that",
					zap.String("topic", e.Topic), zap.Error(e.Err))
			}
		case stream.PartStopped:
			logStopped(logger, &e.Stopped)
		case stream.StableUnmoved:
			logger.Warn(unmovedWords(e.Off, e.Term, e.Version))
		case stream.ConfigChanged:
			for _, change := range e.Changes {
				logger.Warn("configuration changed: " + change.String())
			}
		case stream.DecisionsChanged:
			logDecisions(logger, e)
		case stream.MonitoringBegun:
			logger.Warn("the comparisons or the section monitor changed: decisions are monitored from this record on", zap.Int64("version", e.Version))
		case stream.HistoryDamaged:
			logger.Error("the history is damaged; new entries follow the damage: `fairstream audit` shows where", zap.String("topic", e.Topic), zap.String("problem", e.Problem))
		case stream.Requested:
			logRequested(logger, e)
		case stream.Saved:
			logger.Info("snapshot saved", zap.Int64("version", e.Snapshot.Version), zap.Int64("sequence", e.Snapshot.Sequence),
				zap.Int("bytes", e.Snapshot.Bytes), zap.Int("parts", e.Parts), zap.Duration("took", e.Took))
		case stream.Published:
			logPublished(logger, e)
		case stream.Released:
			logReleased(logger, &e.Step)
		case stream.ShareHalved:
			logger.Info("more than release.rate records come in a second: from now on, versions decide only a share of the records before they become stable",
				zap.Float64("share", e.Share), zap.Int64("release.rate", e.Rate))
		case stream.Withheld:
			logger.Info("weights withheld", zap.String("reason", e.Reason))
		case stream.Rejected:
			logger.Warn("records rejected", zap.Int64("records", e.Count), zap.Int32("partition", e.Partition), zap.Int64("offset", e.Offset), zap.NamedError("first", e.Err))
		case stream.DataLost:
			logger.Error("records lost", zap.String("kind", string(e.Loss.Kind)), zap.Int32("partition", e.Loss.Partition), zap.Int64("offset", e.Loss.Offset),
				zap.Int64("lost", e.Loss.Lost), zap.Int64("resume", e.Loss.Resume))
		case stream.KafkaOutage:
			logOutage(logger, e)
		case stream.Halted:
			logger.Error("halted: learning stopped, and does not continue without a person", zap.Error(e.Err))
		case stream.StandingBy:
			logger.Info("standby: another process owns the job", zap.Int64("term", e.Owner.Term), zap.String("host", e.Owner.Host), zap.Duration("timeout", e.Timeout))
			if e.Owner.BeatMillis == 0 {
				logger.Warn("the owner sends no heartbeat, because it runs without stream.standby or with an older program: while its input is quiet for the timeout, "+
					"it cannot be told from a dead process, and this process takes the job over", zap.String("host", e.Owner.Host))
			}
		case stream.TakingOver:
			logger.Warn("taking over the job", zap.Int64("term", e.Owner.Term), zap.String("host", e.Owner.Host), zap.Duration("silent", e.Silent), zap.Bool("leaving", e.Leaving))
		case stream.AliasRepaired:
			if e.Alias != stream.LatestAlias {
				logger.Warn("somebody else moved or overwrote an alias, and this process wrote it again: use `fairstream models promote` to choose another version",
					zap.String("alias", e.Alias), zap.Int64("version", e.Version), zap.Int64("term", e.Term))
				break
			}
			logger.Warn("the alias latest was moved from the newest weights or overwritten, by a late publication of an earlier owner or by somebody else; it points to them again",
				zap.Int64("version", e.Version), zap.Int64("term", e.Term), zap.Int64("late_version", e.Late.Version), zap.Int64("late_term", e.Late.Term))
		case stream.Outranked:
			logger.Error("an alias on the model topic was moved in the name of a later owner of the job: readers ignore the versions that this process moves aliases to. If no other process "+
				"runs the job, somebody forged it: start this process again, which then outranks it, and restrict who may write to the topic, or sign it (signing)",
				zap.Int64("term", e.Term), zap.Int64("own_term", e.Own))
		case stream.ModelRefused:
			logger.Error("a record on the model topic is refused", zap.String("key", e.Key), zap.Int64("offset", e.Offset), zap.String("reason", e.Reason))
		case stream.StateGarbage:
			logger.Error("a record on the state topic cannot be read, and has no effect: `fairstream state prune` deletes it",
				zap.String("topic", e.Topic), zap.String("key", e.Key), zap.Int64("offset", e.Offset), zap.String("reason", e.Reason))
		case stream.TopicsUnfit:
			if e.Err == nil {
				logger.Info("the settings of the topics are right again")
				break
			}
			logger.Error("a topic of the job does not have the settings that it needs: somebody deleted it, or changed them, while the job was running", zap.Error(e.Err))
		case stream.SavingStuck:
			logger.Error("saving is stuck, and the process is not ready: restart it if that lasts", zap.String("reason", e.Reason))
		case stream.SavingAgain:
			logger.Info("saving works again", zap.Duration("after", e.After))
		case stream.ModelsRemade:
			logger.Error("the model topic was deleted and made again, or cut: this process wrote what it holds again; other versions are gone",
				zap.String("topic", e.Topic), zap.Int("documents", e.Documents), zap.Int("aliases", e.Aliases), zap.Int("missing", e.Missing))
		case stream.DocumentRestored:
			logger.Warn("a document that readers need was deleted or overwritten, by a late publication of an earlier owner or by somebody else; it was written again",
				zap.String("alias", e.Alias), zap.Int64("version", e.Version), zap.Int64("term", e.Term))
		case stream.AliasWithoutDocument:
			logger.Error("an alias points to a document that is not on the model topic: point it to another version, or delete the alias",
				zap.String("alias", e.Alias), zap.Int64("version", e.Version), zap.Int64("term", e.Term))
		case stream.OpenTransaction:
			logger.Warn("records cannot be read, because an earlier transaction is open: find its producer with kafka-transactions.sh find-hanging",
				zap.Int32("partition", e.Partition), zap.Int64("offset", e.Offset), zap.Int64("waiting", e.Waiting), zap.Duration("for", e.For))
		case stream.PartitionHeld:
			logger.Warn("a partition waits for a schema, and others are learnt on: look at the schema registry",
				zap.Int32("partition", e.Partition), zap.Int64("offset", e.Offset), zap.String("schema", e.Schema), zap.Error(e.Cause))
		case stream.Draining:
			logger.Info("shutting down", zap.String("reason", e.Reason))
		}
	}
}

// logBegun tells what a job begins with.
func logBegun(logger *zap.Logger, e stream.Begun) {
	if e.From == "" {
		logger.Info("started from scratch", zap.Any("offsets", e.Offsets))
	} else {
		logger.Info("started from the state of a backfill", zap.String("sha256", e.From), zap.Any("offsets", e.Offsets))
	}
	if e.TooLate {
		logger.Warn("every record of the input is earlier than the start time of the job, so the job starts at the end and learns none of the existing records", zap.Any("offsets", e.Offsets))
	}
}

func logElsewhere(logger *zap.Logger, e stream.StateElsewhere) {
	what := "the job starts from scratch at stream.start, and its versions count from 0 again"
	if e.Snapshot {
		what = "the job continues from the snapshot on the state topic"
	}
	logger.Warn("the job's weights on the model topic come from a state that is not on the state topic: "+what+
		"; if topics.state was changed by mistake, stop and set it back; to start from scratch on purpose, use `fairstream state reset` instead",
		zap.String("model_topic", e.Topics.Model), zap.String("state_topic", e.Topics.State), zap.Int64("version", e.Version), zap.Int64("term", e.Term))
}

func logPublished(logger *zap.Logger, e stream.Published) {
	var quality zap.Field
	if r := &e.Measurements.Recent; r.Predictions != nil {
		quality = zap.Object("mse", measure(r.MSE))
	} else {
		quality = zap.Object("accuracy", measure(r.Accuracy))
	}
	fields := []zap.Field{zap.Int64("version", e.Version), zap.Int64("term", e.Term), zap.String("weights_sha256", e.SHA256),
		zap.Int("bytes", e.Bytes), quality, zap.Array("constraints", estimates(e.Measurements.Constraints))}
	logger.Info("weights published", fields...)
	for _, c := range e.Measurements.Conditions {
		logger.Warn("condition", zap.String("code", string(c.Code)), zap.String("constraint", c.Constraint), zap.String("detail", c.Detail))
	}
}

// logOutage tells the first failure, and those after which the pause no longer grows once in a while.
func logOutage(logger *zap.Logger, e stream.KafkaOutage) {
	const again = 30
	switch {
	case e.GivenUp:
		logger.Info("kafka operation failed and is not retried", zap.String("operation", e.Operation), zap.Error(e.Err))
	case e.Err == nil:
		logger.Info("kafka operation works again", zap.String("operation", e.Operation), zap.Duration("after", time.Since(e.Since)))
	case e.Attempt == 1 || e.Attempt%again == 0:
		logger.Warn("kafka operation failed and is retried", zap.String("operation", e.Operation), zap.Int("attempt", e.Attempt), zap.Duration("pause", e.Pause), zap.Error(e.Err))
	default:
		logger.Debug("kafka operation failed and is retried", zap.String("operation", e.Operation), zap.Int("attempt", e.Attempt), zap.Duration("pause", e.Pause), zap.Error(e.Err))
	}
}

// measure writes a number into a log entry: never without its interval, and how many records it is of.
type measure fairness.Measure

// MarshalLogObject is part of zapcore.ObjectMarshaler.
func (m measure) MarshalLogObject(to zapcore.ObjectEncoder) error {
	to.AddFloat64("value", m.Value)
	to.AddFloat64("lo", m.Lo)
	to.AddFloat64("hi", m.Hi)
	to.AddFloat64("level", m.Level)
	to.AddInt64("records", m.Records)
	return nil
}

// estimates writes constraints into a log entry: never a difference without its interval and status.
type estimates []fairness.Estimate

// MarshalLogArray is part of zapcore.ArrayMarshaler.
func (all estimates) MarshalLogArray(to zapcore.ArrayEncoder) error {
	for _, e := range all {
		err := to.AppendObject(zapcore.ObjectMarshalerFunc(func(o zapcore.ObjectEncoder) error {
			o.AddString("name", e.Name)
			o.AddString("criterion", string(e.Criterion))
			o.AddFloat64("tau", e.Tau)
			o.AddString("status", string(e.Status))
			if e.Status != fairness.NotEstimable {
				o.AddFloat64("value", e.Value)
				o.AddFloat64("lo", e.Lo)
				o.AddFloat64("hi", e.Hi)
			}
			return nil
		}))
		if err != nil {
			return err
		}
	}
	return nil
}

// logDecisions tells of a changed verdict on the decisions as they were made, or of an alarm.
func logDecisions(logger *zap.Logger, d stream.DecisionsChanged) {
	write := logger.Info
	if d.Event.Kind == monitor.AlarmRaised || d.Event.To == fairness.Violated {
		write = logger.Warn
	}
	fields := []zap.Field{zap.String("subject", d.Subject), zap.String("constraint", d.Comparison.Name), zap.String("criterion", string(d.Comparison.Criterion)),
		zap.String("group", d.Comparison.GroupLabel()), zap.String("versus", d.Comparison.VersusLabel()), zap.Float64("tau", d.Comparison.Tau),
		zap.Int64("record", d.Event.Record)}
	if d.Event.Kind == monitor.VerdictChanged && d.Event.To != fairness.NotEstimable {
		fields = append(fields, zap.Float64("difference", d.Event.Value), zap.Float64("lo", d.Event.Lo), zap.Float64("hi", d.Event.Hi))
	}
	write("decisions: "+told(d.Event), fields...)
}

func logRequested(logger *zap.Logger, e stream.Requested) {
	r := &e.Request
	fields := []zap.Field{zap.String("action", r.Action), zap.Int64("version", r.Version), zap.Int64("term", r.Term), zap.String("actor", r.Actor),
		zap.String("reason", r.Reason), zap.String("host", r.Host), zap.String("id", r.ID)}
	if e.Answer.Refused != "" {
		logger.Warn("a request about releases was refused", append(fields, zap.String("refused", e.Answer.Refused))...)
		return
	}
	logger.Info("a request about releases was carried out", fields...)
}
