// A page of which a file did not arrive would wait for ever. It says that it is incomplete, and loads itself again: after 2 seconds, then each time after twice
// as long, at most a minute. This is no module, since a module of which a part is missing does not run.
let incomplete = false

addEventListener('error', event => {
  if (incomplete || !(event.target instanceof HTMLScriptElement || event.target instanceof HTMLLinkElement)) return
  incomplete = true
  let times = 4
  try {
    times = Number(sessionStorage.getItem('again')) || 0
    sessionStorage.setItem('again', String(times + 1))
  } catch { /* a browser that stores nothing loads the page every 32 seconds */ }
  const seconds = Math.min(60, 2 ** (times + 1))
  setTimeout(() => location.reload(), seconds * 1000)
  const say = () => {
    const notice = document.createElement('div')
    notice.className = 'banner lost'
    notice.setAttribute('role', 'alert')
    const title = document.createElement('h1'), text = document.createElement('p')
    title.textContent = 'This page is incomplete'
    text.textContent = `A part of it did not arrive, so it may show nothing, or too little. It is loaded again in ${seconds} seconds.`
    notice.append(title, text)
    document.getElementById('main').prepend(notice)
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', say)
  else say()
}, true)

addEventListener('load', () => {
  try {
    if (!incomplete) sessionStorage.removeItem('again')
  } catch { /* nothing is stored */ }
})
