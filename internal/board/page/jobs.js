// The index of a process with many jobs: it asks for all of them every two seconds.
import { $, fill, h, show, write } from './dom.js'
import { count } from './format.js'
import { ask, setToken } from './feed.js'

const every = 2000 // ms

const words = { violated: 'beyond the limit', inconclusive: 'not known yet', not_estimable: 'cannot be estimated', met: 'within the limit' }

const verdicts = job => Object.keys(words).filter(v => job.verdicts[v]).map(v => `${job.verdicts[v]} ${words[v]}`).join(', ') || '–'

const number = n => n === null ? '–' : count(Math.round(n))

const phases = { starting: 'starts', standby: 'stands by', learning: 'learns', monitoring: 'watches decisions', halted: 'has stopped', draining: 'is saving', ended: 'has ended' }

const state = job => !job.ready && job.phase === 'learning' ? 'not ready' : phases[job.phase] ?? job.phase

function row(job) {
  return h('tr', {},
    h('th', { scope: 'row' }, h('a', { href: job.path.slice(1) }, job.job)),
    h('td', {}, state(job)),
    h('td', {}, verdicts(job)),
    h('td', { class: 'number' }, count(job.version)),
    h('td', { class: 'number' }, number(job.lag_records)),
    h('td', {}, job.words.map(text => h('p', {}, text)), job.reason ? h('details', { 'data-name': job.job }, h('summary', {}, 'Details for those who run the job'), h('p', {}, job.reason)) : null))
}

function draw(now) {
  const learning = now.jobs.filter(j => j.phase === 'learning').length, unready = now.jobs.filter(j => !j.ready).length
  write($('headline'), `${count(now.jobs.length)} jobs: ${count(learning)} learning, ${count(unready)} not ready`)
  fill($('refused-list'), now.refused.map(r => h('li', {}, h('code', {}, r.file), ': ', r.reason)))
  show($('refused'), now.refused.length > 0)
  fill($('jobs'),
    h('thead', {}, h('tr', {}, ['Job', 'State', 'Verdicts', 'Records learnt', 'Records behind', 'What to know'].map(t => h('th', { scope: 'col' }, t)))),
    h('tbody', {}, now.jobs.map(row)))
  live(now.ready ? 'on' : 'halted', now.ready ? 'Ready' : 'Not ready')
  show($('content'), true)
}

function live(kind, word) {
  $('live').className = 'live ' + kind
  write($('live-text'), word)
}

// locked waits until a person enters a token.
function locked(reason) {
  live('starting', 'Password needed')
  show($('content'), false)
  show($('access'), true)
  write($('access-problem'), reason)
  return new Promise(done => $('access').addEventListener('submit', e => {
    e.preventDefault()
    setToken($('token').value)
    $('token').value = ''
    show($('access'), false)
    done()
  }, { once: true }))
}

const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme

let entered = false
for (;;) {
  try {
    const response = await ask('api/v1/jobs')
    if (response.status === 401 || response.status === 403) {
      await locked(response.status === 403 ? (await response.text()).trim() : entered ? 'This password is not the right one.' : '')
      entered = true
      continue
    }
    if (!response.ok) throw new Error(`fairstream answers ${response.status}`)
    draw(await response.json())
  } catch {
    live('lost', 'Disconnected')
  }
  await new Promise(done => setTimeout(done, every))
}
