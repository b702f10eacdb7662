package board

import (
	"maps"
	"slices"
)

// conditionWords say each condition in a sentence for somebody who answers for the decisions and does not run the job: what is the case, and what
// follows from it. Detail has keys and commands, for those who do.
var conditionWords = map[string]string{
	"one_label":                "All outcomes so far are the same. There is nothing to learn yet, so no version is published.",
	"nothing_estimable":        "No difference can be measured yet, so no version is published.",
	"no_labels":                "Many records have come, and no outcome. Nothing can be learnt before outcomes come, so no version is published.",
	"labels_selective":         "Outcomes are known for some kinds of records more often than for others. Records with an outcome are weighted to stand for all of them, and no comparison that needs outcomes is reported as within its limit.",
	"labels_never":             "For one group, or one kind of decision, no outcome ever becomes known. Comparisons that need outcomes cannot be made.",
	"labels_open":              "Many outcomes have not come yet, so it is not known which of them never will.",
	"unreachable":              "On recent records, no useful version keeps this limit.",
	"too_few_records":          "One of the groups has too few records to be measured.",
	"imprecise":                "There are too few records to show whether the difference is within the limit or beyond it.",
	"tau_below_sampling_error": "There are too few records for this limit: chance alone could push new decisions beyond it. Use a larger limit, or wait for more records.",
	"groups_ignored":           "There are more groups than can be compared. Those that appeared last are left out.",
	"unsteady":                 "The records have changed more than once lately, or are still changing. What holds for recent records may not hold for the next ones, so find out what changed at their source.",
	"one_side_away":            "One of the groups has not appeared for a while, so its present rate is not known.",
	"fields_moved":             "The newest records are unlike those before them, so the next ones may be unlike both. The records may come sorted, or something may have changed at their source.",
	"one_value":                "All records so far have the same value in some column, so records with another one are unknown. The records may come sorted.",
	"price_jumped":             "Keeping the limits suddenly costs more accuracy than before, or less. Find out what changed in the records.",
	"group_below_smoothing":    "One of the groups makes up less than 1 % of the records, so its difference is corrected slowly.",
	"missing_with_bias":        "Records in which the group is not given differ from the others, so the verdict may not hold for them.",
	"mostly_missing":           "In more than half of the recent records the group is not given. The verdict covers the others only.",
	"one_label_recently":       "All recent outcomes are the same, which is hardly chance. Check where the outcomes come from.",
	"columns_ignored":          "The records have more columns than are used. The last ones are left out.",
	"columns_left_out":         "Some columns are not used, because they have a new value in nearly every record.",
	"vocabulary_full":          "The columns have more different values than can be told apart. The rare ones are treated alike.",
	"few_records_per_weight":   "There are few records for so many columns, which costs accuracy.",
	"constant_decision":        "Nearly everybody gets the same decision, so a difference between groups cannot show.",
	"no_better_than_constant":  "The decisions are hardly better than giving everybody the same one. Check the columns and the outcome before you use them.",
	"no_stable_version":        "No version has passed all tests yet. Until one has, the newest version is in use.",
	"candidates_rejected":      "Several new versions in a row did not pass their tests.",
	"stable_gone":              "The weights of the version in use are no longer stored.",
	"stable_marked":            "The version in use is beyond its tolerance. It stays, because no earlier version is better.",
	"releases_paused":          "A person has paused new versions, so none comes into use.",
	"stable_pinned":            "A person has ordered the version in use to stay, whatever its tests show.",
	"stable_not_moved":         "The version in use is an older one. This job neither tests nor replaces it at present.",
	"saving_stuck":             "Progress has not been saved for a while. If the job stopped now, that work would be repeated.",
	"state_garbage":            "Some of the saved data of the job cannot be read. It has no effect.",
	"schema_unfit":             "Records from some sources are set aside, because they lack what the job needs.",
	"schema_awaited":           "Records are waiting, because the description of their format cannot be read yet.",
	"topic_settings":           "Something that the job stores was deleted, or is stored in a way that can lose it.",
	"repeated_records":         "Many recent decisions look like copies of each other, so the verdict may be too confident.",
	"persons_unknown":          "Many records do not identify the person, so the verdict may be too confident.",
	"history_damaged":          "Entries of the job's history are missing, were changed, or were written by somebody else.",
	"time_ahead":               "By their times, the records are from the future, so the job stops waiting for their outcomes too early. Check the clocks that these times come from.",
	"models_ignored":           "There are more models than can be watched. Those that appeared last are left out.",
	"monitor_stopped":          "Because of a defect in fairstream, decisions are no longer watched: no verdict changes, and no alarm is raised.",
	"releases_stopped":         "Because of a defect in fairstream, versions are no longer tested, and none is withdrawn.",
	"events_stopped":           "Because of a defect in fairstream, other applications are no longer told what happens here.",
	"page_stopped":             "Because of a defect in fairstream, this page no longer follows the job.",
}

// ConditionCodes are all codes, sorted.
func ConditionCodes() []string { return slices.Sorted(maps.Keys(conditionWords)) }

// ConditionWords is a condition in a sentence for somebody who does not run the job; empty if the code is unknown.
func ConditionWords(code string) string { return conditionWords[code] }

// complete fills in the sentence.
func (c *Condition) complete() {
	if c.Text = conditionWords[c.Code]; c.Text == "" {
		c.Text = "Something about the job needs attention. Ask those who run it."
	}
}
