import test from 'ava'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { clients } from '../../../core/real-estate/records/people.ts'
import { clientsOf, madeLines, openAgency, wrongByLine } from './given/basics.ts'

test('an atomic import creates all lines, or none if one is invalid', async (t) => {
  const { api, send } = await openAgency(t)
  const before = await api.everything()
  const wrong = await send('clients/import?atomic=true', `${clientsOf(2)}\n,x@example.com,Individual,Lease`)
  t.is(wrong.status, 200)
  t.deepEqual(wrong.body.lines.slice(0, 2), [{ line: 2 }, { line: 3 }])
  t.deepEqual([wrong.body.created, wrong.body.failed, wrongByLine(wrong)], [0, 3, { 4: ['name: required'] }])
  t.deepEqual(await api.everything(), before)
  const right = await send('clients/import?atomic=true', clientsOf(3))
  t.deepEqual([right.body.created, madeLines(right)], [3, [2, 3, 4]])
})

test('an atomic import has at most 500 lines', async (t) => {
  const { api, send } = await openAgency(t)
  const { status, body } = await send('clients/import?atomic=true', clientsOf(501))
  t.deepEqual([status, body.code], [400, 'import.atomic.too-long'])
  t.is((await api.every(clients)).length, 0)
  t.is((await send('clients/import?atomic=true', clientsOf(500))).body.created, 500)
  t.is((await api.every(clients)).length, 500)
})

test('an import has at most 10,000 lines', async (t) => {
  const { api, send } = await openAgency(t)
  // Lines without a name, so that none is stored.
  const nameless = (count: number) => clientsOf(count).replaceAll(/^Cliente[^,]*/gm, '')
  const { status, body } = await send('clients/import', nameless(10_001))
  t.deepEqual([status, body.code], [400, 'import.too-long'])
  const answer = await send('clients/import', nameless(10_000))
  t.deepEqual([answer.body.created, answer.body.failed, answer.body.lines.length], [0, 10_000, 10_000])
  t.is(answer.body.lines.at(-1).line, 10_001)
  t.is((await api.every(clients)).length, 0)
})

const KEY = { 'idempotency-key': 'carteira de novembro' }

test('an interrupted import resumes by its idempotency key without duplicates', async (t) => {
  let commits = 0
  let breaksAt = Number.POSITIVE_INFINITY
  const { api, send } = await openAgency(t, {
    instead: ({ store }) => ({
      store: {
        ...store,
        commit: (changes, hook) => {
          commits += 1
          if (commits === breaksAt) throw new StoreUnavailable('gone for a moment')
          return store.commit(changes, hook)
        },
      },
    }),
  })
  // The key, two batches, and a third one that fails.
  breaksAt = commits + 4
  t.is((await send('clients/import', clientsOf(180), KEY)).status, 503)
  const imported = (await api.every(clients)).map(({ id }) => id)
  t.is(imported.length, 100)
  const answer = await send('clients/import', clientsOf(180), KEY)
  t.deepEqual([answer.status, answer.body.created, answer.body.failed], [200, 180, 0])
  const all = (await api.every(clients)).map(({ id }) => id)
  t.is(all.length, 180)
  t.deepEqual(answer.body.lines.map(({ id }: { id: string }) => id).sort(), all.sort())
  const replayed = await send('clients/import', clientsOf(180), KEY)
  t.deepEqual([replayed.headers.get('idempotent-replayed'), replayed.body], ['true', answer.body])
})
