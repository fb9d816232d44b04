import test from 'ava'
import { unlike } from './likeness.ts'
import { askAt, openRows, placesOf, prepare, rows } from './places.ts'
import { documented } from './schemas.ts'

const env = { STORE_URL: 'memory:' }

test('the document speaks of these rows, and of no others', async (t) => {
  const { operations } = await documented(await openRows(t))
  const places = rows.flatMap((row) =>
    placesOf(row).map((_place, index) => (index === 0 ? row.name : `${row.name}.${index + 1}`)),
  )
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
  test(`${row.name} answers as its example shows and its schema says, under every name`, async (t) => {
    const shop = await openRows(t, { env, instead: () => ({}) })
    const document = await documented(shop)
    const { status, shape, type } = row.reply.doc
    for (const place of placesOf(row)) {
      const about = `${place.method} ${place.path}`
      const answer = await askAt(shop, place, await prepare(shop, place))
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
