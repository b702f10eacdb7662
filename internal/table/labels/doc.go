// Package labels finds what goes with the labels of a table, and where it does not as elsewhere.
//
// Its files, in the order in which they are read:
//
//	telling.go  when a value gives the label, or the group, away
//	settled.go  when all rows with a value have one label by a rule
//	points.go   rows with a number and a label, sorted
//	jump.go     when the share of positive labels jumps at a number
//	decided.go  when a threshold of one column decides all labels in a part of the rows
//	binned.go   what all columns tell of each row's label, added up (naive Bayes)
//	flipped.go  when labels are turned round (yes and no swapped), or severed from the columns, in a part of the rows; of groups
//	            app/statement/columns.go says so
//	ending.go   when the newest labels are all alike, so probably not known yet
package labels
