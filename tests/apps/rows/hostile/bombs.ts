import { gzipSync } from 'node:zlib'
import test from 'ava'
import { JSON_LIMIT_BYTES } from '../../../../apps/http/bodies/body.ts'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { bodyRuleOf } from '../../../../apps/http/rows/row.ts'
import { some } from '../../../size.ts'
import { raw } from '../../http/raw.ts'
import type { RowsApi } from '../api-under-test.ts'
import { writtenBetween } from '../dump.ts'
import { askAt, placesOf } from '../places.ts'
import type { RowsSuite } from '../suite.ts'
import { endless, headOf } from './endless.ts'

/** How many times the limit a socket and its buffers may swallow before the answer stops the sender. */
const SLACK = 4
const KEYS = 100_000

const sized = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
const keys = (name: (index: number) => string) =>
  `{${Array.from({ length: KEYS }, (_, index) => `"${name(index)}":1`).join()}}`

const MANY_KEYS = keys((index) => index.toString(36))
const ONE_KEY = keys(() => 'a')
const BOMB = gzipSync(Buffer.alloc(64 * JSON_LIMIT_BYTES))

interface Bomb {
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly status: readonly number[]
}

// A row that asks for nothing takes whatever is sent beside it.
const FINE = [200, 201, 204]

const limitOf = (row: AnyRow): number => bodyRuleOf(row)?.limits?.json ?? JSON_LIMIT_BYTES

const smallFor = (invalid: number): Readonly<Record<string, Bomb>> => ({
  'a hundred thousand keys': { body: MANY_KEYS, status: [invalid, ...FINE] },
  'one key a hundred thousand times': { body: ONE_KEY, status: [invalid, ...FINE] },
  'lists in lists': { body: `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, status: [400] },
  'a list that never closes': { body: `{"a":${'['.repeat(100_000)}`, status: [400] },
  'sixty-four megabytes in gzip': { body: BOMB, headers: { 'content-encoding': 'gzip' }, status: [415] },
  'the same in deflate': { body: BOMB, headers: { 'content-encoding': 'deflate' }, status: [415] },
  'gzip in gzip': { body: gzipSync(BOMB), headers: { 'content-encoding': 'gzip, gzip' }, status: [415] },
  'gzip that is not said to be': { body: gzipSync('{}'), status: [400] },
})

const bombsFor = <A extends RowsApi>(
  row: AnyRow,
  { wording: { invalid }, fewMay }: RowsSuite<A>,
): readonly (readonly [string, Bomb])[] => {
  const sizes: Readonly<Record<string, Bomb>> = {
    'one byte too many': { body: sized(limitOf(row) + 1), status: [413] },
    'as much as is allowed': { body: sized(limitOf(row)), status: [invalid, ...FINE] },
  }
  // A precondition lets nothing of it through, and some are of a few accounts alone.
  const opened = [
    ...(row.precondition || fewMay?.has(row.name) ? [403] : []),
    // One route is specified to fail, whatever it is sent.
    ...(row.reply.doc.status >= 500 ? [row.reply.doc.status] : []),
  ]
  return Object.entries({ ...sizes, ...smallFor(invalid) }).map(([about, bomb]) => [
    about,
    bomb.status.includes(invalid) && bomb.status.includes(200)
      ? { ...bomb, status: [...bomb.status, ...opened] }
      : bomb,
  ])
}

/** What `npm test` sends in all, whatever the number of rows, and how many of them it plagues with wrong lengths. */
const REQUESTS = 60
const ROWS = 4
/** Every row that takes JSON holds its own against bodies that grow where they are read. */
export const bombsSuite = <A extends RowsApi>(under: RowsSuite<A>): void => {
  const takers = under.rows.filter((row) => bodyRuleOf(row)?.kinds.includes('json'))
  takesNoBombs(takers, under)
  takesNoWrongLengths(some(takers, ROWS), under)
}

const takesNoBombs = <A extends RowsApi>(takers: readonly AnyRow[], under: RowsSuite<A>): void => {
  const { open, prepare, dump } = under
  const each = Math.max(2, Math.floor(REQUESTS / takers.length))
  for (const [salt, row] of takers.entries())
    test.serial(`${row.name} takes no bomb for a body`, async (t) => {
      const api = await open(t)
      const cases = placesOf(row).flatMap((place) =>
        bombsFor(row, under).map(([about, bomb]) => ({ place, about, bomb })),
      )
      for (const { place, about, bomb } of some(cases, each, salt)) {
        const sent = await prepare(api, place)
        const before = await dump(api)
        const { status, text } = await askAt(api, place, sent, { raw: bomb.body, headers: bomb.headers ?? {} })
        t.true(bomb.status.includes(status), `${about}: ${status} ${text}`)
        if (status >= 300) t.deepEqual(writtenBetween(before, await dump(api)), [], about)
      }
    })
}

const firstLine = (text: string) => text.split('\r\n')[0] ?? ''

const takesNoWrongLengths = <A extends RowsApi>(
  some: readonly AnyRow[],
  { open, prepare, dump }: RowsSuite<A>,
): void => {
  for (const row of some)
    test.serial(`${row.name} holds its own against wrong lengths and bodies without end`, async (t) => {
      const api = await open(t)
      const port = Number(new URL(api.url).port)
      const [place] = placesOf(row)
      if (!place) return t.fail('a row has a place')
      const sent = await prepare(api, place)
      const before = await dump(api)
      const mostBytes = SLACK * limitOf(row)
      const bad = /^HTTP\/1\.1 400 /
      const wrongLengths = [
        'Content-Length: -1',
        'Content-Length: 1e3',
        'Content-Length: 2, 3',
        'Content-Length: 99999999999999999999',
      ]
      for (const length of wrongLengths)
        t.regex(firstLine(await raw(port, `${headOf(place, sent, length)}{}`)), bad, length)
      const both = headOf(place, sent, 'Content-Length: 2', 'Transfer-Encoding: chunked')
      t.regex(firstLine(await raw(port, `${both}0\r\n\r\n`)), bad)
      t.regex(firstLine(await raw(port, `${headOf(place, sent, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n`)), bad)
      // Too short: what is left over is no request, and ends the connection.
      const short = await raw(port, `${headOf(place, sent, 'Content-Length: 1')}{"a":1}`)
      t.regex(firstLine(short), /^HTTP\/1\.1 4/)
      const { bytes, text } = await endless(api, headOf(place, sent, 'Transfer-Encoding: chunked'), mostBytes)
      t.regex(firstLine(text), /^HTTP\/1\.1 413 /)
      t.true(bytes <= mostBytes, `${bytes}`)
      t.deepEqual(writtenBetween(before, await dump(api)), [])
      t.is((await api.ask('GET', '/health')).status, 200)
    })
}
