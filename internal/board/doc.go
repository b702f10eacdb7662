// Package board is what a person or a program sees of a job: a page in the browser, and the JSON that it is made of.
//
//	Source ──▶ Status, Series ──▶ hub ──▶ /api/v1/events   every open page, one serialisation for all
//	                        └──▶ /api/v1/status, /api/v1/series
//	                             / and /assets/            the page: HTML, CSS and JavaScript in the binary
//
// Files, in the order to read them:
//
//	number.go           a number that may be unknown: null in JSON, never 0
//	constraint.go       JSON of a comparison: value, interval, sequence, alarm and its plan, recent difference, impact_ratio, effective_n
//	groups.go           JSON of subjects, groups and intersections, gaps, calibration and drivers; clusters
//	past.go             JSON of published versions, changes of the configuration and entries of the history; how many entries are shown
//	release.go          JSON of the releases; the words of a gate: passed, failed, beyond the limit but within the tolerance
//	serving.go          JSON of which instances serve which version, from heartbeats
//	conditions.go       the sentence of each condition, by its code, for the page and the index of jobs; whoever finds a condition says when it holds
//	status.go           JSON of /api/v1/status as a whole: role, phase, readiness, outage, records, warm-up, quality, lag of partitions
//	settings.go         keys of the configuration and their changes in words: "Comparison 1: the limit is now 0.05; before, it was 0.1"
//	series.go           JSON of /api/v1/series: points and marks of a comparison over time, and their bounds
//	words.go            the sentence of a verdict; which difference is shown beside the shares; names of criteria in words; digits, signs and numbers
//	                    close to tau
//	deciding.go         about which decisions the page is (stable version, newest weights, monitored model); headline Yes, No, Not known, Alarm,
//	                    "Nearly everybody …" (95 %); how sure; who is worse off
//	still.go            the answers put into the past: the job has stopped or ended, or Kafka is away; "not watched since"
//	covers.go           "Not judged": attributes, combinations, groups and measures that no comparison looks at, with the largest difference
//	source.go           the interface that run, monitor and demo implement
//	hub.go              who is sent what on /api/v1/events: at most 100 open pages, one serialisation for all, slow clients dropped
//	jobs.go             /api/v1/jobs, and the index page of a process with many jobs
//	handler.go          routes of the page and its API, security headers (Content-Security-Policy), refusal of other origins, ETag
//	page/index.html     the page of a job: its headings, panels, tables and dialogs
//	page/jobs.html      the index page of many jobs
//	page/style.css      colours, light and dark, and layout, on a phone too
//	page/again.js       a page of which a file did not arrive says that it is incomplete, and loads itself again
//	page/app.js         the page as a whole: what is drawn when, the notices above it (Disconnected, Stopped, Standby, Ended), token, theme
//	page/feed.js        the connection of the page: events over fetch, reconnection, the token, sending an order
//	page/dom.js         elements made without HTML text, and changed in place, so that what a person opened stays open
//	page/format.js      numbers, percentages, times, durations and criteria as the page writes them; which difference and which verdict of a row are
//	                    shown
//	page/picture.js     intervals and bars drawn in cells of tables
//	page/verdicts.js    the top of the page: headline and four answers, a card or a line for each comparison, alarms of the last week; a regression
//	                    says predictions, not decisions
//	page/timeline.js    the chart of one comparison over time: both bands, the limit, marks, its table
//	page/groups.js      tables of groups and intersections, gaps, calibration curves, drivers
//	page/releases.js    which version is in use, tests of the candidate, how near a withdrawal is; promote, roll back, pause, pin with a password
//	page/serving.js     the table of which instance uses which version, and silent ones
//	page/health.js      panels of the learner, of the stream with its lag, of published versions and of the history
//	page/conditions.js  the notes: each condition with its details
//	page/jobs.js        the rows of the index of many jobs
//
// docs/api.md describes the JSON. Every share is between 0 and 1. A [Number] that is not known is null in JSON, and never 0.
//
// It may import internal/isolate and pkg/fairness.
package board
