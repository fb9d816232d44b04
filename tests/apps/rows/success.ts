import test from 'ava'
import { operationIdOf } from '../../../apps/http/docs/openapi.ts'
import { PARAMETERS } from '../../../apps/http/routing.ts'
import type { RowsApi } from './api-under-test.ts'
import { askAt, placesOf } from './places.ts'
import { differences } from './schemas.ts'
import type { RowsSuite } from './suite.ts'

/** Tests that each row answers as in its example and its schema, and runs once for a repeated idempotency key. */
export const successSuite = <A extends RowsApi>(under: RowsSuite<A>): void => {
  documentIsOfRows(under)
  answersAsShown(under)
  doesOnceByKey(under)
}

const documentIsOfRows = <A extends RowsApi>({ rows, open, documented }: RowsSuite<A>): void => {
  test.serial('the document contains exactly the operations of these rows', async (t) => {
    const { operations } = await documented(await open(t))
    const places = rows.flatMap((row) => placesOf(row).map(({ path, method }) => operationIdOf(row, path, method)))
    t.deepEqual(operations.map(({ operationId }) => operationId).sort(), places.sort())
  })

  test('every parameter of a path has an example', (t) => {
    const without = rows.flatMap(({ name, paths, example }) =>
      paths
        .flatMap((path) => [...path.matchAll(PARAMETERS)].flatMap(([, param]) => param ?? []))
        .filter((param) => !Object.hasOwn(example.request?.params ?? {}, param))
        .map((param) => `${name}: ${param}`),
    )
    t.deepEqual(without, [])
  })
}

const answersAsShown = <A extends RowsApi>({ rows, open, prepare, documented, varies }: RowsSuite<A>): void => {
  for (const row of rows)
    test.serial(`${row.name} answers as in its example and its schema, on every path`, async (t) => {
      const api = await open(t, 'drawing')
      const document = await documented(api)
      const { example } = row
      const { status, shape, type } = row.reply.doc
      for (const place of placesOf(row)) {
        const about = `${place.method} ${place.path}`
        const answer = await askAt(api, place, await prepare(api, place))
        t.is(answer.status, status, `${about}: ${answer.text}`)
        if (shape === 'text' || shape === 'bytes') {
          t.true(answer.headers['content-type']?.startsWith(type.replace('/*', '/')), about)
          t.not(answer.text, '', about)
          if (shape === 'text' && example.reply !== null)
            t.deepEqual(differences(answer.text, example.reply, varies), [])
          continue
        }
        t.deepEqual(differences(answer.body, example.reply, varies), [], about)
        t.is(document.wrongWith(place, status, answer.body), null, about)
        t.is(document.wrongWith(place, status, example.reply), null, `${about}: example`)
        const isTagged = answer.headers.etag !== undefined
        // A list without a page is streamed, and has no tag.
        if (isTagged || shape !== 'list')
          t.is(document.wrongWith(place, 304, null) === null, isTagged, `${about}: the 304 of a tag`)
      }
    })
}

const doesOnceByKey = <A extends RowsApi>({ rows, keyless, open, prepare, writesNothing }: RowsSuite<A>): void => {
  const keyed = rows.filter(({ key, methods, auth }) => key !== false && methods.includes('POST') && !keyless.has(auth))
  for (const row of keyed)
    test.serial(`${row.name} runs once for a repeated idempotency key and sends the same answer`, async (t) => {
      const api = await open(t)
      for (const place of placesOf(row).filter(({ method }) => method === 'POST')) {
        const sent = await prepare(api, place)
        const headers = { 'idempotency-key': `${place.path}: uma vez` }
        const first = await askAt(api, place, sent, { headers })
        t.is(first.status, row.reply.doc.status, first.text)
        await writesNothing(t, api, async () => {
          const { status, text, headers: again } = await askAt(api, place, sent, { headers })
          t.deepEqual([status, text, again['idempotent-replayed']], [first.status, first.text, 'true'])
        })
      }
    })
}
