// Runs in test:long only.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { timeoutFor } from '../../../adapters/mongodb/connection.ts'
import { generationOf, validatorOf } from '../../../adapters/mongodb/layout/document.ts'
import { type MongoOptions, type MongoStore, mongoStore } from '../../../adapters/mongodb/mod.ts'
import { fence } from '../../../adapters/mongodb/schema/open.ts'
import {
  type AnyCollection,
  always,
  type Change,
  type Collection,
  eq,
  insert,
  patch,
  type Rec,
  remove,
} from '../../../core/kernel/records/record.ts'
import { verifyKeys, verifyTallies } from '../../../core/kernel/running/verify.ts'
import { byId, byKey, type List, listOf, StoreUnavailable } from '../../../core/ports/store.ts'
import { claim, claims, type Thing, thing, thingCollections, things } from '../../fixtures/things.ts'
import { some } from '../../size.ts'
import { newerCollections, newerThings, quick, shelfOf } from './newer-things.ts'
import { proxied } from './proxy.ts'
import { onReplicaSet, openUntilEnd, type ReplicaSet } from './replica-set.ts'

const open = (t: ExecutionContext, url: string, collections: readonly AnyCollection[], more?: MongoOptions) =>
  openUntilEnd(t, url, collections, quick(more))

const older = (id: number, fields: Partial<Thing> = {}): Change =>
  insert(things, thing(id, { valueCents: 1, ...fields }))
const newer = (id: number): Change =>
  insert(newerThings as never, { ...thing(id, { valueCents: 1 }), shelf: shelfOf(id) })
/** Of a process that is there, believes its lease to be good, and learns of nothing by itself. */
const DEAF = { renewMs: 60_000, voidMs: 60_000 }
const unavailable = { instanceOf: StoreUnavailable }

const listed = (where: object, when?: string, limit = 500): List<Rec> =>
  ({ kind: 'list', from: newerThings, where, limit, total: true, ...(when && { when }) }) as never

/** All that a store of the newer release must say of these ids, once all is made. */
const stands = async (t: ExecutionContext, store: MongoStore, ids: readonly number[]): Promise<void> => {
  const { records, total } = await store.list(listed(always))
  const known = records.map(({ id }) => id)
  t.deepEqual(
    ids.filter((id) => !known.includes(id)),
    [],
  )
  t.is(total, records.length)
  for (const record of records) t.is(record.shelf, shelfOf(record.id))
  for (const shelf of ['s0', 's1', 's2'])
    t.is(
      (await store.list(listed(eq('shelf', shelf)))).total,
      records.filter((record) => record.shelf === shelf).length,
    )
  t.is(
    (await store.list(listed(always, 'live'))).total,
    records.filter(({ active, removedAt }) => active === null && removedAt === null).length,
  )
  t.deepEqual((await verifyTallies(store, newerCollections)).faults, [])
}

const takesOver = (server: ReplicaSet): void => {
  test('an older process finishes what it has in hand, writes no more and says so; the newer one serves', async (t) => {
    const url = server.url()
    const lines: string[] = []
    const before = await open(t, url, thingCollections, { superseded: (line) => lines.push(line) })
    const taken: number[] = []
    const writing = (async () => {
      for (let id = 1; ; id += 1) {
        const outcome = await before.commit([older(id)]).catch((error: unknown) => error)
        if (outcome instanceof StoreUnavailable) return
        taken.push(id)
      }
    })()
    while (taken.length < 20) await new Promise((resolve) => setTimeout(resolve, 5))
    const after = await open(t, url, newerCollections)
    await writing
    await t.throwsAsync(before.commit([older(9_999)]), unavailable)
    t.is(lines.length, 1)
    // Its indexes may have been dropped.
    await t.throwsAsync(before.find(byId(things, 1)), unavailable)
    t.regex(lines[0] ?? '', /^MongoDB: a newer release has taken the store over: .*[^\n]$/)
    t.true((await after.commit([newer(10_000)])).ok)
    await stands(t, after, [...taken, 10_000])
  })

  test('a process of the former release serves beside one that adds fields and indexes', async (t) => {
    const url = server.url()
    const lines: string[] = []
    const extended: AnyCollection = {
      ...things,
      codec: newerThings.codec,
      indexes: [...(things.indexes ?? []), { sort: 'shelf' }],
    }
    const before = await open(t, url, thingCollections, { superseded: (line) => lines.push(line) })
    await before.commit([older(1)])
    const after = await open(t, url, [extended, ...thingCollections.slice(1)])
    t.true((await after.commit([patch(extended as never, 1, { set: { shelf: 'a' } as never, when: always })])).ok)
    t.true((await before.commit([patch(things, 1, { set: { name: 'b' }, when: always })])).ok)
    t.true((await before.commit([older(2)])).ok)
    t.like(await after.find(byId(extended as never, 1)), { shelf: 'a', name: 'b' })
    t.like(await after.find(byId(extended as never, 2)), { shelf: null })
    t.deepEqual((await verifyTallies(after, [extended])).faults, [])
    t.deepEqual(lines, [])
    await t.throwsAsync(mongoStore(url, thingCollections, quick()), {
      message: /a newer release has written this store/,
    })
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

const filling = (server: ReplicaSet): void => {
  test('releases that follow each other leave the parts of the last one', async (t) => {
    const url = server.url()
    const first = await open(t, url, [{ ...things, keys: {} }])
    const ids = Array.from({ length: 900 }, (_, index) => index + 1)
    for (const from of [0, 450])
      await first.commit(ids.slice(from, from + 450).map((id) => older(id, { code: `c${id % 890}`, size: id % 3 })))
    const bys = [['status'], ['size'], ['size', 'status'], ['active', 'size'], ['name'], ['size']] as const
    // No two of them are alike, and what one gives up another brings back.
    const releases = bys.map(
      (by, round): Collection<Thing> => ({
        ...things,
        conditions: { ...things.conditions, live: eq('size', round % 2) },
        keys: round % 2 === 0 ? {} : { code: ({ code }) => code },
        tallies: [...(things.tallies ?? []).slice(round % 3), { by, sum: ['valueCents'] }],
      }),
    )
    for (const [round, table] of releases.entries()) {
      const store = await open(t, url, [table])
      const writes = ids.slice(round * 20, round * 20 + 20)
      const outcomes = writes.map((id) => store.commit([patch(table, id, { add: { valueCents: id }, when: always })]))
      for (const { ok } of await Promise.all(outcomes)) t.true(ok)
    }
    const [last] = releases.slice(-1) as [Collection<Thing>]
    const store = await open(t, url, [last])
    t.deepEqual((await verifyTallies(store, [last])).faults, [])
    const live = listOf(last, { where: always, when: 'live', limit: 1, total: true })
    const sized = listOf(last, { where: eq('size', 1), limit: 1, total: true })
    t.is((await store.list(live)).total, (await store.list(sized)).total)
    for (const id of [1, 5, 890]) t.is((await store.find(byKey(last, 'code', `c${id % 890}`)))?.id, id)
    t.is((await verifyKeys(store, [last])).faults.length, 10)
    // Nothing lies there of what was given up.
    const ofTallies = (await server.db(url)).collection<{ _id: string }>(`${things.name}_tallies`)
    const numbers = new Set((await ofTallies.find().toArray()).map(({ _id }) => _id.split('[')[0]))
    t.is(numbers.size, last.tallies?.length ?? 0)
  })

  test('a migration leaves the unique index of a later generation, whose process may have taken over', async (t) => {
    const url = server.url()
    const first = await open(t, url, [things])
    await first.commit([older(1)])
    await first.close()
    const collection = (await server.db(url)).collection(things.name)
    const partialFilterExpression = { '_keys.email_99': { $exists: true } }
    await collection.createIndex(
      { '_keys.email_99': 1 },
      { name: 'key email_99', unique: true, partialFilterExpression },
    )
    await open(t, url, [{ ...things, keys: {} }])
    const unique = (await collection.indexes()).map(({ name }) => name).filter((name) => name?.startsWith('key '))
    t.deepEqual(unique, ['key email_99'])
  })

  test('a key that was given up and comes again is filled with what the records are then', async (t) => {
    const url = server.url()
    const keyless: AnyCollection = { ...things, keys: {} }
    const first = await open(t, url, [things])
    await first.commit([older(1, { code: 'a' }), older(2, { code: 'b' }), older(3)])
    await first.close()
    const second = await open(t, url, [keyless])
    const code = (id: number, to: string): Change =>
      patch(keyless as never, id, { set: { code: to } as never, when: always })
    t.true((await second.commit([code(1, 'b'), code(2, 'a'), code(3, 'a')])).ok)
    const indexes = async () => (await (await server.db(url)).collection(things.name).indexes()).map(({ name }) => name)
    t.false((await indexes()).some((name) => name?.startsWith('key ')))
    await second.close()
    const third = await open(t, url, [things])
    t.is((await third.find(byKey(things, 'code', 'a')))?.id, 2)
    t.is((await third.find(byKey(things, 'code', 'b')))?.id, 1)
    const taken = { ok: false, conflict: { collection: things.name, key: 'code' } } as const
    t.deepEqual(await third.commit([older(4, { code: 'a' })]), taken)
    t.true((await third.commit([patch(things, 3, { add: { valueCents: 1 }, when: always })])).ok)
    t.is((await third.find(byKey(things, 'code', 'a')))?.id, 2)
    t.true((await third.commit([remove(things, 2, always)])).ok)
    t.true((await third.commit([older(4, { code: 'a' })])).ok)
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
  filling(server)
  inFlight(server)
  processes(server)
})
