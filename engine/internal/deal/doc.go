// Package deal has workers of an engine work on items: it deals the items to shards, and a worker works on one shard after the other.
//
// An item is a text, such as a block of a file as JSON; never a record. What workers need beside items, and what they return, goes through
// files in a folder that all of them reach. So neither a plan of a pipeline nor a message of an engine grows with the data, and a shard that an
// engine has worked on twice, because a worker died, leaves one result.
//
// Its files, in the order in which they are read:
//
//	kinds.go     what workers can do
//	pipeline.go  the pipeline: list the items, group them by shard, work, join results
//	runner.go    where pipelines run
//	run.go       from items to results
package deal
