import test from 'ava'
import fc from 'fast-check'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { FULL, SEED } from '../../../size.ts'
import { raw } from '../../http/raw.ts'
import type { RowsApi } from '../api-under-test.ts'
import { placeOf, placesOf } from '../places.ts'
import { type RowsSuite, writtenBetween } from '../suite.ts'
import { parseJson } from '../wire.ts'

const RUNS = FULL ? 20_000 : 250

const SEGMENTS = [
  ...['.', '..', '%2e%2e', '%2F', '%5c', '%00', '%ff', '%', '%zz', ';x=1', '١', '*', ':id', '{id}', '__proto__'],
  ...['constructor', "'", '"', '<', '|', '\\', '%0d%0aX:1', '~', '@', ' ', '\t', '\u0001', 'a'.repeat(3_000)],
  ...['1', '9'.repeat(20)],
]
/** Generates targets from the segments of an API's paths. */
const targetsOf = (rows: readonly AnyRow[]): fc.Arbitrary<string> => {
  const words = [...new Set(rows.flatMap(placesOf).flatMap(({ path }) => path.split('/')))]
  const mixed = [
    ...new Set(words.flatMap((word) => [word.toUpperCase(), `${word}%20`, `${word};`, encodeURI(`${word}é`)])),
  ]

  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...words) },
    fc.constantFrom(...SEGMENTS),
    fc.constantFrom(...mixed),
    fc.string({ maxLength: 8 }).map(encodeURIComponent),
  )
  const path = fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join('/')}`)
  const known = fc.constantFrom(...rows.flatMap(({ paths }) => paths))
  return fc.oneof(
    { weight: 4, arbitrary: path },
    fc
      .tuple(known, fc.constantFrom('/', '//', '/.', '%2F', '?', '#', '%00', ';', '.json', '/*'))
      .map((parts) => parts.join('')),
    path.map((text) => `/${text}`),
    path.map((text) => `http://evil.example${text}`),
    fc.tuple(path, fc.string({ maxLength: 20 })).map(([text, query]) => `${text}?${query.replace(/\s/g, '+')}`),
    fc.constantFrom('*', '', 'x', '//', '/../..', 'http://', 'http://[', '/%'),
    fc.constantFrom(`/${'a/'.repeat(4_000)}`, `/${'a'.repeat(20_000)}`),
  )
}

const method = fc.oneof(
  fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'QUERY'),
  fc.constantFrom('get', 'FOO', 'GETGET', '', ' ', 'G\0T', 'GÉT', 'PRI', 'A'.repeat(5_000)),
)

const replyOf = (text: string) => {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
  const type = /^content-type: (.*)$/im.exec(head)?.[1]
  const body = rest.join('\r\n\r\n')
  return { status, headers: { 'content-type': type }, text: body, body: parseJson(body) }
}

// Rows without input take effect for any authenticated request.
const actionsOf = (rows: readonly AnyRow[]) => {
  const actions = new Set(
    rows.flatMap(({ methods, paths, input }) => (methods.includes('GET') || input.body ? [] : paths)),
  )
  return (at: string): boolean => {
    const [place = ''] = at.replace(/^http:\/\/[^/]*/, '').split(/[?#]/)
    return actions.has(place.replace(/\/+$/, '').toLowerCase())
  }
}

/** Tests that every method and target gets a well-formed answer. */
export const fuzzSuite = <A extends RowsApi>(under: RowsSuite<A>): void => {
  const { rows, wording, hostile, open, prepare, dump, documented } = under
  const [isAction, target] = [actionsOf(rows), targetsOf(rows)]
  test.serial('every method and target gets a well-formed answer', async (t) => {
    const api = await open(t)
    const document = await documented(api)
    const row = rows.find(({ name }) => name === hostile.asker)
    if (!row) return t.fail(`unknown row ${hostile.asker}`)
    const { token } = await prepare(api, placeOf(row))
    const port = Number(new URL(api.url).port)
    const before = await dump(api)
    const property = fc.asyncProperty(method, target, fc.boolean(), async (verb, at, isKnown) => {
      const authorization = isKnown && !isAction(at) ? `Authorization: Bearer ${token}\r\n` : ''
      const sent = `${verb} ${at} HTTP/1.1\r\nHost: x\r\n${authorization}Connection: close\r\n\r\n`
      const reply = replyOf(await raw(port, sent))
      if (reply.status >= 200 && reply.status < 300) return
      if (verb === 'HEAD' && reply.status < 500 && reply.status >= 400) return
      const dialects = hostile.dialectsAt?.(reply, at) ?? [wording.defaultDialect]
      const wrong = dialects.map((dialect) => wording.wrongFailure(reply, dialect, document))
      if (!wrong.includes(null)) throw new Error(wrong.join())
    })
    await fc.assert(property, { numRuns: RUNS, seed: SEED })
    const written = writtenBetween(before, await dump(api)).filter((line) => !hostile.mayWrite?.(line))
    t.deepEqual(written, [])
  })
}
