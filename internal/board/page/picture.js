// Small pictures of intervals and bars, for the cells of tables. Numbers stand beside them, so a screen reader passes them over.
import { h } from './dom.js'
import { isRatio, known } from './format.js'

const width = 200, height = 22, edge = 5

// axis places numbers between two ends; what lies beyond is drawn at the edge.
export function axis(from, to) {
  const place = x => edge + (Math.min(Math.max(x, from), to) - from) / (to - from) * (width - 2 * edge)
  return { from, to, place, beyond: x => x < from || x > to }
}

// around is the axis of a row: around 0 for a difference, from 0 to 1 for a ratio.
export const around = row => isRatio(row) ? axis(0, 1.04) : symmetric([row, row.sequence ?? {}], row.tau)

// symmetric is an axis around 0 that shows the bound and most of the intervals.
export function symmetric(rows, bound) {
  let reach = (bound || 0) * 2
  for (const r of rows) for (const x of [r.value, r.lo, r.hi]) if (known(x)) reach = Math.max(reach, Math.abs(x))
  if (bound) reach = Math.min(reach, bound * 6)
  return axis(-reach * 1.05 || -1, reach * 1.05 || 1)
}

const drawing = (...children) => h('svg', { viewBox: `0 0 ${width} ${height}`, class: 'interval', preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' }, children)

const upright = (at, kind) => h('line', { x1: at, x2: at, y1: 1, y2: height - 1, class: kind, 'vector-effect': 'non-scaling-stroke' })

// interval draws a number with its interval, what is allowed as a band, and a second interval behind it.
export function interval(on, { value, lo, hi, behind, allowed, zero = true, kind = '' }) {
  const parts = []
  if (allowed) {
    const left = on.place(allowed[0]), right = on.place(allowed[1])
    parts.push(h('rect', { x: left, y: 1, width: right - left, height: height - 2, class: 'allowed' }), upright(left, 'bound'), upright(right, 'bound'))
  }
  if (zero) parts.push(upright(on.place(0), 'zero'))
  if (behind && known(behind.lo)) parts.push(h('rect', { x: on.place(behind.lo), y: 6, width: Math.max(2, on.place(behind.hi) - on.place(behind.lo)), height: height - 12, rx: 2, class: 'behind ' + kind }))
  if (known(lo)) parts.push(h('line', { x1: on.place(lo), x2: on.place(hi), y1: height / 2, y2: height / 2, class: 'whisker ' + kind, 'vector-effect': 'non-scaling-stroke' }))
  if (known(value)) parts.push(h('rect', { x: on.place(value) - 2.5, y: 6, width: 5, height: 10, rx: 1.5, class: 'value ' + kind }))
  return drawing(parts)
}

// bar draws a number from 0.
export function bar(on, value, kind = '') {
  if (!known(value)) return drawing()
  const from = on.place(Math.min(0, value)), to = on.place(Math.max(0, value))
  return drawing(upright(on.place(0), 'zero'), h('rect', { x: from, y: 5, width: Math.max(1, to - from), height: height - 10, rx: 2, class: 'bar ' + kind }))
}

// scale names the ends of an axis, under a column of pictures.
export const scale = (on, words) => h('span', { class: 'scale', 'aria-hidden': 'true' }, h('span', {}, words(on.from)), on.from < 0 ? h('span', {}, '0') : null, h('span', {}, words(on.to)))
