// Package leak checks what gives the label or the group of a record away.
//
// Its files, in the order in which they are read:
//
//	label.go   columns that give the label away: alone, by having a value, two together, or as another model's score
//	values.go  a single value that gives the label away; a column that holds the next record's label
//	group.go   proxies: columns, or flags, that give the group away
package leak
