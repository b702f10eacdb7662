// Learner, stream, published versions and history.
import { $, changed, fill, h, show } from './dom.js'
import { bounds, count, decimal, interval, known, level, percent, range, seconds, signed, tau, time, value, verdict, verdicts } from './format.js'

const tile = (name, value, second, kind) => h('div', { class: 'tile ' + (kind ?? '') }, h('dt', {}, name), h('dd', {}, value, second ? h('span', { class: 'second' }, second) : null))

const names = {
  accuracy: 'Right decisions', log_loss: 'Error of the scores (log loss)', constant_accuracy: 'Right with the same decision for everyone', positive_decisions: 'Positive decisions',
  positive_labels: 'Positive labels', mse: 'Mean squared error', constant_mse: 'The same if everyone is predicted the mean', r_squared: 'R²',
}
const shares = new Set(['accuracy', 'constant_accuracy', 'positive_decisions', 'positive_labels'])

export function learner(status) {
  const { measures = [], controls = [] } = status.learner ?? {}
  if (!changed('learner', [measures, controls])) return
  const recent = (measures ?? []).filter(m => m.window === 'recent')
  show($('learner-empty'), !recent.length)
  const reading = m => shares.has(m.name) ? percent(m.value) : decimal(m.value)
  const ends = m => !known(m.lo) ? null : shares.has(m.name) ? `${percent(m.lo)} to ${percent(m.hi)}` : interval(m)
  fill($('learner-body'),
    recent.length ? h('p', { class: 'note' }, `On the last ${count(recent[0].n)} records, each decided before it was learnt. Each interval is right in ${level(recent[0].level)} of the cases.`) : null,
    h('dl', { class: 'tiles' }, recent.map(m => tile(names[m.name] ?? m.name, reading(m), ends(m)))),
    (controls ?? []).length ? h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'How the bounds are kept' }, h('table', { class: 'data' }, h('caption', {}, 'How the bounds are kept'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Comparison'), ['Strength of the push', 'Aimed at', 'Can be kept'].map(x => h('th', { scope: 'col', class: 'number' }, x)))),
      h('tbody', {}, controls.map(c => h('tr', {}, h('th', { scope: 'row' }, c.name), h('td', { class: 'number' }, signed(c.multiplier)), h('td', { class: 'number' }, decimal(c.target)), h('td', { class: 'number' }, c.reachable ? 'yes' : 'no')))))) : null)
}

export function stream(status) {
  const s = status.stream ?? {}, r = status.records ?? {}
  if (!changed('stream', [s, r, status.phase, status.role, status.term])) return
  const failing = s.kafka_failures > 0
  fill($('stream-body'),
    h('dl', { class: 'tiles' },
      tile('Phase', status.phase, `${status.role}, term ${count(status.term)}`),
      tile('Speed', known(s.records_per_second) ? `${count(s.records_per_second)} a second` : '–'),
      tile('Behind', known(s.lag_records) ? `${count(s.lag_records)} records` : '–', known(s.lag_seconds) ? seconds(s.lag_seconds) : null),
      tile(status.kind === 'monitor' ? 'Decisions' : 'Records learnt', count(r.learnt), `${count(r.rejected)} rejected`, r.rejected > 0 ? 'worth' : ''),
      r.waiting || r.unlabelled ? tile('Without a label', count(r.unlabelled), `${count(r.waiting)} wait for theirs`) : null,
      tile('Last snapshot', known(s.snapshot_age_seconds) ? seconds(s.snapshot_age_seconds) + ' ago' : 'none yet'),
      tile('Kafka failures', count(s.kafka_failures ?? 0), failing ? 'each was retried' : null, failing ? 'worth' : '')),
    (s.partitions ?? []).length ? h('details', { 'data-name': 'partitions' }, h('summary', {}, `${s.partitions.length === 1 ? 'One partition' : s.partitions.length + ' partitions'}`),
      h('table', { class: 'data' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Partition'), ['Next offset', 'End', 'Behind'].map(x => h('th', { scope: 'col', class: 'number' }, x)))),
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

const happened = e => h('li', {}, h('span', { class: 'second' }, `${time(e.time)}, term ${count(e.term)}`), h('span', {}, e.text), by(e.who))

// by names who is responsible, with the reason that was given.
const by = who => who ? h('span', { class: 'second' }, `by ${who.actor ? who.actor + ', with ' : ''}${who.service} on ${who.host}${who.reason ? ': ' + who.reason : ''}`) : null

function published(v) {
  return h('li', {},
    h('div', { class: 'which' },
      h('strong', {}, `Version ${count(v.version)}`), (v.alias ?? []).map(a => h('span', { class: 'alias' }, a)),
      h('span', { class: 'second' }, `term ${count(v.term)}, ${time(v.published)}`),
      h('code', { title: v.weights_sha256 }, v.weights_sha256.slice(0, 12)), by(v.who)),
    h('ul', { class: 'evidence', 'aria-label': 'Evidence' }, (v.constraints ?? []).map(evidence)),
    (v.changes ?? []).length ? h('ul', { class: 'changes', 'aria-label': 'Configuration changes' }, v.changes.map(c => h('li', {}, c.text,
      h('span', { class: 'second' }, [c.actor, c.reason].filter(Boolean).join(': '))))) : null)
}

function evidence(row) {
  const is = verdict(row), holds = bounds(row)
  return h('li', {}, h('span', { class: 'tag ' + is }, verdicts[is]?.short ?? is), ' ', row.name, ' ',
    h('span', { class: 'second' }, known(holds.value) ? `${value(row, holds.value)} (${range(row, holds)}), bound ${tau(row.tau)}` : row.reason))
}
