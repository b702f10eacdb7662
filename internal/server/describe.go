package server

import "github.com/prometheus/client_golang/prometheus"

// described are the metrics of collector, for its Describe.
var described []*prometheus.Desc

func describe(name, help string, labels ...string) *prometheus.Desc {
	d := prometheus.NewDesc("fairstream_"+name, help, labels, nil)
	described = append(described, d)
	return d
}

// The stream.
var (
	ready = describe("ready", "1 while the stream learns, or stands by to take over, and every operation of Kafka works.")
	phase = describe("phase", "1 for the phase that the stream is in.", "phase")
	term  = describe("term", "Term of this process: each owner of the job has a higher one than those before it.")

	learnt      = describe("records_learnt_total", "Records learnt since the job began, over restarts.")
	rejected    = describe("records_rejected_total", "Records rejected since the job began, over restarts.", "reason")
	deadLetters = describe("dead_letters_total", "Records written to the dead-letter topic and acknowledged, by this process.")
	lost        = describe("offsets_lost_total", "Offsets passed over because the log no longer held them.", "partition")

	lagRecords  = describe("lag_records", "Offsets between the last processed record and the end of the partition.", "partition")
	lagSeconds  = describe("lag_seconds", "Age of the last processed record while there are others to process, else 0.", "partition")
	nextOffset  = describe("next_offset", "Offset to be processed next.", "partition")
	endOffset   = describe("end_offset", "End of what can be read of the partition.", "partition")
	startOffset = describe("start_offset", "Beginning of the partition's log: when it passes next_offset, records are lost.", "partition")

	unstable = describe("transaction_offsets", "Offsets that are written and cannot be read until a transaction before them ends.", "partition")

	saves           = describe("snapshots_total", "Snapshots saved by this process.")
	snapshotAge     = describe("snapshot_age_seconds", "Time since the state of the latest snapshot.")
	snapshotBytes   = describe("snapshot_bytes", "Size of the latest snapshot.")
	snapshotSeconds = describe("snapshot_save_seconds", "How long it took to save the latest snapshot.")
	snapshotVersion = describe("snapshot_version", "Learnt records in the latest snapshot.")

	publications     = describe("publications_total", "Weight documents published by this process.")
	publishedVersion = describe("published_version", "Learnt records in the latest published weights; 0 before the first.")
	publishedAge     = describe("published_age_seconds", "Time since weights were published by this process.")
	modelBytes       = describe("published_bytes", "Size of the latest published weight document.")

	failures   = describe("kafka_failures_total", "Attempts of Kafka operations that failed and were tried again.", "operation")
	outagesNow = describe("kafka_outages", "Kafka operations that fail now.")

	waiting      = describe("labels_waiting", "Records that wait for their label.")
	waitingBytes = describe("labels_waiting_bytes", "Bytes of the records that wait for their label.")
	scored       = describe("labels_scored_total", "Records scored when they came without a label.")
	joined       = describe("labels_joined_total", "Records learnt when their label came.")
	unlabelled   = describe("labels_dropped_total", "Records that gave way in a full label buffer, and were never learnt.")
)

// What the learner measures of itself. Every record is decided before it is learnt.
var (
	accuracy         = describe("accuracy", "Share of right decisions, with its interval.", "window", "bound")
	logLoss          = describe("log_loss", "Mean logarithmic loss, with its interval.", "window", "bound")
	constantAccuracy = describe("constant_accuracy", "Accuracy of the better constant decision, with its interval.", "window", "bound")

	positiveLabels    = describe("positive_labels", "Share of positive labels, with its interval.", "window", "bound")
	positiveDecisions = describe("positive_decisions", "Share of positive decisions, with its interval.", "window", "bound")

	// Of a regression, in the place of these.
	meanSquaredError         = describe("mean_squared_error", "Mean squared error of the predictions, with its interval.", "window", "bound")
	constantMeanSquaredError = describe("constant_mean_squared_error", "Mean squared error of the mean label, with its interval.", "window", "bound")
	rSquared                 = describe("r_squared", "1 less mean_squared_error / constant_mean_squared_error, with its interval; not a number while all labels are equal.", "window", "bound")

	difference       = describe("constraint_difference", "Rate, or mean prediction, of the group minus that of versus, with its interval; absent while not estimable.", "constraint", "criterion", "group", "versus", "bound")
	constraintStatus = describe("constraint_status", "1 for the verdict of the interval on the constraint: met, violated, inconclusive or not_estimable.", "constraint", "criterion", "group", "versus", "status")
	tau              = describe("constraint_tau", "Largest difference allowed.", "constraint", "criterion", "group", "versus")
	enforced         = describe("constraint_enforced", "1 if the constraint is to be kept, 0 if it is only measured.", "constraint", "criterion", "group", "versus")
	sideRate         = describe("constraint_rate", "Rate of positive decisions of a side.", "constraint", "criterion", "group", "versus", "side")
	sideMean         = describe("constraint_mean", "Mean prediction of a side, of a regression.", "constraint", "criterion", "group", "versus", "side")
	sideRecords      = describe("constraint_records", "Records of a side that were measured.", "constraint", "criterion", "group", "versus", "side")

	multiplier = describe("constraint_multiplier", "Lagrange multiplier of an enforced constraint.", "constraint", "criterion")
	target     = describe("constraint_target", "Difference that is aimed at: tau less the safety margin.", "constraint", "criterion")
	reachable  = describe("constraint_reachable", "0 while no multiplier keeps the constraint on recent records.", "constraint", "criterion")
	condition  = describe("condition", "1 for what a person should know of before trusting the weights.", "code", "constraint")
)
