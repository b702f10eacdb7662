// Package reference finds the optimum of problem (P) over a data set to high
// accuracy, off line and with as many passes as it takes: the point against which
// optimality gaps are measured. The paper used MATLAB's fmincon.
//
// It imports pkg/csspa and gonum/optimize, and nothing else of the project.
package reference
