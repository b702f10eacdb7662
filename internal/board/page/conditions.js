// What to know first: each condition in a plain sentence, with the details for those who run the job.
import { $, changed, fill, h, show } from './dom.js'

const sentences = {
  one_label: 'All outcomes so far are the same, so there is nothing to learn yet and no weights are published.',
  nothing_estimable: 'No bound can be measured yet, so no weights are published.',
  unreachable: 'On recent records no useful weights keep this bound.',
  too_few_records: 'One of the groups has too few records to be measured.',
  imprecise: 'There are too few records to show that the difference is within the bound.',
  tau_below_sampling_error: 'Too few records for this bound: chance alone could push new decisions past it. Use a larger bound, or wait for more records.',
  groups_ignored: 'There are more groups than can be compared. Those that appeared last are left out.',
  unsteady: 'The records have changed more than once lately. What holds for recent records may not hold for the next ones; find out what changed in the source.',
  one_side_away: 'One of the groups has not appeared for a while, so its present rate is not known.',
  fields_moved: 'The newest records are unlike those before in some fields, so the next ones may be unlike both. They may come sorted, or something changed in their source.',
  one_value: 'All records so far have the same value in some column, so nothing is known of records with another one. They may come sorted.',
  price_jumped: 'The accuracy that the bounds cost has changed suddenly. Find out what changed in the records.',
  group_below_smoothing: 'One of the groups is less than 1 % of the records, so it is corrected slowly.',
  missing_with_bias: 'Records without the attribute differ from the others, so the verdict may not hold for them.',
  mostly_missing: 'More than half of the recent records lack the attribute. The verdict is about the others only.',
  one_label_recently: 'All recent outcomes are the same, which is hardly chance. Check the source of the outcomes.',
  columns_ignored: 'The records have more columns than are used. The later ones are ignored.',
  columns_left_out: 'Some columns are not used, because nearly every record has a different value there.',
  vocabulary_full: 'There are more distinct values than weights, so later values share weights.',
  few_records_per_weight: 'There are few records for the number of weights, which costs accuracy.',
  constant_decision: 'Nearly everybody gets the same decision, so equal treatment says little.',
  no_better_than_constant: 'The decisions are hardly better than giving everybody the same one. Check the columns and the label before you use them.',
  no_stable_version: 'No version has passed all tests yet, so services use the newest one.',
  candidates_rejected: 'Several new versions in a row did not pass their tests.',
  stable_gone: 'The document of the deciding version is missing.',
  stable_marked: 'The deciding version is outside its limit and stays, because no earlier version is better.',
  releases_paused: 'A person has paused the change to new versions.',
  stable_pinned: 'A person has fixed the deciding version, whatever its evidence says.',
  stable_not_moved: 'The deciding version does not follow this job at present.',
  saving_stuck: 'Progress has not been saved for a while.',
  state_garbage: 'Some saved records of the job cannot be read; they have no effect.',
  schema_unfit: 'Records of some producers are set aside, because their description lacks what the job needs.',
  schema_awaited: 'Records are waiting until the description of their format can be read.',
  topic_settings: 'A topic of the job was deleted or has settings that can lose data.',
  repeated_records: 'Many recent decisions look like copies of each other, so the verdict may be too sure.',
  persons_unknown: 'Many records do not name the person, so the verdict may be too sure.',
  history_damaged: 'The history of the job has missing, changed or foreign entries.',
  models_ignored: 'There are more models than can be watched. Those that appeared last are left out.',
  monitor_stopped: 'Because of a defect in fairstream, decisions are no longer watched.',
  releases_stopped: 'Because of a defect in fairstream, versions are no longer tested.',
  events_stopped: 'Because of a defect in fairstream, other programs no longer hear of what happens.',
  page_stopped: 'Because of a defect in fairstream, this page no longer follows the job.',
}

export function draw(status) {
  const list = status.conditions ?? []
  if (!changed('conditions', list)) return
  show($('conditions'), list.length > 0)
  fill($('conditions-list'), list.map(c => h('li', {}, c.constraint ? [h('strong', {}, c.constraint + ':'), ' '] : null, h('span', {}, sentences[c.code] ?? 'Something about the job needs attention.'),
    h('details', { 'data-name': `${c.code} ${c.constraint}` }, h('summary', {}, 'Details for those who run the job'), h('p', {}, quoted(c.detail), ' ', h('code', {}, c.code))))))
}

// quoted shows what stands between backticks as code.
const quoted = text => text.split('`').map((part, at) => at % 2 ? h('code', {}, part) : part)
