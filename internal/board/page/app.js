// The page: it follows the job, and draws what changed.
import { $, fill, h, show, write } from './dom.js'
import { clock, count, lasted } from './format.js'
import { follow, setToken } from './feed.js'
import * as conditions from './conditions.js'
import * as groups from './groups.js'
import * as health from './health.js'
import * as releases from './releases.js'
import * as serving from './serving.js'
import * as timeline from './timeline.js'
import * as verdicts from './verdicts.js'

let status = null, heard = 0, lost = '', locked = false

function draw() {
  if (!status) return
  document.title = `${status.job} – fairstream`
  write($('job'), status.job)
  show($('waiting'), false)
  show($('content'), true)
  verdicts.draw(status, (key, jump) => timeline.choose(key, jump).then(draw), timeline.current(), lost)
  conditions.draw(status)
  ages(status)
  groups.groups(status)
  groups.gaps(status)
  groups.calibration(status)
  groups.drivers(status)
  const here = status.phase !== 'standby' // else another instance has the numbers
  for (const panel of ['learner', 'drivers']) show($(panel), here && status.kind !== 'monitor') // of another model they are not known
  for (const panel of ['groups', 'gaps', 'calibration']) show($(panel), here)
  show($('versions'), status.kind !== 'monitor')
  show($('report-link'), here) // the report has the verdict of the instance that makes it
  health.learner(status)
  health.stream(status)
  releases.draw(status)
  serving.draw(status)
  health.versions(status)
  health.history(status)
  banner()
}

// ages says beside every heading how old its numbers are, and above the verdicts for how long, while nobody knows what is the case now.
function ages(status) {
  const old = status.as_of && verdicts.isPast(status, lost)
  const shown = old && status.deciding?.constraints?.length
  write($('cards-age'), shown ? `Verdicts as of ${clock(status.as_of)}${status.phase === 'ended' ? ', when the last records came' : `, ${lasted(status.as_of)} ago`}:` : '')
  show($('cards-age'), Boolean(shown))
  for (const title of document.querySelectorAll('#content h2')) {
    let age = title.querySelector('.age')
    if (!age) title.append(age = h('span', { class: 'age' }))
    write(age, old ? ` as of ${clock(status.as_of)}` : '')
  }
}

// state is the one word beside the name of the job, and its colour.
function state() {
  if (locked) return ['starting', 'Password needed']
  if (lost) return ['lost', 'Disconnected']
  if (!status) return ['starting', 'Connecting']
  if (status.phase === 'halted') return ['halted', 'Stopped']
  if (status.phase === 'standby') return ['standby', 'Standby']
  if (status.phase === 'ended') return ['standby', 'Ended']
  if (status.warm_up) return ['starting', status.records?.seen ? 'Warming up' : 'No records yet']
  if (status.outage) return ['halted', 'Records do not come']
  if (!status.ready) return ['halted', 'Not ready']
  return ['on', status.phase === 'monitoring' ? 'Monitoring' : status.phase === 'draining' ? 'Saving' : 'Learning', `, ${count(status.version)} records`]
}

function banner() {
  const [kind, word, more = ''] = state()
  $('live').className = 'live ' + kind
  write($('live-text'), word)
  write($('live-more'), more)
  const text = notice()
  $('main').classList.toggle('stale', Boolean(lost))
  const box = $('banner'), shown = text ? text.join('\n') : ''
  if (box.dataset.text !== shown) {
    box.dataset.text = shown
    box.className = 'banner ' + (text?.[0] ?? '')
    fill(box, text ? [h('strong', {}, text[1]), ' ', h('span', {}, text[2]), text[3] ? h('details', { 'data-name': 'banner' }, h('summary', {}, 'Details for those who run the job'), h('p', {}, text[3])) : null] : null)
  }
  show(box, Boolean(text))
}

// notice is what stands above everything: its kind, a word, a sentence for everybody, and details for those who run the job.
function notice() {
  if (lost) return ['lost', 'Disconnected', `${sentence(lost)} ${heard ? `What you see is from ${clock(heard)}, ${lasted(heard)} ago.` : ''} This page tries again by itself.`]
  const reason = sentence(status?.reason)
  if (status?.phase === 'halted') return ['halted', 'Stopped', 'The job has stopped and does not go on by itself: those who run it have to put something right first. What you see is from ' + (status.as_of ? clock(status.as_of) : 'before') + '.', reason]
  if (status?.phase === 'standby') return ['standby', 'Standby', 'Another instance of fairstream runs the job, and its page has the verdicts. This one takes over if that one stops.', reason]
  if (status?.outage) return ['halted', `No records for ${lasted(status.outage.since)}`, status.outage.text]
  if (status?.phase === 'starting') return ['halted', 'Not ready', 'The job is starting.', reason === 'Starting.' ? '' : reason]
  if (status && !status.ready && status.phase !== 'ended') return ['halted', 'Not ready', 'The job does not work as it should. Tell those who run it.', reason]
  if (status?.phase === 'ended') return ['standby', 'Ended', `The job has ended.${status.as_of ? ` Its last records came on ${clock(status.as_of)}.` : ''} What you see is final.`, reason]
  if (status && !status.records?.seen) return ['standby', 'No records yet', 'The job is connected and waits for the first record.']
  return null
}

const sentence = text => text ? text[0].toUpperCase() + text.slice(1).trim().replace(/[.]?$/, '.') : ''

const tell = {
  open() {
    lost = ''
    locked = false
    show($('access'), false)
    show($('report-link'), true)
    timeline.connected()
  },
  event(name, data) {
    heard = Date.now()
    lost = ''
    if (name === 'status') {
      status = data
      timeline.follow(status).then(draw)
    } else if (name === 'points') timeline.points(data)
  },
  lost(reason) {
    lost = reason
    if (status) {
      ages(status)
      verdicts.heading(status, lost)
      verdicts.unseen(status, lost)
    }
    banner()
  },
  // denied waits until a person enters a token.
  denied(reason) {
    lost = ''
    locked = true
    banner()
    show($('waiting'), false)
    show($('content'), false)
    show($('access'), true)
    show($('report-link'), false)
    write($('access-problem'), reason)
    $('token').focus()
    return new Promise(done => $('access').addEventListener('submit', e => {
      e.preventDefault()
      setToken($('token').value)
      $('token').value = ''
      done()
    }, { once: true }))
  },
}

const themes = ['system', 'light', 'dark']
function theme(next) {
  let at = themes.indexOf(localStorage.getItem('theme') ?? 'system')
  if (next) at = (at + 1) % themes.length
  localStorage.setItem('theme', themes[at])
  if (themes[at] === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.dataset.theme = themes[at]
  $('theme').setAttribute('aria-label', 'Colours: ' + (themes[at] === 'system' ? 'as the system' : themes[at]))
  $('theme').title = $('theme').getAttribute('aria-label')
  timeline.redraw(true)
}
$('theme').addEventListener('click', () => theme(true))
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => timeline.redraw(true))
theme(false)
timeline.listen()
releases.listen()
follow(tell)
