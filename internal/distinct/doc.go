// Package distinct tells the different values and columns of records apart, without the time and the memory that a map takes for each value of
// each record.
package distinct
