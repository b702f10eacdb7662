// Package story has the jobs whose page the tests look at and the documents show. They are made up in one respect only: their records come from the
// census, in a time and on a broker that a test makes. Learner, monitor, tests of versions, history and page are the program's own, so that the numbers
// and times on one page agree as they do in use.
//
//	world.go  a job in a time that moves only while nothing is to be done
//	plots.go  what happens when, in each story
//	job.go    a board.Source that shows a moment of a story
package story
