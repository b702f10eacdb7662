// Elements are made here, and texts only ever as text nodes: the names of groups, columns and jobs are somebody else's.

const svgNames = new Set(['svg', 'g', 'line', 'rect', 'circle', 'path', 'text', 'polyline', 'polygon', 'title'])

// h makes an element. Attributes that are null, undefined or false are left out; children may be texts, elements, lists or null.
export function h(name, attributes = {}, ...children) {
  const element = svgNames.has(name) ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    if (key === 'on') for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener)
    else element.setAttribute(key, value === true ? '' : String(value))
  }
  add(element, children)
  return element
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

const places = 'summary, [tabindex]'

// fill replaces the children of an element. What a person opened stays open, and the keyboard stays where it is.
export function fill(element, ...children) {
  const opened = new Set([...element.querySelectorAll('details[open]')].map(d => d.dataset.name))
  const focused = [...element.querySelectorAll(places)].indexOf(document.activeElement)
  const fragment = document.createDocumentFragment()
  add(fragment, children)
  for (const details of fragment.querySelectorAll('details')) details.open = opened.has(details.dataset.name)
  element.replaceChildren(fragment)
  if (focused >= 0) element.querySelectorAll(places)[focused]?.focus({ preventScroll: true })
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
