// Package parquetlines reads a Parquet file as lines of JSON, one object a row, so that everything that reads records
// reads Parquet too.
//
//	open.go   Parquet files: footers, row groups, bounds, damaged or encrypted ones
//	value.go  a row of Parquet as JSON: lists, maps, dates, timestamps, UUIDs
//
// A group becomes an object, a list an array, and a map an object with its keys as names. A group that is null is left
// out, any other null is null. Dates and times become texts in RFC 3339, times without a zone have none. NaN is null.
package parquetlines
