// Versions: which one is in use, on what evidence that changes, and orders of a person.
import { $, changed, fill, h, show, write } from './dom.js'
import { order } from './feed.js'
import { clock, compared, count, decimal, interval, known, level, percent, plural, rough, signed, signedInterval, tau, verdict, why } from './format.js'

let last = null // the releases as they were drawn
let inUse = [] // the comparisons of the version in use

export function draw(status) {
  const r = status.release
  inUse = status.deciding?.constraints ?? []
  show($('releases'), status.kind !== 'monitor')
  const first = Boolean(status.warm_up) && !status.versions?.length
  if (!changed('releases', [r, status.phase, status.role, first])) return
  last = r
  show($('releases-empty'), !r)
  write($('releases-empty'), empty(status))
  fill($('releases-body'), r ? [
    notes(r).map(text => h('p', { class: text.startsWith('Alarm') ? 'release-note alarm' : 'release-note' }, text)),
    h('dl', { class: 'tiles roles' }, stable(r, first), candidate(r), previous(r)),
    beside(r, status.phase === 'ended'),
    r.trial ? h('p', { class: 'note' }, whatDecides(r.trial.gates)) : null,
    r.trial ? gates('Tests of the version under test', r.trial.gates, r) : null,
    r.trial && status.phase !== 'ended' ? h('p', { class: 'note' }, outlook(r)) : null,
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
  if (status.role === 'standby') return 'The page of the instance that runs the job shows them.'
  if (status.phase === 'starting') return 'Versions appear once the job has started.'
  return 'New versions are not tested before they are used: those who run the job have switched the tests off. The newest version is in use.'
}

const name = v => count(v.version)
const tile = (of, value, ...more) => h('div', { class: 'tile' }, h('dt', {}, of), h('dd', {}, value, more.filter(Boolean).map(x => h('span', { class: 'second' }, x))))

function stable(r, first) {
  if (!r.stable && first) return tile('In use', 'none', 'there is no version yet')
  if (!r.stable) return tile('In use', 'the newest', 'no version has passed all tests yet')
  const g = r.guard
  return tile('In use', `version ${name(r.stable)}`, r.pinned && 'kept by order of a person', r.unwatched_since && `not watched since ${clock(r.unwatched_since)}`, g && `watched for ${plural(g.observed, 'record')}`,
    g && known(g.evidence) && withdrawal(g))
}

// withdrawal says how near a withdrawal is, and of which comparisons.
function withdrawal(g) {
  const counted = names(g.gates.filter(x => x.decides)), others = names(g.gates.filter(x => !x.decides))
  if (!counted.length) return 'the job is set to report its limits, not to enforce them, so no version is withdrawn'
  const near = g.evidence < 0.01 ? 'there is hardly any evidence for that so far' : `${percent(g.evidence)} of the evidence needed for that has been found`
  return `only ${listed(counted, 'and')} can withdraw it, and ${near}${others.length ? `; ${listed(others, 'and')} cannot` : ''}`
}

// names are those of comparisons, each once and in quotation marks, since they may have commas; many are told by their number.
function names(gates) {
  const all = [...new Set(gates.map(g => titles[g.name] ? titles[g.name][0].toLowerCase() + titles[g.name].slice(1) : `"${g.constraint}"`))]
  return all.length > mostNamed ? [`${count(all.length)} comparisons`] : all
}

const listed = (all, word) => all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} ${word} ${all[all.length - 1]}`

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
  if (r.unwatched_since) all.push('Because of a defect, no version is tested or withdrawn until fairstream is started again.')
  if (r.paused) all.push('A person has paused new versions: the one in use stays until the pause ends, unless it is withdrawn.')
  if (r.pinned) all.push('A person has ordered the version in use to stay, whatever its tests show.')
  if (g?.gone) all.push('The weights of the version in use are no longer stored.')
  if (g?.marked) all.push('The version in use is beyond its tolerance. It stays, because no earlier version is better.')
  else if (g?.alarm) all.push('Alarm: the newest decisions of the version in use are beyond a limit.')
  if (known(g?.compared)) all.push(`The version in use is being compared with earlier ones, so far on ${plural(g.compared, 'record')}.`)
  return all
}

// beside is what else holds.
function beside(r, ended) {
  const all = []
  if (ended && r.trial) all.push('The job ended before the tests of the version under test were complete.')
  if (r.cool_down > 0 && !ended) all.push(`Each change is followed by a pause: the next version may come into use after ${plural(r.cool_down, 'more record')}.`)
  if (r.share < 1) all.push(`The tests use ${percent(r.share)} of the records, and the numbers of records here count only these.`)
  if (r.barred > 0) all.push(`${plural(r.barred, 'version was', 'versions were')} withdrawn and cannot come into use again.`)
  return all.length ? h('p', { class: 'note' }, all.join(' ')) : null
}

function outlook(r) {
  const t = r.trial
  const needs = known(t.records_needed) ? `The tests need about ${plural(rough(t.records_needed), 'more record')}. ` : ''
  const unknown = t.undecided > 0 ? `The version under test could not decide ${plural(t.undecided, 'record')}. ` : ''
  return `${needs}${unknown}It is rejected if it has not passed all tests that decide after ${plural(t.deadline, 'more record')} with an outcome, or after ${plural(t.patience, 'more record')} in all. `
    + `A version beyond its tolerance passes all tests with a probability of at most ${level(1 - r.confidence)}.`
}

// whatDecides says which tests a version has to pass, and which are only shown.
function whatDecides(gates) {
  const decide = names(gates.filter(g => g.decides)), others = names(gates.filter(g => !g.decides))
  const open = gates.some(g => !g.decides && (g.beyond || g.status !== 'met'))
  if (!others.length) return `All of these tests decide.`
  return `These tests decide: ${listed(decide, 'and')}. ${listed(others, 'and')} ${others.length > 1 ? 'do' : 'does'} not, because the job is set to report ${others.length > 1 ? 'those limits, not to enforce them' : 'that limit, not to enforce it'}`
    + (open ? ', so the version can come into use without passing there.' : '.')
}

const titles = { integrity: 'Its weights are complete and unchanged', log_loss: 'Error of the scores (log loss)', error: 'Share of wrong decisions', squared_error: 'Squared error' }

function gates(caption, list, r) {
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, h('table', { class: 'data gates' }, h('caption', {}, caption),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Test'), h('th', { scope: 'col' }, 'Result'), ['Measured', 'Limit', 'Records', 'Still needed'].map(x => h('th', { scope: 'col', class: 'number' }, x)))),
    h('tbody', {}, list.map(g => gate(g, r)))))
}

function gate(g, r) {
  const isDifference = g.name === 'comparison' && g.criterion !== 'impact-ratio', isRatio = g.name === 'comparison' && !isDifference
  const rival = g.name === 'integrity' || g.name === 'comparison' ? null : `${g.against ? `minus that of version ${name(g.against)}` : 'minus that of one decision for everyone'}; below 0 is better`
  const [result, ...more] = (g.text ?? '').split(/[;:] /)
  const tolerance = known(g.tau) && known(g.limit) && g.tau !== g.limit ? h('span', { class: 'second' }, `tolerance ${isRatio ? '' : '±'}${tau(round(g.limit))}`) : null, least = tolerance ? g.tau : g.limit
  const limit = !known(least) ? '–' : isRatio ? `at least ${tau(round(least))}` : isDifference ? `±${tau(round(least))}` : `at most ${tau(round(least))}`
  return h('tr', {},
    h('th', { scope: 'row' }, titles[g.name] ?? g.constraint, h('span', { class: 'second' }, [g.name === 'comparison' ? compared(g.criterion) : rival, g.decides ? null : 'only shown'].filter(Boolean).join(', '))),
    h('td', {}, h('span', { class: 'tag ' + (g.beyond ? 'violated' : g.status) }, result), more.map(x => h('span', { class: 'second' }, x))),
    cell('Measured', known(g.value) ? [isRatio ? decimal(g.value) : signed(g.value), h('span', { class: 'second' }, isRatio ? interval(g, g.tau, round(g.limit)) : signedInterval(g, g.tau, round(g.limit)))] : g.reason ? h('span', { class: 'why' }, why(g.reason)) : '–'),
    cell('Limit', tolerance ? [limit, tolerance] : limit), cell('Records', g.records > 0 ? count(g.records) : '–'),
    cell('Still needed', known(g.records_needed) ? 'about ' + count(rough(g.records_needed)) : '–'))
}

// cell of a table whose rows are lists on a phone.
const cell = (of, content) => h('td', { class: content === '–' ? 'number none' : 'number', 'data-of': of }, content)

const round = x => Number(x.toFixed(4))

const step = s => h('li', {}, h('span', { class: 'second' }, `${clock(s.time)}, record ${count(s.record)}`), h('span', {}, s.text),
  s.actor || s.reason ? h('span', { class: 'second' }, [s.actor && `ordered by ${s.actor}`, why(s.reason)].filter(Boolean).join(': ')) : null)

// The orders of a person. The password is asked for each time: an order decides about people.
const wording = {
  promote: { title: 'Put the version under test into use', act: 'Put into use', target: () => last?.candidate, explain: v => [
    `With this order, version ${name(v)} comes into use.${last.stable ? ` Version ${name(last.stable)}, which is in use now, will no longer decide. You can go back to it later by withdrawing version ${name(v)}.` : ''}`,
    ...results(), ...apart(), skips()] },
  rollback: { title: 'Withdraw the version in use', act: 'Withdraw', target: () => last?.previous, explain: v => [
    `With this order, version ${name(v)} comes into use again. Version ${name(last.stable)}, which is in use now, is withdrawn and cannot come into use again.`] },
}

// results are those of the version under test: every test, by its name, is in one of the lines.
function results() {
  const gates = last.trial?.gates ?? []
  if (!gates.length) return ['It has not been tested.']
  const part = (words, is) => {
    const of = gates.filter(is).map(g => titles[g.name] ? titles[g.name][0].toLowerCase() + titles[g.name].slice(1) : `"${g.constraint}"`)
    return of.length ? h('li', {}, `${words} ${count(of.length)}: ${of.slice(0, mostListed).join('; ')}${of.length > mostListed ? `; and ${count(of.length - mostListed)} more` : ''}`) : null
  }
  return [`Of its ${plural(gates.length, 'test')}, it has`, h('ul', {}, [part('passed', g => g.status === 'met' && !g.beyond), part('been found beyond the limit in', g => g.beyond), part('failed', g => g.status === 'violated' && !g.beyond),
    part('no result yet in', g => g.status === 'inconclusive' && !g.beyond), part('too few records for', g => g.status === 'not_estimable' && !g.beyond)].filter(Boolean))]
}

// mostListed are so many names as a person reads.
const mostListed = 8

// apart are the comparisons in which the version under test is beyond the bound, each with its interval, and beside the version in use.
function apart() {
  return (last.trial?.gates ?? []).filter(g => g.beyond).slice(0, mostNamed).map(g => {
    const isRatio = g.criterion === 'impact-ratio', own = inUse.find(row => row.name === g.constraint && row.criterion === g.criterion)
    const also = own && last.stable && verdict(own) === 'violated' ? ' The version in use is beyond this limit, too: you would replace one version that is beyond it with another.' : ''
    return h('strong', {}, `${g.constraint}: ${isRatio ? 'ratio' : 'difference'} ${isRatio ? interval(g, g.tau) : signedInterval(g, g.tau)}, beyond the limit ${tau(g.tau)}.${also}`)
  })
}

// skips is what an order passes over.
function skips() {
  const open = (last.trial?.gates ?? []).some(g => g.decides && g.status !== 'met')
  const all = [open && 'the tests that have not passed', last.cool_down > 0 && `the pause of ${plural(last.cool_down, 'more record')} after the last change`, last.paused && 'the pause that a person has ordered'].filter(Boolean)
  return all.length ? `The order skips ${listed(all, 'and')}.` : ''
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
  fill($('order-explain'), words.explain(target).filter(Boolean).map(x => x.tagName === 'UL' ? x : h('p', {}, x)))
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
