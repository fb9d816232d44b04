import test from 'ava'
import { MULTIPART_LIMIT_BYTES } from '../../../../apps/http/bodies/body.ts'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { bodyRuleOf } from '../../../../apps/http/rows/row.ts'
import { GROWTH, growthOf, MAX_GROWTH } from '../../../growth.ts'
import type { RowsApi } from '../api-under-test.ts'
import { askAt, placeOf } from '../places.ts'
import type { RowsSuite } from '../suite.ts'
import { endless, headOf } from './endless.ts'

/** How many times the limit a socket and its buffers may swallow before the answer stops the sender. */
const SLACK = 4
const MEGABYTE = 1_048_576

const TYPE = 'multipart/form-data; boundary=X'
const OPENING = '--X\r\nContent-Disposition: form-data; name="a"; '
const CLOSING = '\r\nContent-Type: image/png\r\n\r\na\r\n--X--\r\n'

const filled = (pattern: string, bytes: number) => pattern.repeat(Math.floor(bytes / pattern.length))

/** Forms whose headers, or whose ends of lines, a pattern or a search may stumble over. */
const FORMS: Readonly<Record<string, (bytes: number) => string>> = {
  'names of files in names of files': (bytes) => `${OPENING}${filled('filename="', bytes)}x${CLOSING}`,
  'quotes and spaces': (bytes) => `${OPENING}filename="${filled('"    ', bytes)}x${CLOSING}`,
  'names without end': (bytes) => `${OPENING}${filled('a', bytes)}${CLOSING}`,
  'headers without end': (bytes) => `${OPENING}${filled('\r\na: a', bytes)}${CLOSING}`,
  'what is nearly a boundary': (bytes) => `${OPENING}\r\n\r\n${filled('\r\n--', bytes)}`,
}

const takersOf = (rows: readonly AnyRow[]) => rows.filter((row) => bodyRuleOf(row)?.kinds.includes('multipart'))

/** What asks a row with such a form. */
const askerOf = async <A extends RowsApi>({ prepare }: RowsSuite<A>, api: A, row: AnyRow) => {
  const place = placeOf(row)
  const sent = await prepare(api, place)
  return (raw: string) => askAt(api, place, sent, { raw, headers: { 'content-type': TYPE } })
}

/** Every row that takes forms with files reads them in linear time. */
export const formsGrowthSuite = <A extends RowsApi>(suite: RowsSuite<A>): void => {
  for (const row of takersOf(suite.rows))
    test.serial(`${row.name} refuses a form of a megabyte of headers in linear time`, async (t) => {
      const ask = await askerOf(suite, await suite.open(t), row)
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

/** Every row that takes forms with files refuses those that are none, and takes none without end. */
export const formsSuite = <A extends RowsApi>(suite: RowsSuite<A>): void => {
  const { rows, open, prepare, writesNothing } = suite
  for (const row of takersOf(rows)) {
    test.serial(`${row.name} refuses a form of a megabyte of headers, and writes nothing`, async (t) => {
      const api = await open(t)
      const ask = await askerOf(suite, api, row)
      await writesNothing(t, api, async () => {
        for (const [about, form] of Object.entries(FORMS))
          for (const body of [form(MEGABYTE / GROWTH), form(MEGABYTE)])
            t.true([400, 422].includes((await ask(body)).status), about)
      })
    })

    test.serial(`${row.name} takes no form without end, whatever its boundary is called`, async (t) => {
      const api = await open(t)
      const place = placeOf(row)
      const sent = await prepare(api, place)
      const mostBytes = SLACK * (bodyRuleOf(row)?.limits?.multipart ?? MULTIPART_LIMIT_BYTES)
      const contents = ['x'.repeat(65_536), 'a=1&'.repeat(16_384), `--X\r\n${'a: a\r\n'.repeat(10_000)}`]
      for (const boundary of ['X', 'json', 'octet-stream', 'urlencoded', 'X; a=json']) {
        const type = `Content-Type: multipart/form-data; boundary=${boundary}`
        for (const content of contents) {
          const head = headOf(place, sent, type, 'Transfer-Encoding: chunked')
          const { bytes, text } = await endless(api, head, mostBytes, content)
          t.regex(text, /^HTTP\/1\.1 413 /, boundary)
          t.true(bytes <= mostBytes, `${boundary}: ${bytes}`)
        }
      }
      t.is((await api.ask('GET', '/health')).status, 200)
    })
  }
}
