// Which version serves where, as the instances report.
import { $, changed, fill, h, show, write } from './dom.js'
import { aliases, clock, count, lasted, plural } from './format.js'

export function draw(status) {
  const s = status.serving
  show($('serving'), Boolean(s))
  if (!s || !changed('serving', [s, status.release?.stable, Math.floor(Date.now() / 10000)])) return // ages are told in minutes
  show($('serving-empty'), !s.known)
  write($('serving-note'), note(s))
  fill($('serving-body'), s.instances.length ? h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Applications and their versions' },
    h('table', { class: 'data gates' }, h('caption', { class: 'hidden' }, 'Applications and their versions'),
      h('thead', {}, h('tr', {}, ['Application', 'Version'].map(x => h('th', { scope: 'col' }, x)), ['Since', 'Decisions', 'Last heard'].map(x => h('th', { scope: 'col', class: 'number' }, x)))),
      h('tbody', {}, s.instances.map(row)))) : null)
}

function note(s) {
  const all = []
  if (s.known) all.push(`${plural(s.known, 'application')} ${s.known === 1 ? 'reports' : 'report'} to this job${unused(s)}${s.silent ? `; ${count(s.silent)} of them ${s.silent === 1 ? 'is' : 'are'} silent, which means that three reports in a row are missing` : ''}.`)
  if (s.known > s.instances.length) all.push(`${count(s.instances.length)} are shown.`)
  if (s.ignored) all.push(`${plural(s.ignored, 'report', 'reports')} could not be read.`)
  if (s.reason) all.push('No reports can be read now, so what you see is old.')
  all.push('An application is forgotten an hour after its last report. Reports are not signed: they are for information, and nothing depends on them. The verdicts and tests do not use the decisions counted here: they use the records of the job, for which fairstream works out the decisions again.')
  return all.join(' ')
}

// unused says how many applications of those that are shown have no version yet.
function unused(s) {
  const n = s.instances.filter(i => !i.uses.length).length
  return n ? `; ${count(n)} of them ${n === 1 ? 'has' : 'have'} no version yet` : ''
}

// each has a line for each use of a version, with its name if there are several.
const each = (uses, words) => h('div', {}, uses.map(u => h('div', {}, u ? [uses.length > 1 ? h('span', { class: 'phone-only of' }, `${aliases[u.alias] ?? u.alias}: `) : null, words(u)] : '–')))

function row(i) {
  const uses = i.uses.length ? i.uses : [null]
  const cell = (of, content) => h('td', { class: 'number', 'data-of': of }, content)
  return h('tr', {},
    h('th', { scope: 'row' }, i.name, h('span', { class: 'second' }, `fairstream ${i.program}`)),
    h('td', {}, uses.map(u => u ? h('div', {}, `${aliases[u.alias] ?? u.alias}: ${count(u.version)}`, h('span', { class: 'second' }, `${u.weights_sha256.slice(0, 12)}…`)) : 'none yet')),
    cell('Since', each(uses, u => clock(u.since))),
    cell('Decisions', each(uses, u => count(u.decisions))),
    cell('Last heard', [h('span', {}, `${lasted(i.heard)} ago`), i.silent ? h('span', { class: 'second' }, h('span', { class: 'tag violated' }, 'silent')) : null]))
}
