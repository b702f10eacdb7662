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
//	decision.go     what is observed of a decision, and of whom it is (monitor.cluster, copies)
//	outcomes.go     counters of a group and their rates (selection_rate, tpr, fpr, ppv, accuracy); weighed labelled decisions
//	frames.go       windows of counters: all, recent (monitor.window), event time (monitor.period); late records
//	calibration.go  scores against labels, in ten bins
//	groups.go       the groups and intersections that are counted, at most 4,096
//	config.go       settings of a monitor, their defaults and checks (the keys are in internal/observe/config.go)
//	claim.go        what a step changes of one comparison: detector, alarm, last verdict
//	gaps.go         differences of rates and error rates; labels that come for one decision only; no verdict met where labels are weighed
//	events.go       verdict changed, alarm raised, alarm ended: the newest 256
//	series.go       a comparison over time, thinned to 384 points
//	monitor.go      what a monitor holds; which sequence the verdict rests on: at equal time, or of the totals for a ratio or exact
//	look.go         every 64 records: a verdict changes, an alarm ends once the recent window is within tau, a point of the series
//	step.go         one decision, one label: which counters they add to, one of each person, and when the detector raises an alarm
//	report.go       what a monitor knows at one moment; records needed for a verdict, impact ratios of groups, how soon an alarm would come
//	state.go        what a snapshot saves, and which settings begin it again
//
// The state is a pure function of settings and decisions: a monitor that is restored continues as if it had never stopped. A step
// allocates nothing, unless a group is new, a look finds too few records for a number, or labelled decisions begin to be weighed. A Monitor belongs to one goroutine; what it hands out is independent of it.
package monitor
