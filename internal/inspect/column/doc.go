// Package column checks each column by itself: whether it is a feature, how its texts and numbers are written, and what its name says.
//
// Its files, in the order in which they are read:
//
//	kinds.go        no feature at all; columns that are no features: times, identifiers, texts, numbers spoilt by texts, formatted
//	                amounts, repeated header line; types declared wrongly in learner.columns
//	arrays.go       arrays of which each place is a feature
//	lines.go        lines that are sums (Total), and lines lost in a text behind an unclosed quotation mark
//	texts.go        features written in several spellings, in another encoding, as dates or amounts for people, as nested objects;
//	                points between thousands
//	misread.go      texts cut to one length, day and month first in one column, 1.23E+05, words of programs (NULL, #N/A), HTML codes
//	numbers.go      codes for "not known" (-9, 999), numbers of two kinds or far above all others, a postcode or other code learnt as an
//	                amount, times ten, filled-in values, wrong signs
//	limits.go       numbers cut off at the largest of 16 or 32 bits, capped, or wrapped below 0; numbers beside ranges
//	missing.go      record.missing that lists real values; cells left empty as in merged cells
//	parted.go       a column that says train or test
//	spreadsheet.go  as many records as a spreadsheet holds; dates that became numbers of days
//	names.go        names of columns: predictions, decisions, what comes later, weights, ages nobody has; header missing, test records,
//	                yes in several spellings, 1-2 turned to a date, times for "never"
package column
