// The verdicts: a heading for all, and a card for each comparison.
import { $, changed, fill, h, show, write } from './dom.js'
import { allowed, count, criterion, decimal, interval, isRatio, keyOf, known, level, percent, plural, range, rough, tau, time, value, verdict, verdicts } from './format.js'
import { around, interval as picture } from './picture.js'

const cards = new Map()
const said = new Map()

export function draw(status, choose, chosen) {
  heading(status)
  const rows = status.constraints ?? []
  if (!changed('cards', [rows, chosen, all])) return
  announce(rows)
  const kept = new Set(rows.map(keyOf))
  for (const [key, card] of cards) if (!kept.has(key)) { card.remove(); cards.delete(key) }
  worstFirst(rows).forEach((row, at) => {
    const key = keyOf(row)
    if (!cards.has(key)) cards.set(key, h('button', { type: 'button', class: 'card', on: { click: () => choose(key, true) } }))
    const card = cards.get(key)
    if ($('cards').children[at] !== card) $('cards').insertBefore(card, $('cards').children[at] ?? null)
    drawCard(card, row, key === chosen)
    show(card, all || at < few)
  })
  show($('more'), rows.length > few)
  write($('more'), all ? `Show the first ${few} only` : `Show all ${rows.length} comparisons`)
  $('more').setAttribute('aria-expanded', String(all))
  $('more').onclick = () => { all = !all; draw(status, choose, chosen) }
}

// Of many comparisons the first few are shown: those that need a person come first, the others in the order of the configuration.
const few = 12
let all = false
const urgency = row => verdict(row) === 'violated' ? 0 : row.alarm?.raised ? 1 : 2
const worstFirst = rows => rows.map((row, at) => [urgency(row), at, row]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(x => x[2])

function drawCard(card, row, chosen) {
  const is = verdict(row), words = verdicts[is] ?? verdicts.not_estimable
  card.className = `card ${is}`
  card.setAttribute('aria-pressed', String(chosen))
  const facts = []
  const of = isRatio(row) ? 'ratio of rates' : 'difference'
  if (known(row.sequence?.value)) facts.push(fact(isRatio(row) ? 'every look' : 'every look, at equal time', `${value(row, row.sequence.value)} (${range(row, row.sequence)})`))
  if (known(row.totals?.value) && !isRatio(row)) facts.push(fact('every look, of the totals', `${value(row, row.totals.value)} (${range(row, row.totals)})`))
  if (known(row.value)) facts.push(fact(row.sequence ? 'pointwise' : of, `${value(row, row.value)} (${range(row, row)})`))
  if (known(row.group_measure)) facts.push(fact(row.group, `${percentOr(row, row.group_measure)} of ${count(row.n_group)}`), fact(row.versus, `${percentOr(row, row.versus_measure)} of ${count(row.n_versus)}`))
  if (known(row.impact_ratio?.value) && !isRatio(row)) facts.push(fact('ratio of rates', `${row.impact_ratio.value.toFixed(2)} (${interval(row.impact_ratio)})`))
  if (known(row.records_needed) && is === 'inconclusive') facts.push(fact('a verdict needs about', plural(rough(row.records_needed), 'more record')))
  if (row.alarm && !row.alarm.raised) facts.push(fact('change alarm', `quiet, ${decimal(row.alarm.evidence, row.alarm.evidence < 10 ? 1 : 0)} of ${count(row.alarm.threshold)}`))
  if (row.alarm?.plan && !row.alarm.raised) facts.push(fact(`alarm if it becomes ±${decimal(row.alarm.plan.difference, 2)}`, `after about ${plural(rough(row.alarm.plan.records), 'record')}`))
  fill(card,
    h('span', { class: 'verdict' }, h('span', { class: 'sign', 'aria-hidden': 'true' }, words.sign), words.word),
    h('span', { class: 'name' }, row.name),
    h('span', { class: 'criterion' }, `${criterion(row.criterion)}${isRatio(row) ? ' of at least ' : ', bound '}${tau(row.tau)}${row.enforced ? ', enforced' : ', measured only'}`),
    picture(around(row), { value: row.sequence ? row.sequence.value : row.value, lo: row.lo, hi: row.hi, behind: row.sequence, allowed: allowed(row), zero: !isRatio(row), kind: is }),
    h('span', { class: 'sentence' }, row.sentence),
    facts.length ? h('span', { class: 'facts' }, facts) : null,
    row.alarm?.raised ? h('span', { class: 'alarm' }, alarmWords(row.alarm)) : null,
  )
}

const fact = (name, value) => h('span', { class: 'fact' }, h('span', { class: 'of' }, name, ' '), h('span', { class: 'is' }, value))

const percentOr = (row, x) => row.criterion === 'mean-difference' ? decimal(x) : percent(x)

function alarmWords(alarm) {
  const since = alarm.since
  return `Alarm: the difference changed${since ? `, raised at record ${count(since.record)}${since.time ? ` (${time(since.time)})` : ''}` : ''}`
}

function heading(status) {
  const rows = status.constraints ?? []
  const by = name => rows.filter(r => verdict(r) === name).length
  const violated = by('violated'), met = by('met'), open = rows.length - violated - met
  const alarms = rows.filter(r => r.alarm?.raised).length
  let text
  if (!rows.length) text = status.records?.seen ? 'No comparison of groups is declared' : 'No records yet'
  else if (violated) text = rows.length === 1 ? 'The difference exceeds its bound' : `${violated} of ${rows.length} comparisons ${violated === 1 ? 'exceeds its bound' : 'exceed their bounds'}`
  else if (alarms) text = rows.length === 1 ? 'Alarm: the difference has changed' : `Alarm: the difference of ${alarms} of ${rows.length} comparisons has changed`
  else if (!open) text = rows.length === 1 ? 'The groups are treated alike within the bound' : `All ${rows.length} comparisons are within their bounds`
  else if (met) text = `${met} of ${rows.length} comparisons are within their bounds, ${open} not known yet`
  else text = 'It is not known yet whether the groups are treated alike'
  write($('headline'), text)
  write($('lead'), lead(status, rows))
  const warm = status.warm_up
  show($('warm-up'), Boolean(warm))
  if (warm) {
    write($('warm-up-text'), `Warming up: ${count(warm.records)} of ${plural(warm.of, 'record')}`)
    $('warm-up-bar').max = warm.of
    $('warm-up-bar').value = warm.records
  }
}

function lead(status, rows) {
  if (!rows.length) return status.records?.seen ? 'Add a constraint to the configuration to compare groups.' : 'Verdicts appear here when records come.'
  const at = `After ${plural(status.version, 'record')}${status.time ? `, up to ${time(status.time.last)}` : ''}. `
  if (rows.some(r => r.sequence)) return at + `All verdicts hold together with confidence ${level(status.confidence)}, however often you look.`
  return at + `Each interval is pointwise, at level ${level(rows[0].level)}: it is not a guarantee for every look.`
}

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

export function conditions(status) {
  const list = status.conditions ?? []
  if (!changed('conditions', list)) return
  show($('conditions'), list.length > 0)
  fill($('conditions-list'), list.map(c => h('li', {}, h('strong', {}, (c.constraint || 'The whole job') + ':'), ' ', h('span', {}, c.detail), ' ', h('code', {}, c.code))))
}
