import test, { type ExecutionContext } from 'ava'
import type { ServerSessionId } from 'mongodb'
import { MAX_BATCHES } from '../../../adapters/mongodb/commits.ts'
import type { MongoStore } from '../../../adapters/mongodb/mod.ts'
import { always, type Change, insert, patch } from '../../../core/kernel/records/record.ts'
import { byId } from '../../../core/ports/store.ts'
import { claim, claims, thing, thingCollections, things } from '../../fixtures/things.ts'
import { quick } from './newer-things.ts'
import { type NetworkProxy, proxied } from './proxy.ts'
import { onReplicaSet, openUntilEnd, type ReplicaSet } from './replica-set.ts'

interface Lease {
  readonly generation: number
  readonly until: Date
  readonly sessions?: readonly ServerSessionId[]
}

const note = (text: string): Change => patch(claims, 'a', { set: { note: text }, when: always })

const place = async (server: ReplicaSet) => {
  const url = server.url()
  const client = await server.client()
  const db = await server.db(url)
  const leases = db.collection<Lease>('_processes')
  /** Reports whether a transaction has locked the record: a write of another transaction then fails at once. */
  const isLocked = async (): Promise<boolean> => {
    const session = client.startSession()
    session.startTransaction()
    const write = db.collection<{ _id: string }>(claims.name).updateOne({ _id: 'a' }, { $set: { x: 1 } }, { session })
    const outcome = await write.then(
      () => false,
      ({ code }) => code === 112,
    )
    await session.endSession()
    return outcome
  }
  const endLeases = () => leases.updateMany({}, { $set: { until: new Date(0) } })
  return { url, client, db, leases, isLocked, endLeases }
}

/** A store over a network that can be cut. It renews its lease only every minute. */
const network = async (t: ExecutionContext, url: string) => {
  const { proxy, url: through } = await proxied(t, url)
  const openOver = (voidMs: number) =>
    openUntilEnd(t, through, thingCollections, quick({ lease: { renewMs: 60_000, voidMs } }))
  return { proxy, openOver }
}

const overProxy = async (t: ExecutionContext, url: string) => {
  const { proxy, openOver } = await network(t, url)
  const store = await openOver(60_000)
  await store.commit([insert(claims, claim('a')), insert(things, thing(1))])
  return { proxy, store }
}

/** Stops a transaction after its first write, as if its process had been killed. */
const stopInTransaction = async (proxy: NetworkProxy, store: MongoStore, id: number) => {
  const held = proxy.hold('insert')
  const late = store.commit([note('late'), insert(things, thing(id))])
  await held
  return { late }
}

const ends = (server: ReplicaSet): void => {
  const writes: readonly (readonly [what: string, changes: readonly Change[]])[] = [
    ['a write by itself', [note('ours')]],
    ['a transaction', [note('ours'), insert(claims, claim('b'))]],
  ]
  for (const [what, changes] of writes) {
    test(`${what} of a new process is not blocked by a killed process whose lease has expired`, async (t) => {
      const { url, isLocked, endLeases } = await place(server)
      const { proxy, store } = await overProxy(t, url)
      const { late } = await stopInTransaction(proxy, store, 9)
      t.true(await isLocked())
      await endLeases()
      const other = await openUntilEnd(t, url, thingCollections, quick())
      t.false(await isLocked())
      t.true((await other.commit(changes)).ok)
      t.like(await other.find(byId(claims, 'a')), { note: 'ours' })
      t.is(await other.find(byId(things, 9)), null)
      // The first process was only suspended, and repeats its transaction.
      proxy.release()
      t.true((await late).ok)
      t.like(await other.find(byId(claims, 'a')), { note: 'late' })
      t.not(await other.find(byId(things, 9)), null)
    })

    test(`${what} that waits for a record of a killed process succeeds when the lease has expired`, async (t) => {
      const { url, isLocked, endLeases } = await place(server)
      const { proxy, store } = await overProxy(t, url)
      const other = await openUntilEnd(t, url, thingCollections, quick())
      const { late } = await stopInTransaction(proxy, store, 9)
      t.true(await isLocked())
      const waiting = other.commit(changes)
      await endLeases()
      t.true((await waiting).ok)
      proxy.release()
      t.true((await late).ok)
    })
  }
}

const wakes = (server: ReplicaSet): void => {
  test('a process that was suspended at its start for longer than its lease starts', async (t) => {
    const { url } = await place(server)
    const { proxy, openOver } = await network(t, url)
    const held = proxy.hold('commitTransaction')
    const opening = openOver(1)
    await held
    const other = await openUntilEnd(t, url, thingCollections, quick())
    proxy.release()
    const store = await opening
    t.true((await store.commit([insert(claims, claim('a')), insert(things, thing(1))])).ok)
    t.not(await other.find(byId(claims, 'a')), null)
  })
}

const names = (server: ReplicaSet): void => {
  test('a lease has the sessions of its process, and new ones before their first write', async (t) => {
    const { url, leases } = await place(server)
    const { proxy, store } = await overProxy(t, url)
    const named = async () => ((await leases.findOne({}))?.sessions ?? []).map(({ id }) => id.toString('hex'))
    const before = await named()
    t.is(new Set(before).size, MAX_BATCHES + 1)
    const { late } = await stopInTransaction(proxy, store, 9)
    proxy.cut()
    proxy.release()
    proxy.heal()
    // The retry uses the same session.
    t.true((await late).ok)
    t.deepEqual(await named(), before)
    t.true((await store.commit([note('y'), insert(things, thing(3))])).ok)
    const after = await named()
    t.is(after.length, before.length + 1)
    const missing = before.filter((id) => !after.includes(id))
    t.deepEqual(missing, [])
  })

  for (const [name, fields] of [
    ['0.4.0', {}],
    ['a process without sessions', { sessions: [] }],
  ] as const)
    test(`an expired lease of ${name} has no sessions: it is removed, and no session is ended`, async (t) => {
      const { url, client, db, leases } = await place(server)
      await (await openUntilEnd(t, url, thingCollections, quick())).commit([insert(claims, claim('a'))])
      const session = client.startSession()
      session.startTransaction()
      await db.collection<{ _id: string }>(claims.name).updateOne({ _id: 'a' }, { $set: { x: 1 } }, { session })
      const { insertedId } = await leases.insertOne({ generation: 0, until: new Date(0), ...fields })
      await openUntilEnd(t, url, thingCollections, quick())
      t.is(await leases.findOne({ _id: insertedId }), null)
      await t.notThrowsAsync(session.commitTransaction())
      await session.endSession()
    })
}

onReplicaSet(test, (server) => {
  ends(server)
  wakes(server)
  names(server)
})
