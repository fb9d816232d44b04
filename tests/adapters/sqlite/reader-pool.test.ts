import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import type { RawResult } from '../../../adapters/sqlite/execute.ts'
import type { Plan } from '../../../adapters/sqlite/plan.ts'
import { readerPool, readerThread } from '../../../adapters/sqlite/reader/reader-pool.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { insert } from '../../../core/kernel/records/change.ts'
import { all, always, contains, eq, gte } from '../../../core/kernel/records/where.ts'
import { MAX_WAITING_WALKS } from '../../../core/limits.ts'
import { byId, groupOf, listOf, type Query, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { isAtOnce } from '../../at-once.ts'
import { bundleOf } from '../../bundle.ts'
import { thing, thingCollections, things } from '../../fixtures/things.ts'
import { FULL } from '../../size.ts'
import { someFile } from './file.ts'

const filled = async (records: number) => {
  const { path, remove } = await someFile()
  const store = await sqliteStore(path, thingCollections)
  for (let id = 1; id <= records; id += 1_000) {
    const size = Math.min(1_000, records - id + 1)
    const some = Array.from({ length: size }, (_, index) =>
      thing(id + index, { size: id + index, search: `n${id + index}`, status: 'open' }),
    )
    await store.commit(some.map((one) => insert(things, one)))
  }
  return { store, close: () => store.close().then(remove) }
}

const own = eq('shopId', 'loja')
const byName = { by: 'name', dir: 'asc' } as const
const ask = (store: Store, one: Query): Promise<unknown> => store.read({ one })

const long: readonly [string, Query][] = [
  ['a search', listOf(things, { where: all(own, contains('search', 'n19')), when: 'live', sort: byName, limit: 5 })],
  ['a group that no tally covers', groupOf(things, { where: gte('size', 3), by: [], sum: [] })],
  ['a total that no tally covers', listOf(things, { where: all(own, gte('size', 3)), limit: 1, total: true })],
  ['a deep page', listOf(things, { where: own, sort: byName, limit: 5, offset: 1_400 })],
  ['a sort without an index', listOf(things, { where: own, sort: { by: 'weight', dir: 'asc' }, limit: 5 })],
]

for (const [title, one] of long) {
  test(`${title} leaves the loop free where it may walk far, and is answered at once where it cannot`, async (t) => {
    const few = await filled(30)
    t.true(await isAtOnce(ask(few.store, one)))
    await few.close()
    const many = await filled(2_000)
    t.false(await isAtOnce(ask(many.store, one)))
    await many.close()
  })
}

test('a page through its index, with a total from a tally, is answered at once however many there are', async (t) => {
  const { store, close } = await filled(2_000)
  const page = listOf(things, {
    where: all(own, eq('status', 'open')),
    when: 'live',
    sort: { by: 'createdDay', dir: 'desc' },
    limit: 15,
    total: true,
  })
  t.true(await isAtOnce(store.list(page)))
  t.true(await isAtOnce(store.find(byId(things, 7))))
  t.is((await store.list(page)).total, 2_000)
  await close()
})

test('the reader thread sees what was committed before it was asked', async (t) => {
  const { store, close } = await filled(1_500)
  for (let id = 2_000; id < 2_020; id += 1) {
    await store.commit([insert(things, thing(id, { size: -id }))])
    const { counted, found } = await store.read({
      counted: groupOf(things, { where: eq('size', -id), by: [], sum: ['size'] }),
      found: byId(things, id),
    })
    t.deepEqual(counted, [{ by: {}, count: 1, sums: { size: -id } }])
    t.is(found?.id, id)
  }
  await close()
})

test('a scan of more than a page gives every record once, by id', async (t) => {
  const { store, close } = await filled(2_300)
  for (const where of [own, always, gte('size', 1)]) {
    const ids: number[] = []
    for await (const { id } of store.scan(things, where)) ids.push(id)
    t.deepEqual(
      ids,
      Array.from({ length: 2_300 }, (_, index) => index + 1),
    )
  }
  await close()
})

test('a thread that cannot start is unavailable, every time it is asked', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  await mkdir(path)
  const reader = readerThread(path)
  const plan = { kind: 'doc', sql: { text: 'SELECT 1', values: [] }, longProbe: null, owner: '' } as const
  await t.throwsAsync(reader.run([plan]), { instanceOf: StoreUnavailable })
  await t.throwsAsync(reader.run([plan]), { instanceOf: StoreUnavailable })
  await reader.close()
})

const run = promisify(execFile)
const walker = () => bundleOf('tests/adapters/sqlite/long-queries.ts')
const deno = fileURLToPath(new URL('../../../node_modules/.bin/deno', import.meta.url))

const runtimes: readonly [string, string, readonly string[]][] = [
  ['Node', process.execPath, []],
  ['Deno', deno, ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual', '--quiet']],
]

for (const [name, command, args] of FULL ? runtimes : runtimes.slice(0, 1)) {
  test(`${name}: a store that walked and was not closed lets its process end`, async (t) => {
    const { path, remove } = await someFile()
    t.teardown(remove)
    const { stdout } = await run(command, [...args, await walker(), path])
    t.deepEqual(JSON.parse(stdout), { walked: 1_000, scanned: 2_000 })
  })

  test(`${name}: a store that is closed while it walks answers, and is closed before its process ends`, async (t) => {
    const { path, remove } = await someFile()
    t.teardown(remove)
    const { stdout } = await run(command, [...args, await walker(), path, 'close'])
    t.deepEqual(JSON.parse(stdout), { walked: 1_000, scanned: 2_000 })
  })
}

const planOf = (whose: string, text: string): Plan => ({
  kind: 'doc',
  sql: { text, values: [] },
  longProbe: null,
  owner: whose,
})

/** A pool over threads that answer when they are told to, and what was asked of them, in order. */
const staged = () => {
  const asked: { readonly text: string; answer(): void; fail(): void }[] = []
  const pool = readerPool('', () => ({
    run: ([plan]) =>
      new Promise<readonly RawResult[]>((resolve, reject) => {
        const text = plan?.kind === 'doc' ? plan.sql.text : ''
        asked.push({ text, answer: () => resolve([{ kind: 'doc', doc: text }]), fail: () => reject(new Error(text)) })
      }),
    close: async () => {},
  }))
  const texts = () => asked.map(({ text }) => text)
  const answer = async (text: string, how: 'answer' | 'fail' = 'answer') => {
    asked.find((one) => one.text === text)?.[how]()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { texts, answer, ask: (whose: string, text: string) => pool.run([planOf(whose, text)]), close: pool.close }
}

test('whoever asks for much has one thread, and another owner goes before what they still wait for', async (t) => {
  const { texts, answer, ask } = staged()
  for (const text of ['a1', 'a2', 'a3', 'a4']) void ask('a', text)
  t.deepEqual(texts(), ['a1'])
  void ask('b', 'b1')
  t.deepEqual(texts(), ['a1', 'b1'])
  void ask('c', 'c1')
  void ask('b', 'b2')
  await answer('a1')
  t.deepEqual(texts(), ['a1', 'b1', 'c1'])
  await answer('c1')
  t.deepEqual(texts(), ['a1', 'b1', 'c1', 'a2'])
  await answer('b1')
  await answer('b2')
  await answer('a2')
  t.deepEqual(texts(), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('each is told its own answer, and one that fails holds nobody up', async (t) => {
  const { answer, ask } = staged()
  const [first, second] = [ask('a', 'a1'), ask('a', 'a2')]
  const failed = t.throwsAsync(first, { message: 'a1' })
  await answer('a1', 'fail')
  await answer('a2')
  await failed
  t.deepEqual(await second, [{ kind: 'doc', doc: 'a2' }])
})

test('a line has an end: who asks for more is told so, and others are not', async (t) => {
  const { ask, texts } = staged()
  for (let number = 0; number <= MAX_WAITING_WALKS; number += 1) void ask('a', `a${number}`)
  await t.throwsAsync(ask('a', 'too much'), { instanceOf: StoreUnavailable })
  void ask('b', 'b1')
  t.true(texts().includes('b1'))
})

test('one that is closed answers what is with a thread, and asks no thread any more', async (t) => {
  const { ask, answer, close, texts } = staged()
  const [first, second] = [ask('a', 'a1'), ask('a', 'a2')]
  const refused = t.throwsAsync(second, { instanceOf: StoreUnavailable, message: 'the store is closed' })
  await Promise.all([close(), refused])
  await answer('a1')
  t.deepEqual(await first, [{ kind: 'doc', doc: 'a1' }])
  await t.throwsAsync(ask('b', 'b1'), { instanceOf: StoreUnavailable })
  t.deepEqual(texts(), ['a1'])
})
