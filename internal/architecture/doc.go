// Package architecture holds the rules of ARCHITECTURE.md that a test can enforce: which package may
// import which. It has no code of its own.
package architecture
