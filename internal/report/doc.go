// Package report writes what replay found as one page for a browser: what each bound costs, how each group is treated,
// which columns move the groups apart, and whether scores mean what they say. The page is complete in itself: it has no
// script and asks for nothing over the network.
//
//	page.go   what the page of replay --report holds; verdicts in words
//	chart.go  scales and ticks of its figures
//	draw.go   its figures: accuracy against difference, rates, columns, calibration
//	write.go  the page made from page.html and page.css
//
// Names of fields, groups and files come from records. html/template escapes them.
package report
