// Versions: which one is in use, on what evidence that changes, and orders of a person.
import { $, changed, fill, h, show, write } from './dom.js'
import { order } from './feed.js'
import { clock, compared, count, decimal, interval, known, level, percent, plural, rough, signed, signedInterval, tau, verdicts, why } from './format.js'

let last = null // the releases as they were drawn

export function draw(status) {
  const r = status.release
  show($('releases'), status.kind !== 'monitor')
  if (!changed('releases', [r, status.phase, status.role])) return
  last = r
  show($('releases-empty'), !r)
  write($('releases-empty'), empty(status))
  fill($('releases-body'), r ? [
    notes(r).map(text => h('p', { class: 'release-note' }, text)),
    h('dl', { class: 'tiles roles' }, stable(r), candidate(r), previous(r)),
    beside(r),
    r.trial ? gates('Tests of the version under test', r.trial.gates, r) : null,
    r.trial ? h('p', { class: 'note' }, outlook(r)) : null,
    r.guard?.gates.length ? h('details', { 'data-name': 'guard' }, h('summary', {}, 'Is the version in use still good?'), gates('Tests of the version in use', r.guard.gates, r)) : null,
  ] : null)
  orders(r)
  const steps = r?.steps ?? []
  show($('releases-history'), Boolean(r))
  fill($('releases-steps'), steps.length ? [
    h('ol', { class: 'happened' }, steps.slice(0, few).map(step)),
    steps.length > few ? h('details', { 'data-name': 'steps' }, h('summary', {}, `${steps.length - few} earlier`), h('ol', { class: 'happened' }, steps.slice(few).map(step))) : null,
  ] : h('p', { class: 'note' }, 'No version was tested yet.'))
}

const few = 5

function empty(status) {
  if (status.role === 'standby') return 'The page of the process that runs the job shows them.'
  if (status.phase === 'starting') return 'Versions appear once the job has started.'
  return 'New versions are not tested before they are used: those who run the job have switched the tests off. The newest version is in use.'
}

const name = v => count(v.version)
const tile = (of, value, ...more) => h('div', { class: 'tile' }, h('dt', {}, of), h('dd', {}, value, more.filter(Boolean).map(x => h('span', { class: 'second' }, x))))

function stable(r) {
  if (!r.stable) return tile('In use', 'the newest', 'no version has passed all tests yet')
  const g = r.guard
  return tile('In use', `version ${name(r.stable)}`, r.pinned && 'kept by order of a person', r.unwatched_since && `not watched since ${clock(r.unwatched_since)}`, g && `watched for ${plural(g.observed, 'record')}`,
    g && known(g.evidence) && withdrawal(g))
}

// withdrawal says how near a withdrawal is, and which comparisons cannot bring one about.
function withdrawal(g) {
  const silent = g.gates.filter(x => !x.decides).map(x => x.constraint)
  const except = silent.length ? `; ${silent.length > mostNamed ? `${count(silent.length)} comparisons do` : `${silent.join('; ')} ${silent.length > 1 ? 'do' : 'does'}`} not count, because ${silent.length > 1 ? 'they do' : 'it does'} not decide` : ''
  return `${percent(g.evidence)} of the evidence that a withdrawal needs. It counts what lies beyond a limit, not a bound${except}`
}

const mostNamed = 4

function candidate(r) {
  if (!r.candidate) return tile('Under test', 'none', 'the next version will be tested')
  const t = r.trial
  return tile('Under test', `version ${name(r.candidate)}`, t && `tested on ${plural(t.observed, 'record')}, ${count(t.labelled)} with an outcome`,
    r.waiting && `version ${name(r.waiting)} waits for its test`)
}

const previous = r => r.previous ? tile('To go back to', `version ${name(r.previous)}`, 'it was in use before') : tile('To go back to', 'none', 'no earlier version may come into use again')

// notes are what a person should know first.
function notes(r) {
  const g = r.guard, all = []
  if (r.unwatched_since) all.push('Because of a defect, no version is tested or withdrawn until the process starts again.')
  if (r.paused) all.push('A person has paused the exchange of versions: the one in use stays until that ends, unless it is withdrawn.')
  if (r.pinned) all.push('A person has ordered that the version in use stays, whatever its tests say.')
  if (g?.gone) all.push('The weights of the version in use are no longer stored.')
  if (g?.marked) all.push('The version in use is outside its limit. It stays, because no earlier version is better.')
  else if (g?.alarm) all.push('Alarm: recent decisions of the version in use are beyond a bound.')
  if (known(g?.compared)) all.push(`The version in use is compared with earlier ones, so far on ${plural(g.compared, 'record')}.`)
  return all
}

// beside is what else holds.
function beside(r) {
  const all = []
  if (r.cool_down > 0) all.push(`After a change a pause follows: the next version may come into use after ${plural(r.cool_down, 'more record')}.`)
  if (r.share < 1) all.push(`The tests use ${percent(r.share)} of the records. The numbers of records here count these only.`)
  if (r.barred > 0) all.push(`${plural(r.barred, 'version was', 'versions were')} withdrawn, and cannot come into use again.`)
  return all.length ? h('p', { class: 'note' }, all.join(' ')) : null
}

function outlook(r) {
  const t = r.trial
  const needs = known(t.records_needed) ? `The tests need about ${plural(rough(t.records_needed), 'more record')}. ` : ''
  const unknown = t.undecided > 0 ? `The version under test did not decide ${plural(t.undecided, 'record')}. ` : ''
  return `${needs}${unknown}It is rejected if it has not passed all tests that decide after ${plural(t.deadline, 'more record')} with an outcome, or after ${plural(t.patience, 'more record')} in all. ${shown(t.gates)}`
    + `A version beyond its limits passes all tests with a probability of at most ${level(1 - r.confidence)}.`
}

// shown is what becomes of a version if a comparison that does not decide is not within its limit.
function shown(gates) {
  const open = gates.filter(g => !g.decides && g.status !== 'met').map(g => g.constraint)
  if (!open.length) return ''
  const which = open.length > mostNamed ? `${count(open.length)} comparisons, which have not passed, do` : `${open.join('; ')} ${open.length > 1 ? 'have' : 'has'} not passed, but ${open.length > 1 ? 'do' : 'does'}`
  return `${which} not decide: the version can come into use all the same. A comparison decides if those who run the job have the learner keep its bound. `
}

const titles = { integrity: 'Its weights are complete and unchanged', log_loss: 'Error of the scores (log loss)', error: 'Share of wrong decisions', squared_error: 'Squared error' }

function gates(caption, list, r) {
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, h('table', { class: 'data gates' }, h('caption', {}, caption),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Test'), h('th', { scope: 'col' }, 'Result'), ['Measured', 'Limit', 'Records', 'Still needed'].map(x => h('th', { scope: 'col', class: 'number' }, x)))),
    h('tbody', {}, list.map(g => gate(g, r)))))
}

function gate(g, r) {
  const isDifference = g.name === 'comparison' && g.criterion !== 'impact-ratio', isRatio = g.name === 'comparison' && !isDifference
  const rival = g.name === 'integrity' || g.name === 'comparison' ? null : `${g.against ? `minus that of version ${name(g.against)}` : 'minus that of the same decision for everyone'}; below 0 is better`
  const limit = !known(g.limit) ? '–' : isRatio ? `at least ${tau(round(g.limit))}` : isDifference ? `±${tau(round(g.limit))}` : `at most ${tau(round(g.limit))}`
  return h('tr', {},
    h('th', { scope: 'row' }, titles[g.name] ?? g.constraint, h('span', { class: 'second' }, [g.name === 'comparison' ? compared(g.criterion) : rival, g.decides ? null : 'does not decide'].filter(Boolean).join(', '))),
    h('td', {}, h('span', { class: 'tag ' + g.status }, verdicts[g.status]?.test ?? g.status)),
    cell('Measured', known(g.value) ? [isRatio ? decimal(g.value) : signed(g.value), h('span', { class: 'second' }, isRatio ? interval(g) : signedInterval(g))] : g.reason ? h('span', { class: 'why' }, why(g.reason)) : '–'),
    cell('Limit', limit), cell('Records', g.records > 0 ? count(g.records) : '–'),
    cell('Still needed', known(g.records_needed) ? 'about ' + count(rough(g.records_needed)) : '–'))
}

// cell of a table whose rows are lists on a phone.
const cell = (of, content) => h('td', { class: content === '–' ? 'number none' : 'number', 'data-of': of }, content)

const round = x => Number(x.toFixed(4))

const step = s => h('li', {}, h('span', { class: 'second' }, `${clock(s.time)}, record ${count(s.record)}`), h('span', {}, s.text),
  s.actor || s.reason ? h('span', { class: 'second' }, [s.actor && `ordered by ${s.actor}`, why(s.reason)].filter(Boolean).join(': ')) : null)

// The orders of a person. The token is asked for each time: an order decides about people.
const wording = {
  promote: { title: 'Put the version under test into use', act: 'Put into use', target: () => last?.candidate, explain: v => `If you send this order, version ${name(v)} will be in use. ${results()} ${last.stable ? `Version ${name(last.stable)}, which is in use now, will leave; to go back to it, withdraw version ${name(v)} afterwards.` : ''}` },
  rollback: { title: 'Withdraw the version in use', act: 'Withdraw', target: () => last?.previous,
    explain: v => `If you send this order, version ${name(v)} will be in use again. Version ${name(last.stable)}, which is in use now, will be withdrawn, and cannot come into use again.` },
}

// results are those of the version under test, in a sentence.
function results() {
  const gates = last.trial?.gates ?? [], passed = gates.filter(g => g.status === 'met').length
  const named = status => gates.filter(g => g.status === status).map(g => titles[g.name] ?? g.constraint).slice(0, mostNamed).join('; ')
  if (!gates.length) return 'It has not been tested.'
  return `It has passed ${count(passed)} of ${plural(gates.length, 'test')}${named('violated') ? `, and failed: ${named('violated')}` : ''}${passed < gates.length && named('inconclusive') ? `. Not known yet: ${named('inconclusive')}` : ''}${named('not_estimable') ? `. Cannot be estimated: ${named('not_estimable')}` : ''}.`
}

let asking = null

function orders(r) {
  show($('releases-orders'), Boolean(r?.orders))
  show($('releases-orders-off'), Boolean(r) && !r.orders)
  for (const action of ['promote', 'rollback']) {
    const target = wording[action].target()
    $('order-' + action).disabled = !target
  }
}

function open(action) {
  const words = wording[action], target = words.target()
  if (!target) return
  asking = { action, target }
  write($('order-title'), words.title)
  write($('order-explain'), words.explain(target))
  write($('order-send'), words.act)
  write($('order-problem'), '')
  write($('order-done'), '')
  $('order-actor').value = sessionStorage.getItem('actor') ?? ''
  $('order-reason').value = ''
  $('order-token').value = ''
  busy(false)
  $('order').showModal()
}

function busy(now) {
  $('order-send').disabled = now
  $('order').setAttribute('aria-busy', String(now))
}

async function send(event) {
  event.preventDefault()
  const { action, target } = asking, actor = $('order-actor').value.trim(), reason = $('order-reason').value.trim()
  sessionStorage.setItem('actor', actor)
  write($('order-problem'), '')
  write($('order-done'), 'Waiting for the answer')
  busy(true)
  try {
    const answer = await order({ action, version: target.version, term: target.term, reason, actor }, $('order-token').value.trim())
    $('order').close()
    write($('releases-answer'), `Done: ${answer.after?.stable ? `version ${name(answer.after.stable)} is in use` : 'no version is in use'}.`)
    $('order-' + action).focus()
  } catch (problem) {
    write($('order-done'), '')
    write($('order-problem'), problem instanceof TypeError ? 'fairstream does not answer.' : problem.message)
  }
  $('order-token').value = ''
  busy(false)
}

export function listen() {
  for (const action of ['promote', 'rollback']) $('order-' + action).addEventListener('click', () => open(action))
  $('order-form').addEventListener('submit', send)
  $('order-cancel').addEventListener('click', () => $('order').close())
}
