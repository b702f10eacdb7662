// Notes: each condition in a plain sentence, with the details for those who run the job.
import { $, changed, fill, h, show } from './dom.js'

export function draw(status) {
  const list = status.conditions ?? []
  if (!changed('conditions', list)) return
  show($('conditions'), list.length > 0)
  const alike = new Map() // one note says the same of several comparisons
  for (const c of list) alike.set(c.text, [...alike.get(c.text) ?? [], c])
  fill($('conditions-list'), [...alike].map(([text, all]) => {
    const names = [...new Set(all.map(c => c.constraint).filter(Boolean))].join('; ')
    return h('li', {}, names ? [h('strong', {}, names + ':'), ' '] : null, h('span', {}, text),
      h('details', { 'data-name': `${all[0].code} ${names}` }, h('summary', {}, 'Details for those who run the job'),
        all.map(c => h('p', {}, all.length > 1 && c.constraint ? c.constraint + ': ' : null, quoted(c.detail), ' ', h('code', {}, c.code)))))
  }))
}

// quoted shows what stands between backticks as code.
const quoted = text => text.split('`').map((part, at) => at % 2 ? h('code', {}, part) : part)
