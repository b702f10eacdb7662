// Package licences says which modules are linked into a program, and under which licences they stand.
//
// Its files, in the order in which they are read:
//
//	recognise.go  the text of a licence to its SPDX identifier
//	modules.go    the modules that a program is linked from
//	notice.go     NOTICE, and the texts of all licences
//
// It may import nothing of the project.
package licences
