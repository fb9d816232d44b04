import test from 'ava'
import { operationIdOf } from '../../../apps/http/docs/operation-id.ts'
import { dumpOf, writtenBetween } from './dump.ts'
import { unlike } from './likeness.ts'
import { openRows } from './open-rows.ts'
import { askAt, placesOf, prepare, rows } from './places.ts'
import { documented } from './schemas.ts'

test.serial('the document speaks of these rows, and of no others', async (t) => {
  const { operations } = await documented(await openRows(t))
  const places = rows.flatMap((row) => placesOf(row).map(({ path, method }) => operationIdOf(row, path, method)))
  t.deepEqual(operations.map(({ operationId }) => operationId).sort(), places.sort())
})

test('every parameter of a path has an example', (t) => {
  const without = rows.flatMap(({ name, paths, example }) =>
    paths
      .flatMap((path) => [...path.matchAll(/[:*](\w+)/g)].flatMap(([, param]) => param ?? []))
      .filter((param) => !Object.hasOwn(example.request?.params ?? {}, param))
      .map((param) => `${name}: ${param}`),
  )
  t.deepEqual(without, [])
})

for (const row of rows)
  test.serial(`${row.name} answers as its example shows and its schema says, under every name`, async (t) => {
    const api = await openRows(t, 'drawing')
    const document = await documented(api)
    const { status, shape, type } = row.reply.doc
    for (const place of placesOf(row)) {
      const about = `${place.method} ${place.path}`
      const answer = await askAt(api, place, await prepare(api, place))
      t.is(answer.status, status, `${about}: ${answer.text}`)
      if (shape === 'text' || shape === 'bytes') {
        t.true(answer.headers['content-type']?.startsWith(type.replace('/*', '/')), about)
        t.not(answer.text, '', about)
        continue
      }
      t.deepEqual(unlike(answer.body, row.example.reply), [], about)
      t.is(document.wrongWith(place, status, answer.body), null, about)
      t.is(document.wrongWith(place, status, row.example.reply), null, `${about}: its example`)
    }
  })

/** The ways in that ignore keys: there is nobody yet whose they could be. */
const NOBODYS = new Set(['public', 'refresh'])
const keyed = rows.filter(({ key, methods, auth }) => key !== false && methods.includes('POST') && !NOBODYS.has(auth))

for (const row of keyed)
  test.serial(`${row.name} does once what is asked twice under one key, and answers the same`, async (t) => {
    const api = await openRows(t)
    for (const place of placesOf(row).filter(({ method }) => method === 'POST')) {
      const sent = await prepare(api, place)
      const headers = { 'idempotency-key': `${place.path}: uma vez` }
      const first = await askAt(api, place, sent, { headers })
      t.is(first.status, row.reply.doc.status, first.text)
      const before = await dumpOf(api)
      const again = await askAt(api, place, sent, { headers })
      t.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [first.status, first.text, 'true'])
      t.deepEqual(writtenBetween(before, await dumpOf(api)), [])
    }
  })
