// Numbers and times as people read them.

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })

export const known = x => typeof x === 'number' && Number.isFinite(x)

export const count = x => known(x) ? whole.format(x) : '–'

// rough is a number of records that is only known roughly, with two digits.
export const rough = x => known(x) ? Number(x.toPrecision(2)) : x

// decimal has three places, and of small or large numbers three digits.
export function decimal(x, places = 3) {
  if (!known(x)) return '–'
  const size = Math.abs(x)
  if (size >= 1000) return minus(whole.format(x))
  if (size > 0 && size < 0.001) return minus(x.toPrecision(2))
  return minus(x.toFixed(places))
}

// size is how many records a number rests on, and what they are worth where they are weighted.
export const size = (n, worth) => worth > 0 && worth < 0.995 * n ? `${count(n)}, weighted, worth ${count(worth)}` : count(n)

export const signed = (x, places = 3) => known(x) && x > 0 ? '+' + decimal(x, places) : decimal(x, places)

export const tau = x => known(x) ? String(x) : '–'

export const percent = x => known(x) ? (x * 100).toFixed(1) + ' %' : '–'

// level is that of an interval: 95 %, 98.75 %.
export const level = x => known(x) ? Number((x * 100).toFixed(2)) + ' %' : '–'

const minus = text => text.replace('-', '−')

// near is a number beside bounds: where three places would make it one of them, it has as many as tell them apart, up to six.
function near(x, ...bounds) {
  const like = places => bounds.some(b => known(b) && Math.abs(x) !== b && Math.abs(x).toFixed(places) === b.toFixed(places))
  let places = 3
  while (places < 6 && like(places)) places++
  return places > 3 ? minus(x.toFixed(places)) : decimal(x)
}

const plus = x => x > 0 ? '+' : ''

// The ends of an interval, beside the bounds that it is compared with.
export const interval = (x, ...bounds) => known(x?.lo) && known(x?.hi) ? `${near(x.lo, ...bounds)} to ${near(x.hi, ...bounds)}` : 'no interval'

export const signedInterval = (x, ...bounds) => known(x?.lo) && known(x?.hi) ? `${plus(x.lo)}${near(x.lo, ...bounds)} to ${plus(x.hi)}${near(x.hi, ...bounds)}` : 'no interval'

const moment = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

// clock is a moment, in the one form in which the page and the reports tell all of them.
export const clock = text => text ? moment.format(new Date(text)).replace('Sept', 'Sep') + ' UTC' : ''

// lasted is how long something has lasted, in words.
export function lasted(since) {
  const minutes = Math.floor((Date.now() - new Date(since)) / 60000)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return plural(minutes, 'minute')
  if (minutes < 2880) return plural(Math.floor(minutes / 60), 'hour')
  return plural(Math.floor(minutes / 1440), 'day')
}

export function seconds(x) {
  if (!known(x)) return '–'
  if (x < 10) return x.toFixed(1) + ' s'
  if (x < 120) return Math.round(x) + ' s'
  if (x < 7200) return Math.round(x / 60) + ' min'
  return Math.round(x / 3600) + ' h'
}

export const plural = (n, one, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`

const comparedBy = {
  'demographic-parity': 'share of positive decisions', 'equal-opportunity': 'share of positive decisions among those whose outcome is positive',
  'predictive-equality': 'share of positive decisions among those whose outcome is negative', 'impact-ratio': 'lower share of positive decisions over the higher one',
  'mean-difference': 'mean prediction',
}
export const compared = criterion => comparedBy[criterion] ?? criterion

// compares says in words what a row compares, and what is allowed.
export const compares = row => `Compares the ${compared(row.criterion)}. Limit: ${isRatio(row) ? 'at least ' : ''}${tau(row.tau)}.`

export const verdicts = {
  met: { word: 'Within the limit', brief: 'within', sign: '✓' },
  violated: { word: 'Beyond the limit', brief: 'beyond', sign: '!' },
  inconclusive: { word: 'Not known yet', brief: 'not known yet', sign: '?' },
  not_estimable: { word: 'Cannot be estimated', brief: 'cannot be estimated', sign: '–' },
}

// aliases are the names of versions on the model topic, in words.
export const aliases = { latest: 'newest', stable: 'in use', candidate: 'under test', previous: 'in use before' }

// why is a reason in the words of the page: what a configuration calls a label is an outcome here.
export const why = reason => (reason ?? '').replace(/labelled ((positive |negative )?decisions)/g, '$1 with an outcome').replace(/\blabel(s?)\b/g, 'outcome$1').replace(/\ba outcome/g, 'an outcome').replace('near tau', 'near the limit')

// people are the second side of a comparison as a sentence calls it.
export const people = name => name === 'rest' ? 'all others' : name

// pair are the two sides of a row.
export const pair = row => `${row.group} and ${people(row.versus)}`

// verdict of a row: that of the sequence, if there is one.
// allowed are the ends of what a row's limit allows: of a ratio, which has a lower limit, up to 1.
export const isRatio = row => row.criterion === 'impact-ratio'
export const allowed = row => known(row.tau) ? (isRatio(row) ? [row.tau, 1] : [-row.tau, row.tau]) : null

// value and range of a row: a difference has a sign, a ratio or a rate has none.
export const value = (row, x) => isRatio(row) ? decimal(x) : signed(x)
export const range = (row, x) => isRatio(row) ? interval(x, row.tau) : signedInterval(x, row.tau)

export const verdict = row => row.sequence?.status ?? row.status
export const bounds = row => row.sequence ?? row

// measured is the difference, or ratio, of the two numbers that are shown beside it. The interval behind the verdict need not have it in its middle.
export const measured = row => known(row.value) ? row.value : bounds(row).value

export const keyOf = row => JSON.stringify([row.name, row.criterion, row.group, row.versus])
