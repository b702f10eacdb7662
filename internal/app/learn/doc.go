// Package learn is a learner that another program feeds through a pipe: the estimators of the Python package.
//
// A request is a byte that says what to do, a length (uint64, little-endian) and so many bytes; it is answered by a byte, a
// length and so many bytes again:
//
//	request  bytes                                          answer
//	C        the configuration, as JSON or YAML             nothing
//	R        a state (after C)                              nothing; the learner of this state goes on
//	L        CSV with a header line: records to learn       for each row the margin that it was measured by, NaN if it was not
//	P        CSV with a header line: records to weigh       for each row its margin, then for each its probability, NaN without one
//	D        nothing                                        the weight document
//	S        nothing                                        the state
//
// Numbers are float64, little-endian. The byte of an answer is +, or - before a message that says what is wrong. After - of L no
// record of the request was learnt. The end of the input ends the program.
//
// Its files, in the order in which they are read:
//
//	frame.go    requests and answers of the pipe to Python as bytes, and how long a request may be
//	batch.go    the CSV of a request decoded: one bad row spoils all
//	session.go  each request of the Python estimators: configure, restore, learn, predict, document, state
//
// It may import what is learnt with, app/program and internal/config.
package learn
