// Runs in test:long only.
// Runs alone.
import test from 'ava'
import type { Json } from '../../../../core/kernel/records/record.ts'
import { everyField, everyFilter } from './every-field.ts'

const UNITS = 12_500
const GROWTH = 8
/** Linear work takes 8 times as long, quadratic work 64 times. */
const LIMIT = 28
/** Work below this time passes: quadratic work takes over a hundred times as long. */
const NOISE_MS = 100
const PATIENCE_MS = 1_000

/** Long texts that are costly for patterns, normalization or parsers. */
const longTexts = (length: number): Readonly<Record<string, string>> => ({
  letters: 'a'.repeat(length),
  'letters and a stop': `${'a'.repeat(length)}!`,
  spaces: `a${' '.repeat(length)}b`,
  'only spaces': ' '.repeat(length),
  'line ends': 'a\r\n'.repeat(length / 2),
  digits: '1'.repeat(length),
  points: 'a.'.repeat(length / 2),
  'points alone': `a@${'.'.repeat(length)}`,
  hyphens: `a@${'-'.repeat(length)}.co`,
  labels: `a@${'a-'.repeat(length / 2)}`,
  ats: '@'.repeat(length),
  mailbox: `${'a.'.repeat(length / 2)}@b.co`,
  host: `http://${'a.'.repeat(length / 2)}co`,
  'host of another script': `http://${'é'.repeat(length)}.co`,
  path: `http://a.co/${'../'.repeat(length / 3)}`,
  slashes: `http://${'/'.repeat(length)}`,
  emoji: '😀'.repeat(length / 2),
  marks: `a${'\u0301\u0316'.repeat(length / 2)}`,
  'bundles of marks': `a${'\u0301\u0316'.repeat(15)}`.repeat(length / 31),
  'letters and marks': 'e\u0301'.repeat(length / 2),
  hangul: '\u1100\u1161\u11a8'.repeat(length / 3),
  'lone surrogates': '\ud800'.repeat(length),
  sigmas: 'Σ'.repeat(length),
  'case that grows': 'İ'.repeat(length),
  commas: ','.repeat(length),
  'numbers and commas': '1,'.repeat(length / 2),
})

const longValues = (length: number): Readonly<Record<string, Json>> => ({
  ...longTexts(length),
  list: Array(length).fill('a'),
  'list of lists': Array(length).fill([]),
  keys: Object.fromEntries(Array.from({ length }, (_, index) => [`key${index * 7919}`, 1])),
  'long key': { ['e\u0301'.repeat(length / 2)]: 1 },
  'known key': { city: 'a'.repeat(length), value: 'a'.repeat(length) },
})

/** Of this process's own CPU, so that a busy machine takes no longer. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const msOf = (work: () => unknown): number => {
  const from = cpuMs()
  work()
  return cpuMs() - from
}

/** Returns the ratio of the times of the whole and the part; repeats the measurement on a busy machine. */
const growth = (part: () => unknown, whole: () => unknown): number => {
  let [partMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const from = cpuMs()
  for (let run = 0; run < 8 && cpuMs() - from < PATIENCE_MS; run += 1) {
    partMs = Math.min(partMs, msOf(part))
    wholeMs = Math.min(wholeMs, msOf(whole))
    if (run > 0 && (wholeMs < NOISE_MS || wholeMs / partMs < LIMIT)) break
  }
  return wholeMs < NOISE_MS ? 0 : wholeMs / partMs
}

const short = longValues(UNITS)
const long = longValues(UNITS * GROWTH)

for (const [key, { field }] of Object.entries({ ...everyField, ...everyFilter }))
  test.serial(`${key} reads long values in linear time`, (t) => {
    for (const kind of Object.keys(short)) {
      const ratio = growth(
        () => field.read(short[kind]),
        () => field.read(long[kind]),
      )
      t.true(ratio < LIMIT, `${kind}: ${GROWTH} times as long takes ${ratio.toFixed(1)} times as long`)
    }
  })
