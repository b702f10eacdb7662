// Groups and intersections, gaps, calibration and drivers: tables whose cells hold pictures.
import { $, changed, fill, h, show, write } from './dom.js'
import { count, decimal, known, people, percent, plural, signed, signedInterval, size, verdict, verdicts, why } from './format.js'
import { axis, bar, interval, scale, symmetric } from './picture.js'

const head = (...names) => h('thead', {}, h('tr', {}, names.map(([name, kind]) => h('th', { scope: 'col', class: kind }, name))))

const by = (list, name) => Map.groupBy ? [...Map.groupBy(list, x => x[name])] : [...list.reduce((m, x) => m.set(x[name], [...(m.get(x[name]) ?? []), x]), new Map())]

// forestTable says that it is a table, since on a phone its rows are laid out otherwise.
function forestTable(...parts) {
  const table = h('table', { class: 'data forest', role: 'table' }, parts)
  for (const [selector, role] of [['thead, tbody, tfoot', 'rowgroup'], ['tr', 'row'], ['td', 'cell'], ['th[scope=row]', 'rowheader'], ['th[scope=col]', 'columnheader']])
    for (const element of table.querySelectorAll(selector)) element.setAttribute('role', role)
  return table
}

const inScroll = (label, table) => h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, table)

// counting are those about the decisions that count, where they are known: all of one screen are of the same decisions.
function counting(status, list) {
  const own = (list ?? []).filter(x => x.subject === status.deciding?.subject)
  return own.length && status.kind !== 'monitor' ? own : list ?? []
}

// bySubject draws a list once for each subject, under its title if there are several.
function bySubject(status, list, part) {
  const titles = new Map((status.subjects ?? []).map(s => [s.id, s.title]))
  const subjects = by(list, 'subject')
  return subjects.map(([id, some]) => [subjects.length > 1 ? h('h3', { class: 'subject' }, titles.get(id) ?? id) : null, part(some)])
}

// empty says why a panel shows nothing.
function empty(panel, status, list, words) {
  show($(panel + '-empty'), !list.length)
  write($(panel + '-empty'), status.phase === 'standby' ? 'The page of the instance that runs the job shows them.' : words)
}

export function groups(status) {
  const list = counting(status, status.groups)
  if (!changed('groups', [list, status.phase])) return
  empty('groups', status, list, 'Shares appear when each group has enough records.')
  fill($('groups-body'), bySubject(status, list, some => by(some, 'attribute').map(([name, rows]) => forest(name, rows))))
}

function forest(name, rows) {
  const highest = Math.max(0.1, ...rows.flatMap(r => [r.rate, r.hi]).filter(known))
  const on = axis(0, Math.min(1, Math.ceil(highest * 11) / 10))
  return inScroll(`Groups of ${name}`, forestTable(
    h('caption', {}, name),
    head(['Group'], ['Share of positive decisions', 'picture'], ['Share', 'number value-column'], ['Ratio', 'number short-column'], ['Positive', 'number count-column wide-only']),
    h('tbody', {}, rows.map(r => h('tr', { class: r.unknown ? 'unknown' : null },
      h('th', { scope: 'row' }, r.unknown ? 'not known (in no comparison)' : unnamed(r.group), outcomes(r)),
      h('td', { class: 'picture' }, known(r.rate) ? interval(on, { value: r.rate, lo: r.lo, hi: r.hi, zero: false }) : h('span', { class: 'reason' }, why(r.reason) || 'no estimate')),
      h('td', { class: 'number' }, percent(r.rate), known(r.lo) ? h('span', { class: 'second' }, `${percent(r.lo)} to ${percent(r.hi)}`) : null),
      h('td', { class: 'number' }, known(r.impact_ratio) ? r.impact_ratio.toFixed(2) : '–', h('span', { class: 'second phone-only' }, 'ratio')),
      h('td', { class: 'number wide-only' }, count(r.positive), h('span', { class: 'second' }, `of ${count(r.records)}`))))),
    h('tfoot', {}, h('tr', {}, h('td'), h('td', { class: 'picture' }, scale(on, x => `${Math.round(x * 100)} %`)), h('td'), h('td'), h('td', { class: 'wide-only' })))))
}

// unnamed is a group whose value no comparison names. "all others" are all but one group, which is another thing.
const unnamed = group => group.replaceAll('all other values', 'other values (not named)')

function outcomes(r) {
  const parts = [plural(r.records, 'record')]
  if (known(r.share)) parts.push(`${percent(r.share)} of all`)
  if (r.unlabelled) parts.push(`outcome missing: ${share(r.unlabelled_positive, r.positive)} of the positive, ${share(r.unlabelled_negative, r.records - r.positive)} of the negative decisions`)
  return h('span', { class: 'second' }, parts.join(', '))
}

const share = (some, all) => percent(all ? some / all : 0)

const measures = {
  selection_rate: ['Positive decisions', 'selection rate'], tpr: ['Positive decisions, if the outcome is positive', 'true positive rate'], fpr: ['Positive decisions, if the outcome is negative', 'false positive rate'],
  ppv: ['Positive outcomes, if the decision is positive', 'precision'], accuracy: ['Right decisions', 'accuracy'],
}
const measured = name => measures[name] ? [measures[name][0], h('span', { class: 'second' }, measures[name][1])] : name

// unmirrored leaves out what another block shows with its signs turned.
function unmirrored(list) {
  const bounded = new Set(list.filter(g => known(g.tau)).map(pairOf))
  const mirrored = (g, at) => {
    const turned = pairOf({ ...g, group: g.versus, versus: g.group })
    return !bounded.has(pairOf(g)) && (bounded.has(turned) || list.slice(0, at).some(x => pairOf(x) === turned))
  }
  return list.filter((g, at) => !mirrored(g, at))
}

const pairOf = g => JSON.stringify([g.subject, g.group, g.versus])

// judged gives each bound the verdict at the top of the page, so that a comparison has one.
function judged(status, list) {
  const top = new Map((status.deciding?.constraints ?? []).filter(c => c.subject === status.deciding.subject).map(c => [JSON.stringify([c.name, c.group, c.versus]), verdict(c)]))
  return list.map(g => known(g.tau) && g.subject === status.deciding?.subject ? { ...g, status: top.get(JSON.stringify([g.constraint, g.group, g.versus])) ?? g.status } : g)
}

export function gaps(status) {
  const list = judged(status, unmirrored(counting(status, status.gaps).filter(g => known(g.value) || g.n_group + g.n_versus > 0)))
  if (!changed('gaps', [list, status.phase])) return
  empty('gaps', status, list, 'These need decisions with an outcome in both groups.')
  const on = symmetric(list, 0) // one scale for all tables
  fill($('gaps-body'), bySubject(status, list, some => by(some.map(g => ({ ...g, pair: `${g.group} minus ${people(g.versus)}` })), 'pair').map(([pair, rows]) => {
    return inScroll(`Differences, ${pair}`, forestTable(
      h('caption', {}, pair),
      head(['Measure'], ['Difference', 'picture'], ['Value', 'number value-column'], ['Verdict', 'number tag-column']),
      h('tbody', {}, rows.map(g => h('tr', {},
        h('th', { scope: 'row' }, measured(g.measure), h('span', { class: 'second' }, `of ${size(g.n_group, g.effective_n_group)} and ${size(g.n_versus, g.effective_n_versus)}`)),
        h('td', { class: 'picture' }, known(g.value) ? interval(on, { value: g.value, lo: g.lo, hi: g.hi, allowed: known(g.tau) ? [-g.tau, g.tau] : null, kind: known(g.tau) ? g.status : '' }) : h('span', { class: 'reason' }, why(g.reason) || 'no estimate')),
        h('td', { class: 'number' }, signed(g.value), known(g.lo) ? h('span', { class: 'second' }, signedInterval(g, g.tau)) : null),
        h('td', { class: 'number' }, known(g.tau) || !known(g.value) ? h('span', { class: 'tag ' + g.status }, verdicts[g.status]?.brief ?? g.status) : h('span', { class: 'second' }, 'no limit'))))),
      h('tfoot', {}, h('tr', {}, h('td'), h('td', { class: 'picture' }, scale(on, x => signed(x, 2))), h('td'), h('td')))))
  })))
}

export function calibration(status) {
  const list = counting(status, status.calibration).filter(c => c.bins?.some(b => b.records)).sort((a, b) => Math.abs(b.signed_error ?? 0) - Math.abs(a.signed_error ?? 0))
  if (!changed('calibration', [list, status.phase])) return
  empty('calibration', status, list, 'This needs scores and outcomes of each group.')
  write($('calibration-whose'), list.length && list[0].subject === 'stable' && status.deciding?.version ? `The scores are those of version ${count(status.deciding.version.version)}, the one in use. Groups whose scores are farthest off come first.` : '')
  fill($('calibration-body'), bySubject(status, list, some => h('div', { class: 'multiples' }, some.map(curve))))
}

// curve is a reliability diagram: rates of positive labels against mean scores.
function curve(c) {
  const size = 190, left = 30, bottom = 24
  const x = v => left + v * (size - left - 8), y = v => (size - bottom) - v * (size - bottom - 8)
  const bins = c.bins.filter(b => known(b.mean_score) && known(b.rate))
  const largest = Math.max(...c.bins.map(b => b.records))
  const ticks = [0, 0.5, 1]
  return h('figure', {},
    h('figcaption', {}, h('strong', {}, unnamed(c.group)), h('span', { class: 'second' }, `${plural(c.bins.reduce((n, b) => n + b.records, 0), 'decision')} with an outcome`), known(c.signed_error) ? h('span', { class: 'second' }, `scores are ${decimal(Math.abs(c.signed_error))} too ${c.signed_error > 0 ? 'high' : 'low'} on average${most(c)}`) : null),
    h('svg', { viewBox: `0 0 ${size} ${size}`, class: 'curve', 'aria-hidden': 'true', focusable: 'false' },
      ticks.map(t => [h('line', { x1: x(t), x2: x(t), y1: y(0), y2: y(1), class: 'gridline' }), h('line', { x1: x(0), x2: x(1), y1: y(t), y2: y(t), class: 'gridline' }),
        h('text', { x: x(t), y: y(0) + 14, 'text-anchor': 'middle' }, t), h('text', { x: x(0) - 5, y: y(t) + 4, 'text-anchor': 'end' }, t)]),
      h('line', { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: 'ideal' }),
      bins.map(b => h('line', { x1: x(b.mean_score), x2: x(b.mean_score), y1: y(b.lo), y2: y(b.hi), class: 'whisker' })),
      h('polyline', { points: bins.map(b => `${x(b.mean_score)},${y(b.rate)}`).join(' '), class: 'trace' }),
      bins.map(b => h('circle', { cx: x(b.mean_score), cy: y(b.rate), r: 1.6 + 2.6 * Math.sqrt(b.records / largest), class: 'point' }))),
    h('details', { 'data-name': c.group }, h('summary', {}, 'Show as a table'), h('table', { class: 'data' },
      head(['Score'], ['Records', 'number'], ['Mean score', 'number'], ['Positive outcomes', 'number']),
      h('tbody', {}, c.bins.map(b => h('tr', {}, h('th', { scope: 'row' }, `${b.from.toFixed(1)} to ${b.to.toFixed(1)}`), h('td', { class: 'number' }, count(b.records)), h('td', { class: 'number' }, decimal(b.mean_score)),
        h('td', { class: 'number' }, decimal(b.rate), known(b.lo) ? h('span', { class: 'second' }, `${decimal(b.lo)} to ${decimal(b.hi)}`) : null)))))))
}

// most says in which range of scores most records are, if more than half are in one that is off in the same direction: then it makes the average,
// whatever the other dots show.
function most({ bins, signed_error }) {
  const all = bins.reduce((n, b) => n + b.records, 0), b = bins.find(b => b.records > all / 2)
  return b && (b.mean_score - b.rate) * signed_error > 0 ? `, mainly because of the ${percent(b.records / all)} with a score from ${b.from.toFixed(1)} to ${b.to.toFixed(1)}` : ''
}

const mostDrivers = 10

export function drivers(status) {
  const list = status.drivers ?? []
  if (!changed('drivers', [list, status.phase, status.deciding?.version, status.versions?.[0]?.version])) return
  empty('drivers', status, list, status.versions?.length ? 'No version has been published since fairstream was started again. The columns appear with the next one.' : 'The columns appear with the first version.')
  write($('drivers-note'), driversNote)
  write($('drivers-of'), list.length ? driversOf(status) : '')
  fill($('drivers-body'), once(list).map(([name, rows]) => {
    const some = [...rows].sort((a, b) => Math.abs(b.contribution ?? 0) - Math.abs(a.contribution ?? 0)).slice(0, mostDrivers)
    const on = symmetric(some.map(d => ({ value: d.contribution })), 0)
    const of = some[0]
    return inScroll(`Drivers of ${name}`, forestTable(
      h('caption', {}, `${of.constraint}: to the right, in favour of ${of.group}; to the left, in favour of ${people(of.versus)}`,
        known(of.total) ? h('span', { class: 'second' }, `All columns together: ${signed(of.total)}${of.total === 0 ? '' : `, in favour of ${of.total > 0 ? of.group : people(of.versus)}`}`) : null),
      head(['Column'], ['What it adds', 'picture'], ['Points', 'number short-column'], ['Of all', 'number short-column']),
      h('tbody', {}, some.map(d => h('tr', {}, h('th', { scope: 'row' }, d.column), h('td', { class: 'picture' }, bar(on, d.contribution, d.contribution < 0 ? 'against' : 'for')),
        h('td', { class: 'number' }, signed(d.contribution)), h('td', { class: 'number' }, percent(d.share)))))))
  }))
}

// once leaves out what another comparison of the same groups shows, perhaps with its signs turned.
function once(list) {
  const seen = new Set()
  return by(list.map(d => ({ ...d, of: [d.constraint, d.group, d.versus].join(' ') })), 'of').filter(([, [d]]) => {
    const pair = JSON.stringify([d.group, d.versus].sort())
    return !seen.has(pair) && seen.add(pair)
  })
}

// driversOf says which version is explained.
function driversOf(status) {
  const newest = (status.versions ?? []).find(v => v.alias?.includes('latest'))?.version, used = status.deciding?.version?.version
  return known(newest) ? ` between scores (version ${count(newest)}, ${!known(used) || used === newest ? 'the newest' : 'not in use'})` : ' between scores'
}

const driversNote = 'Each column adds points to the score of a record or takes points away. Points are not probabilities: a decision is positive if a record has more points than a threshold. ' +
  'These columns make the largest difference between the mean points of the two groups. A difference in points need not lead to a difference in decisions, for which only the records near the threshold count.'
