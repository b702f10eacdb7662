// The verdicts about the decisions that count: a heading, four answers, and a card for each comparison, or a table of many.
import { $, changed, fill, h, show, write } from './dom.js'
import { allowed, bounds, clock, compares, count, decimal, interval, isRatio, keyOf, known, lasted, measured, pair, people, percent, plural, range, rough, size, tau, value, verdict, verdicts } from './format.js'
import { around, interval as picture } from './picture.js'

const cards = new Map()
const said = new Map()

// rowsOf are the comparisons of the decisions that count.
const rowsOf = status => status.deciding?.constraints ?? []

export function draw(status, choose, chosen, lost) {
  heading(status, lost)
  unseen(status, lost)
  const rows = worstFirst(rowsOf(status)), many = rows.length > mostCards
  ended = status.phase === 'ended'
  if (!changed('cards', [rows, chosen, ended, [...open]])) return
  announce(rows)
  show($('cards'), !many)
  show($('ledger'), many)
  drawCards(many ? [] : rows, choose, chosen)
  fill($('ledger'), many ? ledger(rows, () => draw(status, choose, chosen), choose) : null)
  numbers(rows)
}

// Up to so many comparisons have a card each. More are a table of a line each, with the details on demand.
const mostCards = 6

// Beyond so many records, how many more a verdict needs says little: it changes with every look.
const hopeless = 100000
const urgency = row => verdict(row) === 'violated' ? 0 : row.alarm?.raised ? 1 : verdict(row) === 'met' ? 3 : 2
// excess is how far a row lies beyond its bound; the others keep the order of the configuration.
const excess = row => verdict(row) !== 'violated' ? 0 : isRatio(row) ? row.tau - measured(row) : Math.abs(measured(row)) - row.tau
export const worstFirst = rows => rows.map((row, at) => [urgency(row), excess(row), at, row]).sort((a, b) => a[0] - b[0] || b[1] - a[1] || a[2] - b[2]).map(x => x[3])

function drawCards(rows, choose, chosen) {
  $('cards').dataset.count = rows.length
  const kept = new Set(rows.map(keyOf))
  for (const [key, card] of cards) if (!kept.has(key)) { card.remove(); cards.delete(key) }
  rows.forEach((row, at) => {
    const key = keyOf(row)
    if (!cards.has(key)) cards.set(key, h('button', { type: 'button', class: 'card', on: { click: () => choose(key, true) } }))
    const card = cards.get(key)
    if ($('cards').children[at] !== card) $('cards').insertBefore(card, $('cards').children[at] ?? null)
    drawCard(card, row, key === chosen)
  })
}

let ended = false // no more records come

const undecided = { word: 'Could not be decided', brief: 'not decided', sign: '?' }
const wordsOf = row => ended && verdict(row) === 'inconclusive' ? undecided : verdicts[verdict(row)] ?? verdicts.not_estimable
// sentenceOf is the verdict in words, without "yet" where nothing more comes.
const sentenceOf = row => ended ? row.sentence.replace('It is not known yet whether', 'It is not known whether') : row.sentence
const badge = row => h('span', { class: 'verdict' }, h('span', { class: 'sign', 'aria-hidden': 'true' }, wordsOf(row).sign), wordsOf(row).word)

function drawCard(card, row, chosen) {
  const is = verdict(row), own = bounds(row)
  card.className = `card ${is}`
  card.setAttribute('aria-pressed', String(chosen))
  const facts = factsOf(row)
  fill(card, badge(row),
    h('span', { class: 'name' }, titleOf(row)),
    h('span', { class: 'criterion' }, compares(row), row.covers ? h('strong', {}, ' ' + row.covers) : null),
    picture(around(row), { value: measured(row), lo: own.lo, hi: own.hi, allowed: allowed(row), zero: !isRatio(row), kind: is }),
    h('span', { class: 'sentence' }, sentenceOf(row)),
    facts.length ? h('span', { class: 'facts' }, facts) : null,
    row.alarm?.raised ? h('span', { class: 'alarm' }, alarmWords(row)) : null)
}

// titleOf names both sides of a comparison of combinations, which its name could be taken to be about all of.
const titleOf = row => row.group.includes(' & ') ? `${row.name}: ${row.group} against ${people(row.versus)}` : row.name

// factsOf are the numbers behind a verdict: all of the same decisions.
function factsOf(row) {
  const own = bounds(row), facts = []
  if (known(measured(row))) facts.push(fact(isRatio(row) ? 'ratio' : 'difference', value(row, measured(row))))
  if (known(own.lo)) facts.push(fact('interval', range(row, own)))
  if (known(row.group_measure)) facts.push(side(row, row.group, row.group_measure, row.group_range, row.n_group, row.effective_n_group), side(row, people(row.versus), row.versus_measure, row.versus_range, row.n_versus, row.effective_n_versus))
  if (row.sequence && row.group_range) facts.push(h('span', { class: 'second' }, 'The intervals of the shares are for one look.'))
  if (known(row.records_needed) && verdict(row) === 'inconclusive' && !/ more records? /.test(row.sentence)) facts.push(fact(ended ? 'the job ended; a verdict would have needed about' : 'a verdict needs about', row.records_needed > hopeless ? `more than ${count(hopeless)} more records` : plural(rough(row.records_needed), 'more record')))
  return facts
}

const fact = (name, value) => h('span', { class: 'fact' }, h('span', { class: 'of' }, name, ' '), h('span', { class: 'is' }, value))

function side(row, name, x, ends, n, worth) {
  if (row.criterion === 'mean-difference') return fact(name, `predicted ${decimal(x)} on average, ${plural(n, 'record')}`)
  return fact(name, `${percent(x)}${ends ? ` (${percent(ends.lo)} to ${percent(ends.hi)})` : ''} of ${size(n, worth)}`)
}

// alarmWords have the number of the newest decisions; the top of the page says since when.
function alarmWords(row) {
  const r = row.recent
  return r ? `Alarm. In the last ${count(r.n)} decisions about these groups the ${isRatio(row) ? 'ratio' : 'difference'} is ${value(row, r.value)} (${range(row, r)}, for one look).` : 'Alarm: the newest decisions are beyond the limit.'
}

const open = new Set()

// ledger is a table of one line for each comparison.
function ledger(rows, again, choose) {
  return h('table', { class: 'ledger' },
    h('caption', { class: 'hidden' }, 'All comparisons, the worst first'),
    h('thead', {}, h('tr', {}, ['Verdict', 'Comparison'].map(x => h('th', { scope: 'col' }, x)), h('th', { scope: 'col', class: 'number' }, 'Difference'), h('th', { scope: 'col', class: 'number wide-only' }, 'Interval'), h('th', { scope: 'col', class: 'number wide-only' }, 'Limit'))),
    h('tbody', {}, rows.map((row, at) => [line(row, at, again), open.has(keyOf(row)) ? more(row, at, choose) : null])))
}

// called is the name of a comparison with its groups; on a phone without them where the name has the first one, as in "born in Cuba".
function called(row) {
  const whole = `${row.name}: ${pair(row)}`
  return row.name.toLowerCase().includes(row.group.toLowerCase()) ? [h('span', { class: 'wide-only' }, whole), h('span', { class: 'phone-only' }, row.name)] : whole
}

const limit = row => `${isRatio(row) ? 'at least ' : ''}${tau(row.tau)}`

function line(row, at, again) {
  const key = keyOf(row), is = verdict(row), own = bounds(row), isOpen = open.has(key)
  const turn = () => { isOpen ? open.delete(key) : open.add(key); again(); $(`ledger-${at}`)?.focus() }
  return h('tr', { class: 'line ' + is },
    h('td', {}, h('span', { class: 'tag ' + is }, `${wordsOf(row).sign} ${wordsOf(row).brief}`)),
    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'open', id: `ledger-${at}`, 'aria-expanded': String(isOpen), on: { click: turn } }, called(row))),
    h('td', { class: 'number' }, value(row, measured(row)), h('span', { class: 'second phone-only' }, 'limit ' + limit(row)), row.alarm?.raised ? h('span', { class: 'second' }, 'alarm') : null),
    h('td', { class: 'number wide-only' }, known(own.lo) ? range(row, own) : '–'),
    h('td', { class: 'number wide-only' }, limit(row)))
}

const more = (row, at, choose) => h('tr', { class: 'more' }, h('td', { colspan: '5' },
  h('p', {}, sentenceOf(row)), h('p', { class: 'second' }, compares(row), row.covers ? ' ' + row.covers : null), h('span', { class: 'facts' }, factsOf(row)),
  row.alarm?.raised ? h('p', {}, alarmWords(row)) : null,
  h('button', { type: 'button', class: 'open', on: { click: () => choose(keyOf(row), true) } }, 'Show over time')))

// numbers are those that few people need.
function numbers(rows) {
  const some = rows.filter(r => r.totals || r.impact_ratio || r.alarm)
  show($('numbers'), some.length > 0)
  fill($('numbers-body'), some.length ? [
    h('p', { class: 'note' }, 'The difference above is that between the shares of all these decisions, as a law or an audit may ask for. The verdict and its interval compare people about whom decisions were made at about the same time: ' +
      'otherwise, shares that change for everybody could look like a difference between groups. So the difference need not lie in the middle of the interval. The ratio is the lower share divided by the higher one. ' +
      'A change detector collects evidence that the newest decisions are beyond the limit, and raises an alarm when there is enough of it. The share of one group has an interval for one look: the more often you look, the more errors you should expect.'),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'More numbers of the comparisons' }, h('table', { class: 'data' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Comparison'), ['Difference at equal time', 'Interval of the difference in all decisions', 'Ratio of the shares', 'Change detector'].map(x => h('th', { scope: 'col', class: 'number' }, x)))),
      h('tbody', {}, some.map(r => h('tr', {}, h('th', { scope: 'row' }, `${r.name}: ${pair(r)}`),
        h('td', { class: 'number' }, known(r.sequence?.value) && !isRatio(r) ? `${value(r, r.sequence.value)} (${range(r, r.sequence)})` : '–'),
        h('td', { class: 'number' }, known(r.totals?.lo) && !isRatio(r) ? range(r, r.totals) : '–'),
        h('td', { class: 'number' }, known(r.impact_ratio?.value) ? `${r.impact_ratio.value.toFixed(2)} (${interval(r.impact_ratio)})` : '–'),
        h('td', { class: 'number' }, detector(r.alarm)))))))] : null)
}

function detector(alarm) {
  if (!alarm) return '–'
  if (alarm.raised) return h('span', { class: 'alarm' }, 'alarm')
  return [`no alarm; evidence ${decimal(alarm.evidence, alarm.evidence < 10 ? 1 : 0)}, and an alarm at ${count(alarm.threshold)}`,
    alarm.plan ? h('span', { class: 'second' }, `if the difference became ±${decimal(alarm.plan.difference, 2)}, an alarm would follow after about ${plural(rough(alarm.plan.records), 'record')}`) : null]
}

// ofNumbers says whether a job predicts numbers: all that is compared then are means.
const ofNumbers = rows => rows.length > 0 && rows.every(row => row.criterion === 'mean-difference')

// isPast says whether nobody knows what is the case now, and the page shows what was: its numbers then have their age beside them.
export const isPast = (status, lost) => Boolean(lost || status.outage || ['halted', 'ended'].includes(status.phase))

// heading has the verdict and the answers. While nobody knows what is the case now, it tells of the past: lost says that the page does not hear of the job.
export function heading(status, lost) {
  const predicts = ofNumbers(rowsOf(status))
  const a = status.deciding?.answers ?? {}
  const empty = !status.records?.seen && !rowsOf(status).length
  const past = isPast(status, lost), what = predicts ? 'predictions' : 'decisions'
  write($('question'), empty ? '' : past ? `Were the ${what} fair?` : `Are the ${what} fair now?`)
  const headline = status.phase === 'ended' ? (a.headline ?? '').replace(/ot known yet/g, 'ot known') : a.headline ?? ''
  write($('headline'), empty && status.phase !== 'standby' ? 'No records yet' : lost ? before(status, headline) : headline)
  const at = past && status.as_of ? clock(status.as_of) : ''
  write($('follows'), lost && at && a.follows && !headline.startsWith('Not known now') ? `Last known, at ${at}: ${a.follows}` : a.follows ?? '')
  const unseen = lost && status.deciding?.version ? ' Whether fairstream still watches its decisions is not known here; applications keep using the version that they have.' : ''
  if (unseen) write($('follows'), $('follows').textContent + unseen)
  show($('follows'), Boolean(a.follows || unseen))
  write($('unchecked-text'), a.unchecked ?? '')
  show($('unchecked'), Boolean(a.unchecked))
  const quiet = empty || lost || status.phase === 'ended' ? '' : silent(status.serving)
  if (changed('answers', [a, empty, predicts, at, quiet])) {
    fill($('answers'), empty && !a.sure ? null : [[predicts ? 'Which predictions' : 'Which decisions', a.fair], ['How sure', a.sure], ['Since when', a.since], ['What happened', a.happened]]
      .filter(([, text]) => text).map(([name, text]) => h('div', {}, h('dt', {}, name, at && (lost || text !== a.happened) ? h('span', { class: 'age' }, ` as of ${at}`) : null), text === a.happened ? happened(lost ? text.replaceAll(', still on', ', still on then') : text, quiet) : h('dd', {}, text.replace(/(\d) %/g, '$1\u00a0%')))))
  }
  const meaning = rowsOf(status).length ? [status.meaning, asOf(status)].filter(Boolean).join(' ') : ''
  write($('meaning'), meaning)
  show($('meaning'), Boolean(meaning))
  write($('words'), status.kind === 'monitor' ? 'On this page, fairstream is the program that watches the decisions of another model, and the job is what it is set up to watch here: the records, comparisons and limits.'
    : 'On this page, fairstream is the program that learns from records, tests versions and watches their decisions. The job is what it is set up to do here: the records, comparisons and limits. A version is the model as it was after so many records. Applications are the programs of yours that decide by a version. A tolerance is wider than its limit, by 0.02 unless it was changed, so that chance alone does not fail a good version: a version fails a test, or is withdrawn, only if it is found beyond the tolerance.')
  const warm = status.warm_up
  show($('warm-up'), Boolean(warm))
  if (warm) {
    write($('warm-up-text'), `Warming up: ${count(warm.records)} of ${plural(warm.of, 'record')}`)
    $('warm-up-bar').max = warm.of
    $('warm-up-bar').value = warm.records
  }
}

// happened is what the last day and week brought: a line for each event, where there is room.
function happened(text, quiet) {
  const days = text.split(/(?<=\.) (?=Last 24 hours|Last 7 days|The six days before|From \d|Fairstream was not running|The job began on|What happened before)/)
  const lines = day => day.replace(/^(Last 24 hours|The six days before): (?=.*;)/, '$1:; ').split(/(?<=;) /).map(line => line.replace(/^(.*:);$/, '$1'))
  return [days.map(lines).map(all => h('dd', {}, all.length > 1 ? all.map((event, at) => [at ? ' ' : null, h('span', { class: event.endsWith(':') ? 'event span' : 'event' }, timed(event))]) : all)), quiet ? h('dd', {}, quiet) : null]
}

// timed sets the time of an event apart.
function timed(event) {
  const [, at, what] = event.match(/^(\d+ \w+, \d\d:\d\d: )(.*)$/s) ?? []
  return at ? [h('strong', {}, at), what] : event
}

// asOf says how many records the numbers of the page are of.
const asOf = status => status.version && status.as_of ? `The numbers on this page are as of ${status.kind === 'monitor' ? 'decision' : 'record'} ${count(status.version)}, ${clock(status.as_of)}.` : ''

// silent tells of applications that use the versions and no longer report; empty if all do.
function silent(serving) {
  if (!serving?.silent) return ''
  const heard = serving.instances.filter(i => i.silent).map(i => i.heard).sort().pop()
  const last = serving.silent === 1 ? serving.instances.find(i => i.silent)?.uses.find(u => u.alias === 'stable') : null
  return `${count(serving.silent)} of the ${plural(serving.known, 'application')} that decide by the versions ${serving.silent === 1 ? 'has' : 'have'} not reported for ${heard ? lasted(heard) : 'some time'}.${last ? ` It last used version ${count(last.version)}.` : ''}`
}

// before is a headline that was true when the page last heard of the job.
const before = (status, headline) => !status.as_of || headline.startsWith('Not known now') ? headline
  : `Not known now. Last known, at ${clock(status.as_of)}: ${headline.replace(/^(No|Yes): /, (_, answer) => answer.toLowerCase() + ', ')}`

// unseen shows the alarms of the last week that were not hidden in this browser.
export function unseen(status, lost) {
  const key = 'seen ' + status.job, seen = new Set(JSON.parse(localStorage.getItem(key) ?? '[]'))
  const list = (status.deciding?.alarms ?? []).filter(a => !seen.has(a.id))
  const past = isPast(status, lost)
  if (!changed('alarms', [list, status.phase, past])) return
  show($('alarms'), list.length > 0)
  fill($('alarms'), list.slice(0, mostAlarms).map(a => h('p', { class: a.ended ? 'ended' : null }, h('span', {}, a.text))),
    list.length ? h('button', { type: 'button', class: 'plain-button', on: { click: () => {
      localStorage.setItem(key, JSON.stringify([...seen, ...list.map(a => a.id)].slice(-200)))
      unseen(status)
    } } }, list.length > 1 ? `Hide these ${count(list.length)} messages here` : 'Hide this message here') : null,
    list.length ? h('span', { class: 'second' }, `This hides it in your browser only and is not recorded.${list.some(a => !a.ended) ? (status.phase === 'ended' ? ' The alarm was on when the job ended.' : past ? ' The alarm was on when decisions were last watched.' : ' The alarm goes on.') : ''}`) : null)
}

const mostAlarms = 3

// announce tells a screen reader of verdicts that changed.
function announce(rows) {
  const news = []
  for (const row of rows) {
    const key = keyOf(row), is = verdict(row)
    if (said.has(key) && said.get(key) !== is) news.push(`${row.name}: ${verdicts[is]?.word}. ${row.sentence}`)
    said.set(key, is)
  }
  if (news.length) write($('announce'), news.join(' '))
}
