// Package problems states the paper's applications as problems (P) of package
// csspa: the fair classifier with its three relaxations, the fair sparse additive
// model, the risk-averse portfolio, and the design of M/M/1 queues under a delay
// constraint. They are written for clarity, with dense vectors; the learner that
// runs in production is package model.
//
// Where a function has a kink or a pole, the statement says how it is smoothed or
// continued: outer functions must be smooth on all of R^d, because the values that
// they see are followed averages. It imports only pkg/csspa.
package problems
