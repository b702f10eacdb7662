// Package board is what a person or a program sees of a job: a page in the browser, and the JSON that it is made of.
//
//	Source ──▶ Status, Series ──▶ hub ──▶ /api/v1/events   every open page, one serialisation for all
//	                        └──▶ /api/v1/status, /api/v1/series
//	                             / and /assets/            the page: HTML, CSS and JavaScript in the binary
//
// Files, in the order to read them:
//
//	number.go      a number that may be unknown
//	constraint.go  a constraint and what its decisions show
//	groups.go      subjects, groups, gaps, calibration and drivers
//	past.go        published versions, and the history
//	release.go     which version is stable, and what its successor lacks
//	serving.go     which version serves where
//	conditions.go  each condition in a sentence; who finds it says when it holds
//	status.go      what a job's status is: the answer of /api/v1/status
//	settings.go    the keys of a configuration in words
//	series.go      a constraint over time: the types of /api/v1/series
//	words.go       a verdict in one plain sentence
//	deciding.go    the decisions that count, and the answers to what a person asks first
//	still.go       the answers while the job stands still or Kafka is away
//	covers.go      what the comparisons leave out
//	source.go      the interface that run, monitor and demo implement
//	hub.go         one serialisation of what is new, for all open pages
//	jobs.go        the jobs of one process: the answer of /api/v1/jobs
//	handler.go     HTTP: files, JSON, server-sent events, and the headers that protect them
//
// docs/api.md describes the JSON. Every share is between 0 and 1. A [Number] that is not known is null in JSON, and never 0.
//
// It may import pkg/fairness.
package board
