// Command release makes all that a version is released as, from the commit that is checked out:
//
//	go run ./release -version v1.2.3 -out ../dist
//
// Times, ids and the order of files come from the commit, so two runs give the same bytes; only Go's version has to be the same.
// It may import every package of the tools.
//
// Its files, in the order in which they are read:
//
//	payload.go   files of a release, and archives of them
//	checkout.go  a clean checkout of the commit, tagged with the version
//	program.go   the program for a platform
//	packages.go  .deb and .rpm
//	image.go     the image for two architectures, without a container engine
//	wheels.go    wheels of the Python package, which carry the program
//	sbom.go      what the program is linked from, as SPDX
//	sums.go      checksums, and their signature
//	main.go      the order of these
package main
