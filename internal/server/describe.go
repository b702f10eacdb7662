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
	ready = describe("ready", "1 while the stream learns, or is ready to take over as standby, and all Kafka operations succeed.")
	phase = describe("phase", "1 for the present phase of the stream.", "phase")
	term  = describe("term", "Term of this process. Each owner of the job has a higher term than the owners before it.")

	learnt      = describe("records_learnt_total", "Records learnt since the job began, including earlier processes.")
	rejected    = describe("records_rejected_total", "Records rejected since the job began, including earlier processes.", "reason")
	deadLetters = describe("dead_letters_total", "Records that this process wrote to the dead-letter topic, and that Kafka acknowledged.")
	lost        = describe("offsets_lost_total", "Offsets skipped because their records no longer existed.", "partition")

	lagRecords  = describe("lag_records", "Number of offsets between the last processed record and the end of the partition.", "partition")
	lagSeconds  = describe("lag_seconds", "Age of the last processed record while more records wait; otherwise 0.", "partition")
	nextOffset  = describe("next_offset", "Next offset to process.", "partition")
	endOffset   = describe("end_offset", "End of the readable part of the partition.", "partition")
	startOffset = describe("start_offset", "Start of the partition's log. Records are lost when it passes next_offset.", "partition")

	unstable = describe("transaction_offsets", "Number of written offsets that cannot be read until an earlier transaction ends.", "partition")

	heldSeconds = describe("partition_held_seconds", "How long the partition has waited for the schema of its next record; otherwise 0.", "partition")

	saves           = describe("snapshots_total", "Snapshots saved by this process.")
	snapshotAge     = describe("snapshot_age_seconds", "Age of the state in the latest snapshot.")
	snapshotBytes   = describe("snapshot_bytes", "Size of the latest snapshot.")
	snapshotSeconds = describe("snapshot_save_seconds", "Time that it took to save the latest snapshot.")
	snapshotVersion = describe("snapshot_version", "Number of records learnt in the latest snapshot.")

	publications     = describe("publications_total", "Weight documents published by this process.")
	publishedVersion = describe("published_version", "Number of records learnt in the latest published weights; 0 before the first publication.")
	publishedAge     = describe("published_age_seconds", "Time since this process last published weights.")
	modelBytes       = describe("published_bytes", "Size of the latest published weight document.")

	failures   = describe("kafka_failures_total", "Kafka operations that failed and were retried.", "operation")
	outagesNow = describe("kafka_outages", "Number of Kafka operations that fail at present.")

	connectionsClosed = describe("http_connections_closed_total", "Connections to the HTTP server that were closed, while their clients were idle or slow, to make room for new ones.")

	waiting      = describe("labels_waiting", "Number of records that wait for their label.")
	heldLabels   = describe("labels_held", "Labels that are known, and held until their record is as old as stream.labels.age.")
	waitingBytes = describe("labels_waiting_bytes", "Size of the records that wait for their label, or whose label is held, in bytes.")
	scored       = describe("labels_scored_total", "Records scored when they arrived without a label.")
	joined       = describe("labels_joined_total", "Records learnt with a label that came later.")
	unlabelled   = describe("labels_dropped_total", "Records dropped from a full label buffer, and never learnt.")
	expired      = describe("labels_expired_total", "Records that waited for their label for longer than stream.labels.age, and are never learnt.")
	waitingLost  = describe("labels_lost_total", "Records that waited for their label on a topic that was deleted, or cannot be read any more, and are never learnt.")
)

// The learner's own measurements. Every record is scored before it is learnt.
var (
	accuracy         = describe("accuracy", "Share of correct decisions, with its interval.", "window", "bound")
	logLoss          = describe("log_loss", "Mean logarithmic loss, with its interval.", "window", "bound")
	constantAccuracy = describe("constant_accuracy", "Accuracy of the better constant decision, with its interval.", "window", "bound")

	positiveLabels    = describe("positive_labels", "Share of positive labels, with its interval.", "window", "bound")
	positiveDecisions = describe("positive_decisions", "Share of positive decisions, with its interval.", "window", "bound")

	// For a regression, instead of the metrics above.
	meanSquaredError         = describe("mean_squared_error", "Mean squared error of the predictions, with its interval.", "window", "bound")
	constantMeanSquaredError = describe("constant_mean_squared_error", "Mean squared error if every prediction is the mean label, with its interval.", "window", "bound")
	rSquared                 = describe("r_squared", "1 - mean_squared_error / constant_mean_squared_error, with its interval; not a number while all labels are equal.", "window", "bound")

	difference       = describe("constraint_difference", "Rate (or mean prediction) of group minus that of versus, or the impact ratio where it is the criterion, with its interval; absent while not estimable.", "constraint", "criterion", "group", "versus", "bound")
	impactRatio      = describe("constraint_impact_ratio", "Lower of the two groups' rates of positive decisions over the higher, with its interval; absent while not estimable.", "constraint", "criterion", "group", "versus", "bound")
	constraintStatus = describe("constraint_status", "1 for the verdict on the constraint, from its interval: met, violated, inconclusive or not_estimable.", "constraint", "criterion", "group", "versus", "status")
	tau              = describe("constraint_tau", "Largest allowed absolute difference; for an impact ratio, least allowed ratio.", "constraint", "criterion", "group", "versus")
	enforced         = describe("constraint_enforced", "1 if the learner enforces the constraint, 0 if it only measures it.", "constraint", "criterion", "group", "versus")
	sideRate         = describe("constraint_rate", "Rate of positive decisions in one of the two groups.", "constraint", "criterion", "group", "versus", "side")
	sideMean         = describe("constraint_mean", "Mean prediction in one of the two groups, for a regression.", "constraint", "criterion", "group", "versus", "side")
	sideRecords      = describe("constraint_records", "Number of measured records in one of the two groups.", "constraint", "criterion", "group", "versus", "side")

	multiplier = describe("constraint_multiplier", "Lagrange multiplier of an enforced constraint; its sign is that of the difference it works against.", "constraint", "criterion", "group")
	tracked    = describe("constraint_tracked_difference", "Difference R(u) that the multiplier ascends on.", "constraint", "criterion", "group")
	effectiveC = describe("constraint_effective_c", "The c of the paper's threshold c*tau that was found: c*tau is V(u) + tau - R(u), V(u) being the relaxation.", "constraint", "criterion", "group")
	slackness  = describe("constraint_slackness", "Multiplier times (R(u) - target), both in the multiplier's direction: near 0 while the multiplier is right.", "constraint", "criterion", "group")
	target     = describe("constraint_target", "Target of the learner: tau minus the safety margin.", "constraint", "criterion", "group")
	reachable  = describe("constraint_reachable", "0 while no multiplier meets the constraint on recent records, otherwise 1.", "constraint", "criterion", "group")
	condition  = describe("condition", "1 while the condition holds. docs/metrics.md explains the codes.", "code", "constraint")
)
