import { connect } from 'node:net'
import test from 'ava'
import { JSON_LIMIT_BYTES, MULTIPART_LIMIT_BYTES } from '../../../../apps/http/bodies/body.ts'
import { type AnyRow, bodyRuleOf } from '../../../../apps/http/rows/row.ts'
import { GROWTH, growthOf, MAX_GROWTH } from '../../../growth.ts'
import { some } from '../../../size.ts'
import type { RowsApi } from '../api-under-test.ts'
import { askAt, headersOf, type Place, type Prepared, placeOf, placesOf, targetOf } from '../places.ts'
import { noteLongRun } from '../sampling.ts'
import { type RowsSuite, writtenBetween } from '../suite.ts'

/** The multiple of the limit that a socket and its buffers may take before the answer stops the sender. */
const SLACK = 4
const KEYS = 100_000

const sized = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
const keys = (name: (index: number) => string) =>
  `{${Array.from({ length: KEYS }, (_, index) => `"${name(index)}":1`).join()}}`

const MANY_KEYS = keys((index) => index.toString(36))
const ONE_KEY = keys(() => 'a')

interface Bomb {
  readonly body: string
  readonly status: readonly number[]
}

// A row without input ignores the body.
const SUCCESS = [200, 201, 204]

const limitOf = (row: AnyRow): number => bodyRuleOf(row)?.limits?.json ?? JSON_LIMIT_BYTES

const bombsFor = <A extends RowsApi>(
  row: AnyRow,
  { wording: { invalid }, restricted: fewMay }: RowsSuite<A>,
): Readonly<Record<string, Bomb>> => {
  const read = [
    ...[invalid, ...SUCCESS],
    // A precondition rejects it first, and some rows are restricted.
    ...(row.precondition || fewMay?.has(row.name) ? [403] : []),
    // One route always fails, as specified.
    ...(row.reply.doc.status >= 500 ? [row.reply.doc.status] : []),
  ]
  return {
    'one byte too many': { body: sized(limitOf(row) + 1), status: [413] },
    'exactly the limit': { body: sized(limitOf(row)), status: read },
    'a hundred thousand keys': { body: MANY_KEYS, status: read },
    'one key a hundred thousand times': { body: ONE_KEY, status: read },
  }
}

/** The rows of `npm test` with the usual limit, and the requests of each row. Reading such a body takes 50 ms. */
const USUAL_ROWS = 3
const REQUESTS = 4

/** Tests that each row with JSON rejects bodies that are too large or grow when they are read. */
export const bombsSuite = <A extends RowsApi>(under: RowsSuite<A>): void => {
  const takers = under.rows.filter((row) => bodyRuleOf(row)?.kinds.includes('json'))
  const usual = takers.filter((row) => limitOf(row) === JSON_LIMIT_BYTES)
  const tried = [...some(usual, USUAL_ROWS), ...takers.filter((row) => !usual.includes(row))]
  noteLongRun(`oversized bodies: a random sample of ${tried.length} rows, all ${takers.length} in test:long`)
  takesNoBombs(tried, under)
}

const takesNoBombs = <A extends RowsApi>(takers: readonly AnyRow[], under: RowsSuite<A>): void => {
  const { open, prepare, dump } = under
  for (const [salt, row] of takers.entries())
    test.serial(`${row.name} rejects oversized bodies`, async (t) => {
      const api = await open(t)
      const cases = placesOf(row).flatMap((place) =>
        Object.entries(bombsFor(row, under)).map(([about, bomb]) => ({ place, about, bomb })),
      )
      for (const { place, about, bomb } of some(cases, REQUESTS, salt)) {
        const sent = await prepare(api, place)
        const before = await dump(api)
        const { status, text } = await askAt(api, place, sent, { raw: bomb.body })
        t.true(bomb.status.includes(status), `${about}: ${status} ${text}`)
        if (status >= 300) t.deepEqual(writtenBetween(before, await dump(api)), [], about)
      }
    })
}

const MEGABYTE = 1_048_576

const TYPE = 'multipart/form-data; boundary=X'
const OPENING = '--X\r\nContent-Disposition: form-data; name="a"; '
const CLOSING = '\r\nContent-Type: image/png\r\n\r\na\r\n--X--\r\n'

const filled = (pattern: string, bytes: number) => pattern.repeat(Math.floor(bytes / pattern.length))

/** Forms that are slow for some parsers. */
const FORMS: Readonly<Record<string, (bytes: number) => string>> = {
  'nested file names': (bytes) => `${OPENING}${filled('filename="', bytes)}x${CLOSING}`,
  'quotes and spaces': (bytes) => `${OPENING}filename="${filled('"    ', bytes)}x${CLOSING}`,
  'an unclosed name': (bytes) => `${OPENING}${filled('a', bytes)}${CLOSING}`,
  'endless headers': (bytes) => `${OPENING}${filled('\r\na: a', bytes)}${CLOSING}`,
  'near-boundaries': (bytes) => `${OPENING}\r\n\r\n${filled('\r\n--', bytes)}`,
}

const multipartRows = (rows: readonly AnyRow[]) => rows.filter((row) => bodyRuleOf(row)?.kinds.includes('multipart'))

/** Returns a function that sends a form to a row. */
const formSender = async <A extends RowsApi>({ prepare }: RowsSuite<A>, api: A, row: AnyRow) => {
  const place = placeOf(row)
  const sent = await prepare(api, place)
  return (raw: string) => askAt(api, place, sent, { raw, headers: { 'content-type': TYPE } })
}

/** Tests that each row with multipart forms reads them in linear time. */
export const formsGrowthSuite = <A extends RowsApi>(suite: RowsSuite<A>): void => {
  for (const row of multipartRows(suite.rows))
    test.serial(`${row.name} rejects a form with a megabyte of headers in linear time`, async (t) => {
      const ask = await formSender(suite, await suite.open(t), row)
      for (const [about, form] of Object.entries(FORMS)) {
        const [part, whole] = [form(MEGABYTE / GROWTH), form(MEGABYTE)]
        const growth = await growthOf(
          () => ask(part),
          () => ask(whole),
        )
        t.true(growth < MAX_GROWTH, `${about}: ${growth.toFixed(1)}`)
      }
    })
}

/** Tests that each row with multipart forms rejects malformed and endless forms. */
export const formsSuite = <A extends RowsApi>(suite: RowsSuite<A>): void => {
  const { rows, open, prepare, writesNothing } = suite
  for (const row of multipartRows(rows)) {
    test.serial(`${row.name} rejects a form with a megabyte of headers, and writes nothing`, async (t) => {
      const api = await open(t)
      const ask = await formSender(suite, api, row)
      await writesNothing(t, api, async () => {
        for (const [about, form] of Object.entries(FORMS))
          for (const body of [form(MEGABYTE / GROWTH), form(MEGABYTE)])
            t.true([400, 422].includes((await ask(body)).status), about)
      })
    })

    test.serial(`${row.name} rejects an endless form, with any boundary`, async (t) => {
      const api = await open(t)
      const place = placeOf(row)
      const sent = await prepare(api, place)
      const mostBytes = SLACK * (bodyRuleOf(row)?.limits?.multipart ?? MULTIPART_LIMIT_BYTES)
      const contents = ['x'.repeat(65_536), 'a=1&'.repeat(16_384), `--X\r\n${'a: a\r\n'.repeat(10_000)}`]
      for (const boundary of ['X', 'json', 'octet-stream', 'urlencoded', 'X; a=json']) {
        const type = `Content-Type: multipart/form-data; boundary=${boundary}`
        for (const content of contents) {
          const head = requestHead(place, sent, type, 'Transfer-Encoding: chunked')
          const { bytes, text } = await sendEndlessBody(api, head, mostBytes, content)
          t.regex(text, /^HTTP\/1\.1 413 /, boundary)
          t.true(bytes <= mostBytes, `${boundary}: ${bytes}`)
        }
      }
      t.is((await api.ask('GET', '/health')).status, 200)
    })
  }
}

/** Returns the head of a request; `more` replaces headers of the same name. */
const requestHead = (place: Place, sent: Prepared, ...more: readonly string[]): string => {
  const replaced = new Set(more.map((line) => line.split(':')[0]?.toLowerCase()))
  return [
    `${place.method} ${targetOf(place, sent)} HTTP/1.1`,
    'Host: x',
    ...Object.entries(headersOf(sent)).flatMap(([name, value]) => (replaced.has(name) ? [] : [`${name}: ${value}`])),
    ...more,
    '\r\n',
  ].join('\r\n')
}

/** Sends a head and then chunks until the server answers. Returns the number of bytes and the answer. */
const sendEndlessBody = (
  { url }: { readonly url: string },
  head: string,
  mostBytes: number,
  content = 'x'.repeat(65_536),
): Promise<{ readonly bytes: number; readonly text: string }> =>
  new Promise((resolve) => {
    const chunk = `${content.length.toString(16)}\r\n${content}\r\n`
    let [bytes, text] = [0, '']
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(head)
      sendChunks()
    })
    // One chunk a turn: a write to a connection that was reset would discard an answer that was not read yet.
    const sendChunks = (): void => {
      if (socket.destroyed || text !== '') return
      if (bytes > mostBytes) socket.destroy()
      else {
        bytes += chunk.length
        if (socket.write(chunk)) setImmediate(sendChunks)
      }
    }
    socket.on('drain', () => setImmediate(sendChunks))
    socket.on('data', (piece: Buffer) => {
      text += piece
      socket.destroySoon()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve({ bytes, text }))
  })
