import test from 'ava'
import { searchQueue } from '../../../adapters/mongodb/queries.ts'
import type { Collection } from '../../../core/kernel/records/collection.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { all, contains, eq } from '../../../core/kernel/records/where.ts'
import { MAX_WAITING_WALKS } from '../../../core/limits.ts'
import { listOf, StoreUnavailable } from '../../../core/ports/store.ts'
import { deferred, turn } from '../../core/kernel/running/tasks.ts'

const things = { name: 'test.things', owner: 'tenant' } as Collection<Rec>

const page = (tenant: string) => listOf(things, { where: eq('tenant', tenant), limit: 5 })
const search = (tenant: string) =>
  listOf(things, { where: all(eq('tenant', tenant), contains('search', 'ana')), limit: 5 })

test('searches of one owner go one after the other; those of others, and what is no search, wait for none', async (t) => {
  const inOwnersLine = searchQueue()
  const hang = deferred()
  const begun: string[] = []
  const begin =
    (name: string, waits = false) =>
    async () => {
      begun.push(name)
      if (waits) await hang.promise
    }
  const first = inOwnersLine(search('a'), begin('a1', true))
  const second = inOwnersLine(search('a'), begin('a2'))
  await inOwnersLine(search('b'), begin('b'))
  await inOwnersLine(page('a'), begin("a's page"))
  await turn()
  t.deepEqual(begun, ['a1', 'b', "a's page"])
  hang.resolve()
  await Promise.all([first, second])
  t.deepEqual(begun, ['a1', 'b', "a's page", 'a2'])
})

test('a line has an end: who searches more is told so, others are not, and there is room again for whom was answered', async (t) => {
  const inOwnersLine = searchQueue()
  const hang = deferred()
  const waits = () => inOwnersLine(search('a'), () => hang.promise)
  const all = Array.from({ length: 1 + MAX_WAITING_WALKS }, waits)
  await t.throwsAsync(waits, { instanceOf: StoreUnavailable })
  t.is(await inOwnersLine(search('b'), async () => 'b'), 'b')
  t.is(await inOwnersLine(page('a'), async () => "a's page"), "a's page")
  hang.resolve()
  await Promise.all(all)
  await t.notThrowsAsync(waits)
})
