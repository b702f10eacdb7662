// Which version serves where, as the instances report.
import { $, changed, fill, h, show, write } from './dom.js'
import { clock, count, lasted, plural } from './format.js'

export function draw(status) {
  const s = status.serving
  show($('serving'), Boolean(s))
  if (!s || !changed('serving', [s, status.release?.stable, Math.floor(Date.now() / 10000)])) return // ages are told in minutes
  show($('serving-empty'), !s.known)
  write($('serving-note'), note(s))
  fill($('serving-body'), s.instances.length ? h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Instances and their versions' },
    h('table', { class: 'data gates' }, h('caption', { class: 'hidden' }, 'Instances and their versions'),
      h('thead', {}, h('tr', {}, ['Instance', 'Version'].map(x => h('th', { scope: 'col' }, x)), ['Since', 'Decisions', 'Last heard'].map(x => h('th', { scope: 'col', class: 'number' }, x)))),
      h('tbody', {}, s.instances.map(row)))) : null)
}

function note(s) {
  const all = []
  if (s.known) all.push(`${plural(s.known, 'instance')} of fairstream serve ${s.known === 1 ? 'reports' : 'report'} to this job${s.silent ? `; ${count(s.silent)} of them ${s.silent === 1 ? 'is' : 'are'} silent: three heartbeats did not come` : ''}.`)
  if (s.known > s.instances.length) all.push(`${count(s.instances.length)} are shown.`)
  if (s.ignored) all.push(`${plural(s.ignored, 'malformed heartbeat was', 'malformed heartbeats were')} ignored.`)
  if (s.reason) all.push(`Heartbeats cannot be read now, so what you see is old: ${s.reason}.`)
  all.push('Instances are forgotten an hour after their last heartbeat. Heartbeats are not signed, and decide nothing.')
  return all.join(' ')
}

function row(i) {
  const uses = i.uses.length ? i.uses : [null]
  const cell = (of, content) => h('td', { class: 'number', 'data-of': of }, content)
  return h('tr', {},
    h('th', { scope: 'row' }, i.name, h('span', { class: 'second' }, `fairstream ${i.program}`)),
    h('td', {}, uses.map(u => u ? h('div', {}, `${u.alias}: ${count(u.version)}`, h('span', { class: 'second' }, `term ${count(u.term)}, ${u.weights_sha256.slice(0, 12)}…`)) : 'none yet')),
    cell('Since', uses.map(u => h('div', {}, u ? clock(u.since) : '–'))),
    cell('Decisions', uses.map(u => h('div', {}, u ? count(u.decisions) : '–'))),
    cell('Last heard', [h('span', {}, `${lasted(i.heard)} ago`), i.silent ? h('span', { class: 'second' }, h('span', { class: 'tag violated' }, 'silent')) : null]))
}
