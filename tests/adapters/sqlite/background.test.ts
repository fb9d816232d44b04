// Runs in test:long only.
import { spawn } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { t as io } from '../../../core/fp.ts'
import { insert, patch } from '../../../core/kernel/records/change.ts'
import type { Collection } from '../../../core/kernel/records/collection.ts'
import { orNull, record } from '../../../core/kernel/records/record.ts'
import { always, eq } from '../../../core/kernel/records/where.ts'
import { verifyTallies } from '../../../core/kernel/running/verify.ts'
import { byId, byKey, groupOf, listOf, StoreUnavailable } from '../../../core/ports/store.ts'
import { bundleOf } from '../../bundle.ts'
import { type Claim, claim, claims, older, thing } from '../../fixtures/things.ts'
import { someFile } from './file.ts'
import { heldOpen } from './held-open.ts'
import { allMade, builtThings, byGrade, later, laterThings, leaveOlder } from './later-things.ts'

/** A file that an older release left, and a way to open it in which no slice gets on before it is let go. */
const left = async (t: ExecutionContext, count: number) => {
  const { path, remove } = await someFile()
  await leaveOlder(path, count)
  t.teardown(remove)
  return { path, ...heldOpen() }
}

const UNAVAILABLE = { instanceOf: StoreUnavailable }

test('a collection with a new key is read and not written until every record is in it', async (t) => {
  const { path, open, letGo } = await left(t, 1_200)
  const store = await sqliteStore(path, [laterThings, claims], { open })
  t.is((await store.find(byId(laterThings, 1)))?.grade, 'little')
  await t.throwsAsync(store.find(byKey(laterThings, 'name', 'loja|n1')), UNAVAILABLE)
  await t.throwsAsync(store.commit([insert(laterThings, later(5_000))]), UNAVAILABLE)
  const [refused, ok] = await Promise.allSettled([
    store.commit([patch(laterThings, 1, { set: { rank: 1 }, when: always })]),
    store.commit([insert(claims, claim('x'))]),
  ])
  t.is(refused?.status, 'rejected')
  t.true(ok?.status === 'fulfilled' && ok.value.ok)
  letGo()
  await store.settled()
  t.true((await store.commit([insert(laterThings, later(5_000, { name: 'new' }))])).ok)
  await allMade(path, store, 1_200)
  await store.close()
})

test('fields are asked for once all records have them, and read and written meanwhile', async (t) => {
  const { path, open, letGo } = await left(t, 1_200)
  const { keys: _, ...unkeyed } = laterThings
  const store = await sqliteStore(path, [unkeyed], { open })
  t.true((await store.commit([patch(laterThings, 99, { set: { rank: 7 }, when: eq('heavy', true) })])).ok)
  t.true((await store.commit([insert(laterThings, later(5_000, { grade: 'much', weight: 50 }))])).ok)
  t.like(await store.find(byId(laterThings, 99)), { rank: 7, grade: 'much', heavy: true })
  const own = eq('shopId', 'loja')
  const asks = [
    byGrade,
    listOf(laterThings, { where: own, sort: { by: 'heavy', dir: 'asc' }, limit: 1 }),
    listOf(laterThings, { where: own, when: 'heavy', limit: 1 }),
    groupOf(laterThings, { where: own, by: ['grade'], sum: [] }),
  ]
  for (const ask of asks) await t.throwsAsync(store.read({ ask }), UNAVAILABLE)
  await t.throwsAsync(store.scan(laterThings, eq('heavy', true))[Symbol.asyncIterator]().next(), UNAVAILABLE)
  t.is((await store.list(listOf(laterThings, { where: own, limit: 1, total: true }))).total, 1_201)
  letGo()
  await store.settled()
  t.deepEqual(await store.group(groupOf(laterThings, { where: own, by: ['grade', 'heavy'], sum: ['rank'] })), [
    { by: { grade: 'little', heavy: false }, count: 600, sums: { rank: 0 } },
    { by: { grade: 'much', heavy: false }, count: 1, sums: { rank: 0 } },
    { by: { grade: 'much', heavy: true }, count: 600, sums: { rank: 7 } },
  ])
  for (const ask of asks) await t.notThrowsAsync(store.read({ ask }))
  t.deepEqual((await verifyTallies(store, [laterThings])).faults, [])
  await store.close()
})

test('records whose ids are texts are gone through as well, each once', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  const ids = Array.from({ length: 2_100 }, (_, at) => `${at % 2 === 0 ? at : `ç${at}`}`)
  const before = await sqliteStore(path, [claims])
  for (let from = 0; from < ids.length; from += 300)
    await before.commit(ids.slice(from, from + 300).map((id) => insert(claims, claim(id, { note: id.at(-1) ?? '' }))))
  await before.close()
  const named: Collection<Claim & { readonly size: number }> = {
    ...claims,
    codec: record({ id: io.string, holder: orNull(io.string), note: orNull(io.string), size: io.number }),
    upgrades: { size: ({ id }) => id.length },
    keys: { note: ({ note }) => note },
    tallies: [{ by: ['size'], sum: [] }],
  }
  const store = await sqliteStore(path, [named])
  await store.settled()
  for (const digit of ['0', '1', '9'])
    t.is((await store.find(byKey(named, 'note', digit)))?.id, ids.filter((id) => id.endsWith(digit)).sort()[0])
  t.is((await store.list(listOf(named, { where: eq('size', 5), limit: 1, total: true }))).total, 550)
  t.deepEqual((await verifyTallies(store, [named])).faults, [])
  await store.close()
})

test('until an index is built its page is walked to, and until a tally is it is counted; writes are in both', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  await leaveOlder(path, 5_000)
  const store = await sqliteStore(path, [builtThings])
  const page = listOf(builtThings, {
    where: eq('shopId', 'loja'),
    when: 'live',
    sort: { by: 'weight', dir: 'desc' },
    limit: 3,
    total: true,
  })
  const before = await store.explain(page)
  t.false(/things_index__weight|things_tally/.test(before), before)
  const walked = await store.list(page)
  t.deepEqual([walked.total, walked.records.map(({ id }) => id)], [5_000, [4_999, 4_899, 4_799]])
  let isSettled = false
  const settled = store.settled().then(() => {
    isSettled = true
  })
  let written = 0
  while (!isSettled || written < 20) {
    written += 1
    const made = older(thing(10_000 + written, { weight: 100 + written }))
    t.true((await store.commit([insert(builtThings, made)])).ok)
  }
  await settled
  t.log(`${written} written meanwhile`)
  const after = await store.explain(page)
  t.regex(after, /USING INDEX test\.things_index__weight__live \(f_shopId=\?\)/)
  t.true(after.includes('test.things_tally_0'), after)
  const found = await store.list(page)
  t.deepEqual(
    [found.total, found.records.map(({ id }) => id)],
    [5_000 + written, [10_000 + written, 9_999 + written, 9_998 + written]],
  )
  t.deepEqual((await verifyTallies(store, [builtThings])).faults, [])
  await store.close()
})

const dying = () => bundleOf('tests/adapters/sqlite/dying.ts')
const NODE = [execPath]
const DENO = [
  fileURLToPath(new URL('../../../node_modules/.bin/deno', import.meta.url)),
  ...['run', '--allow-all', '--no-lock', '--node-modules-dir=manual', '--quiet'],
]

const process = async ([command = '', ...options]: readonly string[], ...args: readonly string[]) => {
  const child = spawn(command, [...options, await dying(), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(said)))
  return { child, ended }
}

test('a process that is killed in any slice leaves what the next one goes on with', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  await leaveOlder(path, 2_300)
  // Three slices of keys and six of fields, of which each process ends two.
  for (let start = 1; start <= 4; start += 1) t.is(await (await process(NODE, path, '3')).ended, '', `start ${start}`)
  t.is(await (await process(NODE, path, '3')).ended, 'made\n')
  const store = await sqliteStore(path, [laterThings])
  await allMade(path, store, 2_300)
  await store.close()
})

/** How often what is over sooner than it is seen may be begun anew, on another file. */
const TRIES = 20

/** A file on which three processes were killed, each while it built; null where a build was over before it was seen. */
const killedBuilds = async (t: ExecutionContext): Promise<string | null> => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  await leaveOlder(path, 25_000)
  const other = await openDatabase(path)
  t.teardown(() => other.close())
  const version = (): number => Number(other.prepare('PRAGMA user_version').get()?.user_version)
  const isHeld = (): boolean => {
    try {
      other.prepare('BEGIN IMMEDIATE').run()
      other.prepare('ROLLBACK').run()
      return false
    } catch {
      return true
    }
  }
  // Each has ended one more of two indexes and a tally than the one before.
  const first = version() + 1
  for (const built of [0, 1, 2]) {
    const { child, ended } = await process(NODE, path, '0', 'built')
    const isOver = (): boolean => child.exitCode !== null || version() > first + built
    // It is held for moments only: who looks now and then may find it made.
    while (!isOver() && !(version() === first + built && isHeld()))
      await new Promise((resolve) => setImmediate(resolve))
    child.kill('SIGKILL')
    if ((await ended) !== '' || version() !== first + built) return null
  }
  return path
}

test('a process that is killed while it builds leaves what the next one builds', async (t) => {
  let path: string | null = null
  for (let tries = 0; path === null && tries < TRIES; tries += 1) path = await killedBuilds(t)
  if (path === null) return t.fail(`no build was seen in ${TRIES} tries`)
  const store = await sqliteStore(path, [builtThings])
  await store.settled()
  t.deepEqual((await verifyTallies(store, [builtThings])).faults, [])
  await store.close()
})

test('processes on a file, in Node and in Deno, make each of it once', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  await leaveOlder(path, 2_300)
  const both = await Promise.all([process(NODE, path, '0'), process(DENO, path, '0')])
  const store = await sqliteStore(path, [laterThings])
  for (const { ended } of both) t.is(await ended, 'made\n')
  await store.settled()
  await allMade(path, store, 2_300)
  await store.close()
})
