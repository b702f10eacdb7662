// Package steps has the step sizes of package csspa, whose users need not import it: csspa has the same names. It is a package of its own for those
// that take steps of their own by them, as mode paper of fairstream's learner does.
//
//	schedule.go  step sizes as powers of the step
//	theorem.go   step sizes of the paper's theorems, and what these guarantee of others
package steps
