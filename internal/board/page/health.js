// Learner, stream, published versions and history.
import { $, changed, fill, h, show, write } from './dom.js'
import { aliases, bounds, clock, count, decimal, interval, known, level, percent, plural, range, seconds, size, tau, value, verdict, verdicts, why } from './format.js'

const phases = { starting: 'starts', standby: 'stands by', learning: 'learns', monitoring: 'watches decisions', halted: 'has stopped', draining: 'is saving', ended: 'has ended' }

// rate is a number of records a second.
const rate = x => x > 0 && x < 10 ? decimal(x, 1) : count(x)

const tile = (name, value, second, kind) => h('div', { class: 'tile ' + (kind ?? '') }, h('dt', {}, name), h('dd', {}, value, second ? h('span', { class: 'second' }, second) : null))

const names = {
  accuracy: 'Right decisions', log_loss: 'Error of the scores (log loss)', constant_accuracy: 'Right decisions if everyone got the same one', positive_decisions: 'Positive decisions',
  positive_labels: 'Positive outcomes', mse: 'Mean squared error', constant_mse: 'The same if everyone were predicted the mean', r_squared: 'R²',
}
const shares = new Set(['accuracy', 'constant_accuracy', 'positive_decisions', 'positive_labels'])

export function learner(status) {
  const { measures = [], controls = [] } = status.learner ?? {}
  const watched = [...new Set((status.constraints ?? []).filter(row => !row.enforced).map(row => row.name))]
  if (!changed('learner', [measures, controls, watched, status.phase])) return
  const recent = (measures ?? []).filter(m => m.window === 'recent')
  show($('learner-empty'), !recent.length)
  write($('learner-empty'), status.phase === 'standby' ? 'The page of the instance that runs the job shows it.' : 'Quality is measured once records are learnt.')
  const reading = m => shares.has(m.name) ? percent(m.value) : decimal(m.value)
  const ends = m => !known(m.lo) ? null : shares.has(m.name) ? `${percent(m.lo)} to ${percent(m.hi)}` : interval(m)
  fill($('learner-body'),
    recent.length ? h('p', { class: 'note' }, `These are trial decisions of the learner on the last ${size(recent[0].n, recent[0].effective_n)} records with an outcome, each made before the record was learnt. They are not decisions of the version in use. Each interval is right in ${level(recent[0].level)} of cases if you look once.`) : null,
    h('dl', { class: 'tiles' }, recent.map(m => tile(names[m.name] ?? m.name, reading(m), ends(m)))),
    (controls ?? []).length ? h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'How the limits are kept' }, h('table', { class: 'data gates' }, h('caption', {}, 'How the limits are kept'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Comparison'), ['Correction', 'Difference aimed at', 'Can be kept'].map(x => h('th', { scope: 'col', class: 'number' }, x)))),
      h('tbody', {}, controls.map(c => h('tr', {}, h('th', { scope: 'row' }, c.name), cell('Correction', !recent.length || !known(c.multiplier) ? '–' : c.multiplier ? 'made' : 'not needed'), cell('Difference aimed at', decimal(c.target)), cell('Can be kept', !recent.length ? 'not known yet' : c.reachable ? 'yes' : 'no')))))) : null,
    (controls ?? []).length && watched.length ? h('p', { class: 'note' }, `The learner does not correct these differences, because the job is set to report their limits, not to enforce them: ${watched.join('; ')}.`) : null)
}

const cell = (of, content) => h('td', { class: 'number', 'data-of': of }, content)

export function stream(status) {
  const s = status.stream ?? {}, r = status.records ?? {}
  if (!changed('stream', [s, r, status.phase, status.role, status.term])) return
  const failing = s.kafka_failures > 0
  fill($('stream-body'),
    h('dl', { class: 'tiles' },
      tile('State', phases[status.phase] ?? status.phase),
      tile('Speed', known(s.records_per_second) ? `${rate(s.records_per_second)} a second` : '–', 'over the last 10 seconds'),
      tile('Still to be read', known(s.lag_records) ? `${count(s.lag_records)} records` : '–', known(s.lag_seconds) ? seconds(s.lag_seconds) : null),
      tile(status.kind === 'monitor' ? 'Decisions' : 'Records with an outcome', count(r.learnt), `${count(r.rejected)} could not be read`, r.rejected > 0 ? 'worth' : ''),
      r.waiting || r.unlabelled ? tile('Without an outcome', count(r.unlabelled), r.waiting ? `${count(r.waiting)} wait for theirs` : null) : null,
      tile('Last saved', known(s.snapshot_age_seconds) ? seconds(s.snapshot_age_seconds) + ' ago' : 'not yet'),
      failing ? tile('Failures of Kafka', count(s.kafka_failures), 'each was tried again', 'worth') : null),
    (s.partitions ?? []).length ? h('details', { 'data-name': 'partitions' }, h('summary', {}, `For those who run the job: ${s.partitions.length === 1 ? 'one partition' : s.partitions.length + ' partitions'}`),
      h('table', { class: 'data' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Partition'), ['Next offset', 'End', 'Still to be read'].map(x => h('th', { scope: 'col', class: 'number' }, x)))),
        h('tbody', {}, s.partitions.map(p => h('tr', {}, h('th', { scope: 'row' }, p.partition), [p.next, p.end, p.lag].map(x => h('td', { class: 'number' }, count(x)))))))) : null)
}

export function versions(status) {
  const list = status.versions ?? []
  if (!changed('versions', list)) return
  show($('versions-empty'), !list.length)
  const few = list.slice(0, mostVersions), more = list.slice(mostVersions)
  fill($('versions-body'), list.length ? h('ol', { class: 'versions' }, few.map(published)) : null,
    more.length ? h('details', { 'data-name': 'older' }, h('summary', {}, `${more.length} older`), h('ol', { class: 'versions' }, more.map(published))) : null)
}

const mostVersions = 4, mostHappenings = 8

export function history(status) {
  const list = status.history ?? []
  if (!changed('history', list)) return
  show($('history-empty'), !list.length)
  const few = list.slice(0, mostHappenings), more = list.slice(mostHappenings)
  fill($('history-body'), list.length ? h('ol', { class: 'happened' }, few.map(happened)) : null,
    more.length ? h('details', { 'data-name': 'earlier' }, h('summary', {}, `${more.length} earlier`), h('ol', { class: 'happened' }, more.map(happened))) : null)
}

const happened = e => h('li', {}, h('span', { class: 'second' }, clock(e.time)), h('span', {}, e.text), by(ofProgram.has(e.kind) ? { host: e.who.host } : e.who))

// ofProgram are the kinds of entries that no person brings about: whoever started the process did not raise the alarm.
const ofProgram = new Set(['decisions', 'data_loss'])

// by names who is responsible, with the reason that was given.
const by = who => who ? h('span', { class: 'second' }, `by ${who.actor || 'fairstream'}${who.host ? ' on ' + who.host : ''}${who.reason ? ': ' + why(who.reason) : ''}`) : null

function published(v) {
  return h('li', {},
    h('div', { class: 'which' },
      h('strong', {}, `Version ${count(v.version)}`), (v.alias ?? []).map(a => h('span', { class: 'alias' }, aliases[a] ?? a)),
      h('span', { class: 'second' }, clock(v.published)),
      h('code', { title: v.weights_sha256 }, v.weights_sha256.slice(0, 12)), v.who ? by({ host: v.who.host }) : null),
    h('ul', { class: 'evidence', 'aria-label': 'Evidence' }, (v.constraints ?? []).map(evidence)),
    (v.changes ?? []).length ? h('ul', { class: 'changes', 'aria-label': 'Configuration changes' }, v.changes.map(c => h('li', {}, c.text,
      h('span', { class: 'second' }, [c.actor, c.reason].filter(Boolean).join(': '))))) : null)
}

function evidence(row) {
  const is = verdict(row), holds = bounds(row)
  return h('li', {}, h('span', { class: 'tag ' + is }, verdicts[is]?.brief ?? is), ' ', row.name, ' ',
    h('span', { class: 'second' }, known(holds.value) ? `${value(row, holds.value)} (${range(row, holds)}), limit ${tau(row.tau)}${row.n_group + row.n_versus > 0 ? `, on ${plural(row.n_group + row.n_versus, 'record')}` : ''}` : why(row.reason)))
}
