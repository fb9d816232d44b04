import test from 'ava'
import { bodyLeaves, queryLeaves, withAt } from '../fields.ts'
import { rows } from '../places.ts'
import { longTexts } from './strange.ts'

const GROWTH = 10
/** Ten times as much may take twenty times as long, a hundred times where the work is quadratic. */
const LIMIT = 20
/** What is done in this many ms is too short to be measured, and short enough. */
const NOISE_MS = 2
const RUNS = 8

/** Of the processor, so that a busy machine makes no difference. */
const msOf = (work: () => unknown): number => {
  const from = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}

/** How many times as long the whole takes as the part, measured again while chance may have had its hand in it. */
const growthOf = (part: () => unknown, whole: () => unknown): number => {
  let [partMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let run = 0; run < RUNS; run += 1) {
    wholeMs = Math.min(wholeMs, msOf(whole))
    if (wholeMs < NOISE_MS) return 0
    partMs = Math.min(partMs, msOf(part))
    if (run > 0 && wholeMs / partMs < LIMIT) break
  }
  return wholeMs / partMs
}

const [short, long] = [longTexts(1), longTexts(GROWTH)]
const fields = rows.flatMap((row) => [...bodyLeaves(row), ...queryLeaves(row)].map((leaf) => ({ row, ...leaf })))
/** One of each kind of field. */
const kinds = new Map(fields.map((leaf) => [`${leaf.codec?.name} ${JSON.stringify(leaf.schema)}`, leaf]))

const read = ({ root, path: [, ...inner] }: (typeof fields)[number], text: string | undefined) =>
  root.read(inner.length === 0 ? text : withAt({}, inner, text))

test.serial('every field reads a text of 100,000 characters in linear time', (t) => {
  for (const leaf of kinds.values()) {
    for (const [index, text] of long.entries()) {
      const growth = growthOf(
        () => read(leaf, short[index]),
        () => read(leaf, text),
      )
      t.true(growth < LIMIT, `${leaf.row.name} ${leaf.name}, text ${index}: ${growth.toFixed(1)}`)
    }
  }
})

test.serial('every body and query reads ten times as many keys in at most twenty times as long', (t) => {
  const keys = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`k${index * 7919}`, 'a']))
  const [few, many] = [keys(10_000), keys(100_000)]
  for (const { name, input } of rows) {
    for (const shape of [input.body, input.query]) {
      const growth = growthOf(
        () => shape?.decode(few),
        () => shape?.decode(many),
      )
      t.true(growth < LIMIT, `${name}: ${growth.toFixed(1)}`)
    }
  }
})
