// The difference of one comparison over time, with both bands, the limit and marks.
import { $, changed, fill, h, show, write } from './dom.js'
import { allowed, clock, count, decimal, isRatio, keyOf, known, pair, people, plural, range, signed, tau, value } from './format.js'
import { getJSON } from './feed.js'
import { worstFirst } from './verdicts.js'

const most = 900 // points, before the series is fetched again

let rows = [], chosen = '', series = null, plot = null, fetching = 0
let old = false // the series is of the connection before

const query = row => 'api/v1/series?' + new URLSearchParams({ constraint: row.name, criterion: row.criterion, group: row.group, versus: row.versus })

export const current = () => chosen

export async function choose(key, jump) {
  if (key !== chosen) {
    chosen = key
    series = null
    old = false
    $('time-choice').value = key
    await load()
  }
  if (jump) {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    $('time').scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'nearest' })
  }
}

// load fetches the whole series of the chosen row.
export async function load() {
  const row = rows.find(r => keyOf(r) === chosen)
  if (!row) return draw()
  const mine = ++fetching
  try {
    const found = await getJSON(query(row))
    if (mine === fetching) { series = found; draw() }
  } catch { /* the connection tells, and the series is loaded again with it */ }
}

// connected says that the connection is new. The series is loaded again when the status has its row: a process that has just
// started knows none.
export function connected() { old = true }

export async function follow(status) {
  whose = status.kind === 'monitor' ? '' : ' The learner made these decisions for itself while it learnt.' + (status.deciding?.subject === 'stable' ? ' The verdicts at the top are about the version in use.' : '')
  write($('time-name'), status.kind === 'monitor' ? 'Difference over time' : 'Trial decisions over time, which nobody received')
  rows = status.constraints ?? []
  if (changed('choices', rows.map(keyOf))) {
    fill($('time-choice'), rows.map(r => h('option', { value: keyOf(r) }, `${r.name}: ${pair(r)}`)))
    if (rows.some(r => keyOf(r) === chosen)) $('time-choice').value = chosen
    else if (rows.length) await choose(first(status))
  }
  if (old && rows.some(r => keyOf(r) === chosen)) {
    old = false
    await load()
  }
  show($('time'), rows.length > 0)
}

// first is the comparison that is shown first: the worst one.
function first(status) {
  const keys = rows.map(keyOf), worst = worstFirst(status.deciding?.constraints ?? []).map(keyOf).find(key => keys.includes(key))
  return worst ?? keys[0]
}

export function points(event) {
  if (!series || keyOf(event) !== chosen) return
  const last = series.points.length ? series.points[series.points.length - 1].n : -1
  for (const p of event.points) if (p.n > last) series.points.push(p)
  if (event.marks) series.marks = event.marks
  if (series.points.length > most) load()
  else draw()
}

// whose decisions the chart shows.
let whose = ''

function draw() {
  const some = Boolean(series?.points?.some(p => known(p.value) || known(p.sequence_value)))
  for (const id of ['time-chart', 'time-legend', 'time-readout']) show($(id), some)
  show($('time-empty'), !some)
  const row = rows.find(r => keyOf(r) === chosen)
  write($('time-note'), row ? (isRatio(row) ? `The lower share of positive decisions, of ${pair(row)}, divided by the higher one. It is within the limit from ${tau(row.tau)} on.${whose}`
    : `${row.group} minus ${people(row.versus)}. It is within the limit up to ±${tau(row.tau)}.${whose}`) : '')
  write($('legend-recent'), row?.recent ? `The last ${count(row.recent.n)} records of both groups, with an interval for one look` : 'Recent records, with an interval for one look')
  marks()
  table()
  if (!some) return
  show($('legend-sequence'), series.points.some(p => known(p.sequence_value)))
  $('time-chart').setAttribute('aria-label', `Difference between ${pair(series)} over ${plural(series.points[series.points.length - 1].n, 'record')}. Arrow keys read single points.`)
  if (!plot) create()
  plot.setData(columns())
  readout(plot.cursor.idx)
}

const columns = () => [series.points.map(p => p.n), ...['hi', 'lo', 'sequence_hi', 'sequence_lo', 'sequence_value', 'value'].map(name => series.points.map(p => p[name]))]

const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()

const size = () => {
  const width = Math.max(240, $('time-chart').clientWidth)
  return { width, height: Math.round(Math.min(380, Math.max(250, width * 0.34))) }
}

function create() {
  const line = (name, width, dash) => ({ stroke: colour(name), width, dash, points: { show: false } })
  const axis = { stroke: colour('muted'), grid: { stroke: colour('grid'), width: 1 }, ticks: { stroke: colour('grid'), width: 1, size: 5 }, font: '12px system-ui, sans-serif' }
  plot = new uPlot({
    ...size(),
    legend: { show: false },
    padding: [18, 48, 0, 0],
    cursor: { drag: { setScale: false, x: false, y: false }, y: false, points: { size: 7 } },
    scales: { x: { time: false }, y: { range: reach } },
    axes: [
      { ...axis, space: series.points.some(p => p.time) ? 110 : 80, label: 'records', labelSize: 16, labelGap: -2, size: series.points.some(p => p.time) ? 50 : 34, labelFont: '12px system-ui, sans-serif', values: (_, ticks) => ticks.map(n => `${count(n)}${dated(n)}`) },
      { ...axis, size: 58, values: (_, ticks) => ticks.map(x => isRatio(series) ? decimal(x, 2) : signed(x, 2)) },
    ],
    series: [{}, line('pointwise-edge', 1), line('pointwise-edge', 1), line('sequence-edge', 1), line('sequence-edge', 1), line('sequence', 2.2), line('pointwise', 1.6)],
    bands: [{ series: [1, 2], fill: colour('pointwise-fill') }, { series: [3, 4], fill: colour('sequence-fill') }],
    hooks: { drawAxes: [bounds], draw: [flags], setCursor: [u => readout(u.cursor.idx)] },
  }, columns(), $('time-chart'))
}

// dated is the time of the point at a number of records, on a line of its own; empty where none is near or records carry none.
function dated(n) {
  const at = series.points.find(p => p.n >= n)
  return at?.time ? '\n' + clock(at.time).replace(/ \d{4},/, ',').replace(' UTC', '') : ''
}

// reach shows the limit and what is known, and not the wide intervals of the first records.
function reach() {
  if (isRatio(series)) {
    const settled = series.points.slice(Math.floor(series.points.length / 4)).flatMap(p => [p.value, p.lo, p.sequence_lo]).filter(known)
    return [Math.max(0, Math.min(series.tau - 0.1, ...settled) - 0.03), 1.03]
  }
  let far = (series?.tau ?? 0.05) * 1.8, low = -far
  const all = series?.points ?? []
  const settled = all.slice(Math.floor(all.length / 8))
  for (const p of settled) for (const x of [p.value, p.sequence_value]) if (known(x)) { far = Math.max(far, x * 1.15); low = Math.min(low, x * 1.15) }
  for (const p of all.slice(Math.floor(all.length / 3))) for (const x of [p.hi, p.lo, p.sequence_hi, p.sequence_lo]) if (known(x)) { far = Math.max(far, x * 1.05); low = Math.min(low, x * 1.05) }
  return [low, far]
}

function across(u, y, dash, stroke, width) {
  const at = Math.round(u.valToPos(y, 'y', true)) + 0.5
  u.ctx.beginPath()
  u.ctx.setLineDash(dash)
  u.ctx.strokeStyle = stroke
  u.ctx.lineWidth = width
  u.ctx.moveTo(u.bbox.left, at)
  u.ctx.lineTo(u.bbox.left + u.bbox.width, at)
  u.ctx.stroke()
}

// bounds shades what is allowed, and draws ±tau and 0.
function bounds(u) {
  const [least, most] = allowed(series)
  const scale = devicePixelRatio, top = u.valToPos(most, 'y', true), bottom = u.valToPos(least, 'y', true)
  u.ctx.save()
  u.ctx.beginPath()
  u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height)
  u.ctx.clip()
  u.ctx.fillStyle = colour('allowed')
  u.ctx.fillRect(u.bbox.left, top, u.bbox.width, bottom - top)
  for (const y of [most, least]) across(u, y, [6 * scale, 4 * scale], colour('bound'), 1.4 * scale)
  if (!isRatio(series)) across(u, 0, [], colour('zero'), scale)
  u.ctx.restore()
}

const flagged = { publication: 'mark', configuration: 'mark-change', verdict: 'mark-verdict', alarm: 'mark-alarm', loss: 'mark-alarm' }
const signs = { publication: '▲', configuration: '■', verdict: '◆', alarm: '!', loss: '×' }

// flags draws the marks: a line down from its sign.
function flags(u) {
  const scale = devicePixelRatio
  u.ctx.save()
  u.ctx.textAlign = 'center'
  for (const m of series?.marks ?? []) {
    const at = u.valToPos(m.n, 'x', true)
    if (at < u.bbox.left || at > u.bbox.left + u.bbox.width) continue
    const ink = colour(flagged[m.kind] ?? 'mark')
    u.ctx.strokeStyle = u.ctx.fillStyle = ink
    u.ctx.lineWidth = (m.kind === 'publication' ? 1 : 1.6) * scale
    u.ctx.setLineDash(m.kind === 'publication' ? [2 * scale, 4 * scale] : [])
    u.ctx.beginPath()
    u.ctx.moveTo(at, u.bbox.top)
    u.ctx.lineTo(at, u.bbox.top + u.bbox.height)
    u.ctx.stroke()
    u.ctx.font = `${(m.kind === 'alarm' ? 'bold ' : '')}${(m.kind === 'publication' ? 9 : 13) * scale}px system-ui, sans-serif`
    u.ctx.fillText(signs[m.kind] ?? '▲', at, u.bbox.top - 5 * scale)
  }
  u.ctx.restore()
}

function readout(at) {
  const all = series?.points ?? []
  const p = all[at ?? all.length - 1]
  if (!p) return
  const parts = [`${plural(p.n, 'record')}${p.time ? `, ${clock(p.time)}` : ''}`]
  if (known(p.sequence_value)) parts.push(`all so far: ${value(series, p.sequence_value)} (${range(series, { lo: p.sequence_lo, hi: p.sequence_hi })})`)
  if (known(p.value)) parts.push(`recent: ${value(series, p.value)} (${range(series, p)})`)
  if (p.version) parts.push(`newest version then: ${count(p.version)}`)
  fill($('time-readout'), parts.map(text => h('span', {}, text)))
}

// marks lists them in words; publications, which are many, only as the latest.
function marks() {
  const all = (series?.marks ?? []).filter(m => m.kind !== 'publication').slice(-8)
  const published = (series?.marks ?? []).filter(m => m.kind === 'publication').slice(-1)
  const list = [...all, ...published].sort((a, b) => b.n - a.n)
  if (!changed('marks', list)) return
  fill($('time-marks'), list.map(m => h('li', { class: m.kind }, h('span', { class: 'sign', 'aria-hidden': 'true' }, signs[m.kind] ?? '▲'), ' ',
    h('span', { class: 'at' }, `record ${count(m.n)}${m.time ? `, ${clock(m.time)}` : ''}`), ' ', m.text)))
}

function table() {
  const details = $('time').querySelector('details')
  show(details, Boolean(series?.points?.length))
  if (!details.open || !series) return
  const all = series.points, step = Math.max(1, Math.ceil(all.length / 40))
  const some = all.filter((_, i) => (all.length - 1 - i) % step === 0).reverse()
  fill($('time-table'), h('thead', {}, h('tr', {}, ['Records', 'Time', 'Recent', 'Its interval', 'All so far', 'Its interval'].map(x => h('th', { scope: 'col' }, x)))),
    h('tbody', {}, some.map(p => h('tr', {}, h('th', { scope: 'row' }, count(p.n)), h('td', {}, p.time ? clock(p.time) : '–'), h('td', {}, value(series, p.value)), h('td', {}, range(series, p)),
      h('td', {}, value(series, p.sequence_value)), h('td', {}, range(series, { lo: p.sequence_lo, hi: p.sequence_hi }))))))
}

// redraw is for new colours and sizes.
export function redraw(colours) {
  if (!plot) return
  if (colours) {
    plot.destroy()
    plot = null
    draw()
  } else plot.setSize(size())
}

export function listen() {
  $('time-choice').addEventListener('change', e => choose(e.target.value))
  $('time').querySelector('details').addEventListener('toggle', table)
  new ResizeObserver(() => redraw(false)).observe($('time-chart'))
  $('time-chart').addEventListener('keydown', e => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20, Home: -Infinity, End: Infinity }
    if (!plot || !series || !(e.key in steps)) return
    e.preventDefault()
    const last = series.points.length - 1
    const at = Math.min(last, Math.max(0, (plot.cursor.idx ?? last) + steps[e.key]))
    plot.setCursor({ left: plot.valToPos(series.points[at].n, 'x'), top: 20 })
    $('time-readout').setAttribute('role', 'status')
  })
}
