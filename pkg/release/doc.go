// Package release decides which version of the weights is stable. A version becomes stable only on evidence about itself, and a stable
// version that leaves its limits is withdrawn. The package does no input or output and uses no clock: everything counts records.
//
//	published ──Offer──▶ waiting ──▶ candidate ──all gates met──▶ stable ──a later one is promoted──▶ former
//	                        │           │                           │  ▲                               │
//	                        ▼           ▼                           │  └── better since an alarm ◀─────┘
//	                    superseded   rejected                       ▼
//	                                                             withdrawn
//
//	record, decisions of Wanted ──Observe, Label──▶ evidence ──every 64 records──▶ Step, Aliases, Report
//
// One candidate is tested at a time, frozen by its hash. Only records after the freeze are evidence. The candidate, the stable version
// and the best of the last stable versions (the anchor) decide the same records, and the machine compares their decisions:
//
//   - each declared comparison of groups, by a confidence sequence, with a limit somewhat beyond tau;
//   - log loss and error, by a confidence sequence of the paired difference with the anchor and the stable version;
//   - the integrity of the document.
//
// For a regression, Config.Regression is set and Decision.Score is the prediction. Groups are compared by mean predictions, and versions by squared
// error.
//
// Each gate is met, violated, inconclusive or not estimable. If all are met, the candidate is stable; if one is violated, or the deadline
// passes, it is rejected. A bad version fails at least one gate, and is promoted only if the sequence of this very gate is wrong: so each
// gate has the whole level, and the probability is at most the level for each bad version, however many gates there are (the
// intersection–union test; Berger, Technometrics 24, 1982, pp. 295–300).
//
// docs/releases.md explains states, gates and rules for users.
//
// A file uses only those before it:
//
//	version.go   versions, records and decisions that come in; the last stable versions (release.anchors), and the best of them, the anchor
//	gate.go      a gate, its verdict met, violated or inconclusive, and its name in words
//	config.go    the section release: keys, defaults, checks; the limit beyond tau (0.02, or 1.4 tau); run_length and alarm_run_length as the evidence
//	             that withdraws or alarms
//	evidence.go  paired differences of losses and of means, their confidence sequences, and how many more records a verdict takes
//	step.go      the kinds of steps: frozen, promoted, rejected, superseded, alarm, violated, withdrawn, marked, cleared, rolled_back, paused, pinned,
//	             gone, restarted
//	trial.go     each gate of a candidate: integrity (most_bytes), comparisons, log loss and error (delta, minimum_labels); minimum_records,
//	             most_unknown, small_groups
//	watch.go     the test of withdrawal in one comparison, and an earlier version beside the stable one: of rates, of means; when an alarm about means
//	             ends
//	guard.go     the stable version: whether an earlier one is better, whether it is within its limit again, comparisons that are not watched
//	machine.go   what a machine holds; which versions have to decide records, which documents stay, where aliases point
//	change.go    a version is offered, frozen, rejected, promoted, barred or gone; the test ends of a version that becomes stable otherwise; weights
//	             offered again; release.cool_down
//	inquiry.go   verdicts (violated, violated_ended) and alarms of the stable version become steps, and what follows: withdrawn, marked or cleared;
//	             the words of their reasons
//	observe.go   one record or label for candidate and stable version; every 64 records: promoted, rejected by a gate, by deadline or by patience
//	command.go   orders of persons: roll back, promote, pause, pin, each with its refusals
//	report.go    what the machine knows at one moment, for page and commands
//	state.go     what a snapshot saves, its format, and when the evidence begins again
//
// The state is a pure function of settings, records and commands: a machine that is restored continues as if it had never stopped. A step
// allocates nothing while nothing changes. A Machine belongs to one goroutine.
package release
