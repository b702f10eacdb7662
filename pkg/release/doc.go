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
//	version.go   what comes in: versions, integrity, records with decisions; the last stable versions, and the best of them
//	gate.go      a requirement of a candidate, and its verdict
//	config.go    settings, and the limits that follow from them
//	evidence.go  paired losses and means, their sequences, and how many more records a verdict takes
//	step.go      the kinds of steps: promoted, rejected, withdrawn, …
//	trial.go     the test of a candidate: its evidence and its gates
//	watch.go     the test of withdrawal in one comparison, and an earlier version beside the stable one: of rates, of means
//	guard.go     the evidence about the stable version after its promotion
//	machine.go   what a machine holds, wants and tells
//	change.go    a version is offered, frozen, rejected, promoted, or gone
//	inquiry.go   a verdict or an alarm of the stable version, and what follows: it is withdrawn, or marked
//	observe.go   one record, one label, and the steps that follow
//	command.go   orders of persons: roll back, promote, pause, pin; barred weights
//	report.go    what the machine knows at one moment
//	state.go     what a snapshot saves
//
// The state is a pure function of settings, records and commands: a machine that is restored continues as if it had never stopped. A step
// allocates nothing while nothing changes. A Machine belongs to one goroutine.
package release
