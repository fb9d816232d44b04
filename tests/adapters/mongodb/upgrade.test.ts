// Runs in test:long only.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { timeoutFor } from '../../../adapters/mongodb/connection.ts'
import { generationOf, validatorOf } from '../../../adapters/mongodb/layout/document.ts'
import { type MongoOptions, mongoStore } from '../../../adapters/mongodb/mod.ts'
import { fence } from '../../../adapters/mongodb/schema/open.ts'
import { type AnyCollection, always, type Change, insert, patch, remove } from '../../../core/kernel/records/record.ts'
import { verifyTallies } from '../../../core/kernel/running/verify.ts'
import { byId, StoreUnavailable } from '../../../core/ports/store.ts'
import { claim, claims, thing, thingCollections, things } from '../../fixtures/things.ts'
import { some } from '../../size.ts'
import { listed, newer, older, stands, upgradeTests } from '../upgrade-tests.ts'
import { newerCollections, quick } from './newer-things.ts'
import { proxied } from './proxy.ts'
import { onReplicaSet, openUntilEnd, type ReplicaSet } from './replica-set.ts'

const open = (t: ExecutionContext, url: string, collections: readonly AnyCollection[], more?: MongoOptions) =>
  openUntilEnd(t, url, collections, quick(more))

/** Of a process that is there, believes its lease to be good, and learns of nothing by itself. */
const DEAF = { renewMs: 60_000, voidMs: 60_000 }

const takesOver = (server: ReplicaSet): void => {
  upgradeTests('mongodb', async (t) => {
    const url = server.url()
    return (collections, superseded = () => {}) => open(t, url, collections, { superseded })
  })

  test('a superseded release is rejected while the newer one serves, and can open the store after that', async (t) => {
    const url = server.url()
    const retallied: AnyCollection = { ...things, tallies: [{ by: ['status'], sum: ['valueCents'] }] }
    const first = await open(t, url, thingCollections)
    await first.commit([older(1, { status: 'open' })])
    const second = await open(t, url, [retallied])
    await t.throwsAsync(mongoStore(url, thingCollections, quick()), {
      message: /a newer release is serving this store/,
    })
    t.true((await second.commit([insert(retallied as never, thing(2, { status: 'open' }))])).ok)
    await second.close()
    const third = await open(t, url, thingCollections)
    t.true((await third.commit([older(3, { status: 'open' })])).ok)
    t.deepEqual((await verifyTallies(third, thingCollections)).faults, [])
    // Buckets of former tallies are deleted.
    const buckets = (await server.db(url)).collection<{ _id: string }>(`${things.name}_tallies`)
    const numbers = new Set((await buckets.find().toArray()).map(({ _id }) => _id.split('[')[0]))
    t.is(numbers.size, things.tallies?.length ?? 0)
  })
}

const fences = (server: ReplicaSet): void => {
  test('a fence that comes too late is put back', async (t) => {
    const url = server.url()
    await (await mongoStore(url, thingCollections, quick())).close()
    const store = await open(t, url, newerCollections)
    const client = await server.client()
    const db = await server.db(url)
    await fence({ db, withTimeout: timeoutFor(client) }, 0)
    const { validator } = await db.collection(things.name).options()
    t.deepEqual(validator, validatorOf(1))
    t.true((await store.commit([newer(1)])).ok)
  })
}

/** Requests that reach the server after the lease of their process has expired. */
const inFlight = (server: ReplicaSet): void => {
  const late: readonly (readonly [what: string, command: string, change: Change, also?: Change])[] = [
    ['an insert by itself', 'insert', insert(claims, claim('late'))],
    ['a patch by itself', 'update', patch(claims, 'a', { set: { note: 'late' }, when: always })],
    ['a removal after a look', 'find', remove(things, 1, always)],
    ['a transaction', 'update', older(9), patch(claims, 'a', { set: { note: 'late' }, when: always })],
    ['an insert of a transaction', 'insert', older(9), insert(claims, claim('late'))],
  ]
  // One of them by chance; all of them in full.
  for (const [what, command, ...changes] of some(late, 1))
    test(`${what} that comes after the lease ran out is not taken`, async (t) => {
      const url = server.url()
      const { proxy, url: through } = await proxied(t, url)
      const before = await mongoStore(through, thingCollections, quick({ lease: DEAF }))
      await before.commit([older(1), older(2), insert(claims, claim('a'))])
      const held = proxy.hold(command)
      const late = before.commit(changes.filter((change) => change !== undefined)).catch((error: unknown) => error)
      await held
      await (await server.db(url)).collection('_processes').updateMany({}, { $set: { until: new Date(0) } })
      const after = await open(t, url, newerCollections)
      t.true((await after.commit([newer(3)])).ok)
      proxy.release()
      t.true((await late) instanceof StoreUnavailable, `${await late}`)
      await before.close()
      await stands(t, after, [1, 2, 3])
      t.is(await after.find(byId(things, 9)), null)
      t.is(await after.find(byId(claims, 'late')), null)
      t.like(await after.find(byId(claims, 'a')), { note: null })
    })
}

const child = (t: ExecutionContext, url: string, release: 'older' | 'newer') => {
  const script = fileURLToPath(new URL('./newer-things.ts', import.meta.url))
  const made = spawn(process.execPath, ['--import', 'tsx', script, url, release], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => made.kill('SIGKILL'))
  const said: string[] = []
  createInterface({ input: made.stdout }).on('line', (line) => said.push(line))
  const ended = new Promise<number | null>((resolve) => made.once('close', resolve))
  return { said, ended, signal: (signal: NodeJS.Signals) => made.kill(signal) }
}

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}

const processes = (server: ReplicaSet): void => {
  test('a process that was asleep while its lease ran out writes nothing when it wakes, and ends', async (t) => {
    const url = server.url()
    // It may be asleep in the middle of a transaction, with all that this locks.
    const admin = (await server.client()).db('admin')
    await admin.command({ setParameter: 1, transactionLifetimeLimitSeconds: 2 })
    const before = child(t, url, 'older')
    await until(() => before.said.length > 60)
    before.signal('SIGSTOP')
    const after = await open(t, url, newerCollections)
    t.true((await after.commit([newer(3_000_000)])).ok)
    before.signal('SIGCONT')
    t.is(await before.ended, 1)
    t.regex(before.said.at(-1) ?? '', /^MongoDB: a newer release has taken the store over/)
    const acknowledged = before.said.map(Number).filter(Number.isSafeInteger)
    await stands(t, after, [3_000_000, ...acknowledged.map((number) => 1_000 + number)])
    const docs = await (await server.db(url)).collection(things.name).find().toArray()
    t.true(docs.every(({ _rev }) => generationOf(_rev) === 1))
  })

  test('a migration that is killed twice in the middle is repeated by the next process', async (t) => {
    const url = server.url()
    const before = await open(t, url, thingCollections)
    for (let first = 1; first <= 3_000; first += 500)
      await before.commit(
        Array.from({ length: 500 }, (_, index) => older(first + index, { active: index % 2 ? true : null })),
      )
    await before.close()
    const docs = (await server.db(url)).collection(things.name)
    const filled = () => docs.countDocuments({ shelf: { $exists: true } })
    const admin = (await server.client()).db('admin')
    const blocks = { failCommands: ['update'], blockConnection: true, blockTimeMS: 500, appName: 'filler' }
    await admin.command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data: blocks })
    for (const share of [1, 501]) {
      const filler = child(t, `${url}&appName=filler`, 'newer')
      await until(async () => (await filled()) >= share)
      filler.signal('SIGKILL')
      t.is(await filler.ended, null)
    }
    t.true((await filled()) < 3_000)
    await admin.command({ configureFailPoint: 'failCommand', mode: 'off' })
    const after = await open(t, url, newerCollections)
    t.is(await filled(), 3_000)
    t.is((await after.list(listed(always, 'live'))).total, 1_500)
    t.deepEqual((await verifyTallies(after, newerCollections)).faults, [])
  })
}

onReplicaSet(test, (server) => {
  takesOver(server)
  fences(server)
  inFlight(server)
  processes(server)
})
