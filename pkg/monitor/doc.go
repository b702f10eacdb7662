// Package monitor counts the decisions of a model as they are made, and reports at any time how much the rates of groups differ, how
// certain this is, and when it changed. It does no input or output and uses no clock: time is a number of records, or the event time that
// records carry.
//
//	Decision ──Observe──▶ counters ──every Look records──▶ verdicts, series ──▶ Report, Series, Events
//	label, later ──Label──▶ counters
//	                        detectors, at every record ──▶ alarms ──▶ Events
//
// A [Monitor] is about one [Subject]: the decisions of a learner as it made them, or another model's decisions. Its results
// have three layers, each under its own name:
//
//   - estimates are pointwise: an interval for one look, over all records, the recent ones, and a period of event time;
//   - a sequence holds at all looks together, over all records since the subject began, and gives the verdict;
//   - a detector raises an alarm when the difference changes, with a stated run length.
//
// One confidence and one run length are shared by all declared comparisons. docs/monitoring.md explains the numbers, and
// pkg/fairness has their definitions and sources.
//
// A file uses only those before it:
//
//	decision.go     what is observed
//	outcomes.go     the counters of a group, the rates that they give, and what labelled decisions stand for
//	frames.go       windows of counters, by records and by event time
//	calibration.go  scores against labels
//	groups.go       the groups and intersections that are counted
//	config.go       settings
//	claim.go        what a monitor says about one comparison between looks
//	gaps.go         differences of error rates, and when labels do not allow them
//	events.go       what changed, in order
//	series.go       a comparison over time, thinned
//	monitor.go      what a monitor holds, and what it knows of a comparison at any record
//	look.go         what is judged from time to time: verdicts, the end of alarms, points of the series
//	step.go         one decision, one label
//	report.go       what a monitor knows at one moment
//	state.go        what a snapshot saves
//
// The state is a pure function of settings and decisions: a monitor that is restored continues as if it had never stopped. A step
// allocates nothing, unless a group is new, a look finds too few records for a number, or labelled decisions begin to be weighed. A Monitor belongs to one goroutine; what it hands out is independent of it.
package monitor
