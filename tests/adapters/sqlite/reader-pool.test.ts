import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import type { RawResult } from '../../../adapters/sqlite/execute.ts'
import type { Plan } from '../../../adapters/sqlite/plan.ts'
import { readerPool, readerThread } from '../../../adapters/sqlite/reader/reader-pool.ts'
import { all, always, contains, eq, gte, insert } from '../../../core/kernel/records/record.ts'
import { MAX_WAITING_WALKS } from '../../../core/limits.ts'
import { byId, groupOf, listOf, type Query, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { isAtOnce } from '../../at-once.ts'
import { bundleOf } from '../../bundle.ts'
import { thing, things } from '../../fixtures/things.ts'
import { FULL } from '../../size.ts'
import { fileFor, openUntilEnd } from './file.ts'

const filled = async (t: ExecutionContext, records: number) => {
  const store = await openUntilEnd(t, await fileFor(t))
  for (let id = 1; id <= records; id += 1_000) {
    const size = Math.min(1_000, records - id + 1)
    const some = Array.from({ length: size }, (_, index) =>
      thing(id + index, { size: id + index, search: `n${id + index}`, status: 'open' }),
    )
    await store.commit(some.map((one) => insert(things, one)))
  }
  return store
}

const own = eq('shopId', 'loja')
const byName = { by: 'name', dir: 'asc' } as const
const read = (store: Store, one: Query): Promise<unknown> => store.read({ one })

const long: readonly [string, Query][] = [
  ['a search', listOf(things, { where: all(own, contains('search', 'n19')), when: 'live', sort: byName, limit: 5 })],
  ['a group that no tally covers', groupOf(things, { where: gte('size', 3), by: [], sum: [] })],
  ['a total that no tally covers', listOf(things, { where: all(own, gte('size', 3)), limit: 1, total: true })],
  ['a deep page', listOf(things, { where: own, sort: byName, limit: 5, offset: 1_400 })],
  ['a sort without an index', listOf(things, { where: own, sort: { by: 'weight', dir: 'asc' }, limit: 5 })],
]

for (const [title, one] of long) {
  test(`${title} runs in a reader thread over many records, and at once over few`, async (t) => {
    t.true(await isAtOnce(read(await filled(t, 30), one)))
    t.false(await isAtOnce(read(await filled(t, 2_000), one)))
  })
}

test('a page of an index with a total of a tally is read at once over many records', async (t) => {
  const store = await filled(t, 2_000)
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
})

test('a reader thread sees all earlier commits', async (t) => {
  const store = await filled(t, 1_500)
  for (let id = 2_000; id < 2_020; id += 1) {
    await store.commit([insert(things, thing(id, { size: -id }))])
    const { counted, found } = await store.read({
      counted: groupOf(things, { where: eq('size', -id), by: [], sum: ['size'] }),
      found: byId(things, id),
    })
    t.deepEqual(counted, [{ by: {}, count: 1, sums: { size: -id } }])
    t.is(found?.id, id)
  }
})

test('a scan of several pages yields every record once, by id', async (t) => {
  const store = await filled(t, 2_300)
  for (const where of [own, always, gte('size', 1)]) {
    const ids: number[] = []
    for await (const { id } of store.scan(things, where)) ids.push(id)
    t.deepEqual(
      ids,
      Array.from({ length: 2_300 }, (_, index) => index + 1),
    )
  }
})

test('a thread that cannot start is unavailable on every run', async (t) => {
  const path = await fileFor(t)
  await mkdir(path)
  const reader = readerThread(path)
  for (const _ of [1, 2]) await t.throwsAsync(reader.run([planOf('', 'SELECT 1')]), { instanceOf: StoreUnavailable })
  await reader.close()
})

const run = promisify(execFile)
const program = () => bundleOf('tests/adapters/sqlite/long-queries.ts')
const deno = fileURLToPath(new URL('../../../node_modules/.bin/deno', import.meta.url))

const runtimes: readonly [string, string, readonly string[]][] = [
  ['Node', process.execPath, []],
  ['Deno', deno, ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual', '--quiet']],
]

for (const [name, command, args] of FULL ? runtimes : runtimes.slice(0, 1))
  for (const [title, ...more] of [
    ['a store that is not closed lets its process end after long queries'],
    ['a store that is closed during long queries returns their results', 'close'],
  ] as const)
    test(`${name}: ${title}`, async (t) => {
      const { stdout } = await run(command, [...args, await program(), await fileFor(t), ...more])
      t.deepEqual(JSON.parse(stdout), { grouped: 1_000, scanned: 2_000 })
    })

const planOf = (owner: string, text: string): Plan => {
  const sql = { text, values: [] }
  return { kind: 'doc', sql, longProbe: null, owner }
}

/** A pool over threads whose runs end on request, with the started plans in order. */
const staged = () => {
  const started: { readonly text: string; finish(): void; fail(): void }[] = []
  const pool = readerPool('', () => ({
    run: ([plan]) =>
      new Promise<readonly RawResult[]>((resolve, reject) => {
        const text = plan?.kind === 'doc' ? plan.sql.text : ''
        started.push({ text, finish: () => resolve([{ kind: 'doc', doc: text }]), fail: () => reject(new Error(text)) })
      }),
    close: async () => {},
  }))
  const texts = () => started.map(({ text }) => text)
  const finish = async (text: string, how: 'finish' | 'fail' = 'finish') => {
    started.find((one) => one.text === text)?.[how]()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { texts, finish, runFor: (owner: string, text: string) => pool.run([planOf(owner, text)]), close: pool.close }
}

test('an owner has one thread, and queries of other owners come before its queued ones', async (t) => {
  const { texts, finish, runFor } = staged()
  for (const text of ['a1', 'a2', 'a3', 'a4']) void runFor('a', text)
  t.deepEqual(texts(), ['a1'])
  void runFor('b', 'b1')
  t.deepEqual(texts(), ['a1', 'b1'])
  void runFor('c', 'c1')
  void runFor('b', 'b2')
  await finish('a1')
  t.deepEqual(texts(), ['a1', 'b1', 'c1'])
  await finish('c1')
  t.deepEqual(texts(), ['a1', 'b1', 'c1', 'a2'])
  await finish('b1')
  await finish('b2')
  await finish('a2')
  t.deepEqual(texts(), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('each query gets its own result, and a failed one does not block the queue', async (t) => {
  const { finish, runFor } = staged()
  const [first, second] = [runFor('a', 'a1'), runFor('a', 'a2')]
  const failed = t.throwsAsync(first, { message: 'a1' })
  await finish('a1', 'fail')
  await finish('a2')
  await failed
  t.deepEqual(await second, [{ kind: 'doc', doc: 'a2' }])
})

test('a full queue of an owner rejects its queries, but not those of others', async (t) => {
  const { runFor, texts } = staged()
  for (let number = 0; number <= MAX_WAITING_WALKS; number += 1) void runFor('a', `a${number}`)
  await t.throwsAsync(runFor('a', 'too much'), { instanceOf: StoreUnavailable })
  void runFor('b', 'b1')
  t.true(texts().includes('b1'))
})

test('closing finishes the queries in progress and rejects the queued ones', async (t) => {
  const { runFor, finish, close, texts } = staged()
  const [first, second] = [runFor('a', 'a1'), runFor('a', 'a2')]
  const refused = t.throwsAsync(second, { instanceOf: StoreUnavailable, message: 'the store is closed' })
  await Promise.all([close(), refused])
  await finish('a1')
  t.deepEqual(await first, [{ kind: 'doc', doc: 'a1' }])
  await t.throwsAsync(runFor('b', 'b1'), { instanceOf: StoreUnavailable })
  t.deepEqual(texts(), ['a1'])
})
