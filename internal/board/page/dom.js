// Elements are made here, and texts only ever as text nodes: the names of groups, columns and jobs are somebody else's.

const svgNames = new Set(['svg', 'g', 'line', 'rect', 'circle', 'path', 'text', 'polyline', 'polygon', 'title'])

// h makes an element. Attributes that are null, undefined or false are left out; children may be texts, elements, lists or null.
export function h(name, attributes = {}, ...children) {
  const element = svgNames.has(name) ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    if (key === 'on') listen(element, value)
    else element.setAttribute(key, value === true ? '' : String(value))
  }
  add(element, children)
  return element
}

// The listeners of an element are kept beside it, so that an element that stays takes those of the one that was to replace it.
const listeners = new WeakMap()

function listen(element, on) {
  listeners.set(element, on)
  for (const event of Object.keys(on)) element.addEventListener(event, e => listeners.get(element)[event]?.(e))
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue
    element.append(child instanceof Node ? child : document.createTextNode(String(child)))
  }
}

export const $ = id => document.getElementById(id)

// show hides or shows an element.
export function show(element, visible) {
  if (element.hidden === visible) element.hidden = !visible
}

// fill gives an element the children that it should have, and keeps those that are there already: a page draws anew every two seconds, and
// what a person has opened, selected or is about to click must not vanish under the hand.
export function fill(element, ...children) {
  const opened = new Set([...element.querySelectorAll('details[open]')].map(d => d.dataset.name))
  const fragment = document.createDocumentFragment()
  add(fragment, children)
  for (const details of fragment.querySelectorAll('details')) details.open = opened.has(details.dataset.name)
  become(element, fragment)
}

function become(element, next) {
  const old = [...element.childNodes]
  const wanted = [...next.childNodes]
  wanted.forEach((node, at) => {
    if (at >= old.length) element.append(node)
    else if (!alike(old[at], node)) old[at].replaceWith(node)
    else if (node instanceof Element) {
      attributes(old[at], node)
      become(old[at], node)
    } else if (old[at].data !== node.data) old[at].data = node.data
  })
  for (const node of old.slice(wanted.length)) node.remove()
}

// alike says whether one node can become the other: it is of the same kind and listens to the same events.
const events = node => Object.keys(listeners.get(node) ?? {}).join()
const alike = (a, b) => a.nodeName === b.nodeName && events(a) === events(b)

function attributes(element, next) {
  for (const { name } of [...element.attributes]) if (!next.hasAttribute(name)) element.removeAttribute(name)
  for (const { name, value } of next.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value)
  if (listeners.has(next)) listeners.set(element, listeners.get(next))
}

// write sets a text, if it changed.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text
}

// changed says whether a value differs from the one that was given for the same name before: what did not change is not drawn again.
const seen = new Map()
export function changed(name, value) {
  const text = JSON.stringify(value)
  if (seen.get(name) === text) return false
  seen.set(name, text)
  return true
}
