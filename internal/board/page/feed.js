// The connection: server-sent events over fetch, so that a token can be sent. It connects again by itself.

const silence = 25000 // ms after which a connection counts as lost: the server sends something every 10 s
const pauses = [300, 1000, 2000, 4000]

let token = sessionStorage.getItem('token') ?? ''

export function setToken(text) {
  token = text.trim()
  sessionStorage.setItem('token', token)
}

class Hidden extends Error {}

const headers = () => token ? { Authorization: 'Bearer ' + token } : {}

export const ask = path => fetch(path, { headers: headers(), cache: 'no-store' })

export async function getJSON(path) {
  const response = await ask(path)
  if (!response.ok) throw new Error((await response.text()).trim())
  return response.json()
}

// order gives an order about releases, with a token of its own, and returns the answer.
export async function order(body, token) {
  const response = await fetch('api/v1/release', { method: 'POST', cache: 'no-store', body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + token } })
  if (response.status === 401) throw new Error('This password is not the right one.')
  if (!response.ok) throw new Error((await response.text()).trim() || `fairstream answers ${response.status}`)
  return response.json()
}

// shown waits until somebody can see the page: a hidden one needs no connection, of which a browser has few.
const shown = () => new Promise(done => {
  if (!document.hidden) return done()
  document.addEventListener('visibilitychange', () => done(), { once: true })
})

// follow calls tell.open, tell.event(name, data), tell.lost(reason), tell.denied(reason) for ever.
export async function follow(tell) {
  for (let failures = 0; ;) {
    await shown()
    let stop = () => {}
    try {
      const abort = new AbortController()
      const hide = () => document.hidden && abort.abort(new Hidden())
      document.addEventListener('visibilitychange', hide)
      stop = () => document.removeEventListener('visibilitychange', hide)
      const response = await fetch('api/v1/events', { headers: headers(), cache: 'no-store', signal: abort.signal })
      if (response.status === 401) {
        await tell.denied(token ? 'This password is not the right one.' : '')
        continue
      }
      if (!response.ok) throw new Error((await response.text()).trim() || `fairstream answers ${response.status}`)
      failures = 0
      tell.open()
      await read(response.body.getReader(), abort, tell)
      throw new Error('fairstream closed the connection')
    } catch (problem) {
      if (problem instanceof Hidden) continue
      tell.lost(problem instanceof TypeError ? 'fairstream does not answer' : problem.message)
    } finally {
      stop()
    }
    await new Promise(done => setTimeout(done, pauses[Math.min(failures++, pauses.length - 1)]))
  }
}

async function read(reader, abort, tell) {
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const timer = setTimeout(() => abort.abort(new Error('fairstream is silent')), silence)
    const { value, done } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    text += decoder.decode(value, { stream: true })
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) take(text.slice(0, end), tell)
  }
}

function take(block, tell) {
  let name = 'message', data = ''
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice(7)
    else if (line.startsWith('data: ')) data += line.slice(6)
  }
  if (data) tell.event(name, JSON.parse(data))
}
