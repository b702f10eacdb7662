// Notes: each condition in a plain sentence, with the details for those who run the job.
import { $, changed, fill, h, show } from './dom.js'

export function draw(status) {
  const list = status.conditions ?? []
  if (!changed('conditions', list)) return
  show($('conditions'), list.length > 0)
  fill($('conditions-list'), list.map(c => h('li', {}, c.constraint ? [h('strong', {}, c.constraint + ':'), ' '] : null, h('span', {}, c.text),
    h('details', { 'data-name': `${c.code} ${c.constraint}` }, h('summary', {}, 'Details for those who run the job'), h('p', {}, quoted(c.detail), ' ', h('code', {}, c.code))))))
}

// quoted shows what stands between backticks as code.
const quoted = text => text.split('`').map((part, at) => at % 2 ? h('code', {}, part) : part)
