import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { PROCESSES } from '../../../adapters/mongodb/layout/shape.ts'
import { always, eq, insert, patch } from '../../../core/kernel/records/record.ts'
import { byId, StoreUnavailable, StoreUnwritable } from '../../../core/ports/store.ts'
import { faultOf, posting, statement } from '../../contracts/store/commits.ts'
import { account, accounts, claim, claims, entries, thing, thingCollections, things } from '../../fixtures/things.ts'
import { COMMIT, type FailPoint, LOST, transactionFaults, UNKNOWN, WRITES, writeFaults } from './fail-points.ts'
import { onReplicaSet, openUntilEnd, type ReplicaSet } from './replica-set.ts'

type Mode = 'off' | 'alwaysOn' | { readonly times: number }

// The server sends no state change for a planted fault, so the client must poll it.
const QUICK = '&serverMonitoringMode=poll&heartbeatFrequencyMS=500&minHeartbeatFrequencyMS=10'

/** Each store has its own name, so that its faults do not affect other stores. */
let names = 0

/** Long, so that the renewal of a lease does not consume a fault. */
const LONG = { renewMs: 60_000, voidMs: 120_000 }

const open = async (t: ExecutionContext, server: ReplicaSet, more = '', lease = LONG) => {
  names += 1
  const appName = `store${names}`
  const url = `${server.url()}&appName=${appName}${QUICK}${more}`
  const store = await openUntilEnd(t, url, thingCollections, { lease })
  const admin = (await server.client()).db('admin')
  const fail = async (mode: Mode, data?: FailPoint): Promise<void> => {
    await admin.command({ configureFailPoint: 'failCommand', mode, ...(data && { data: { ...data, appName } }) })
  }
  t.teardown(() => fail('off'))
  return { store, fail, url }
}

const OUT_OF_DISK_SPACE = 14031

const stepDowns = (server: ReplicaSet): void => {
  for (const failCommands of [WRITES, COMMIT])
    test.serial(`a full disk (${failCommands[0]}) rejects commits and can be read`, async (t) => {
      const { store, fail } = await open(t, server)
      await store.commit([insert(claims, claim('a'))])
      await fail('alwaysOn', { failCommands, errorCode: OUT_OF_DISK_SPACE })
      const changes = [insert(claims, claim('b')), insert(claims, claim('c'))]
      await t.throwsAsync(store.commit(changes), { instanceOf: StoreUnwritable })
      t.is((await store.find(byId(claims, 'a')))?.id, 'a')
      t.is(await store.find(byId(claims, 'b')), null)
      await fail('off')
      t.true((await store.commit(changes)).ok)
    })

  test.serial('a single write survives a transient fault', async (t) => {
    const { store, fail } = await open(t, server)
    await store.commit([insert(accounts, account('a'))])
    const count = patch(accounts, 'a', { add: { seq: 1 }, when: always })
    for (const [index, fault] of writeFaults.entries()) {
      await fail({ times: 1 }, fault)
      t.true((await store.commit([count])).ok, JSON.stringify(fault))
      await fail('off')
      t.is((await store.find(byId(accounts, 'a')))?.seq, index + 1, JSON.stringify(fault))
    }
  })

  test.serial('a transaction survives transient faults, also of several requests to commit', async (t) => {
    const { store, fail } = await open(t, server)
    await store.commit([insert(accounts, account('a'))])
    for (const [index, fault] of transactionFaults.entries()) {
      for (const times of [1, 3]) {
        const number = index * 2 + (times === 1 ? 1 : 2)
        await fail({ times }, fault)
        const outcome = await store.commit(posting('a', number, 1))
        t.true(outcome.ok, JSON.stringify([times, fault, outcome]))
        await fail('off')
        t.is((await store.find(byId(accounts, 'a')))?.seq, number, JSON.stringify([times, fault]))
      }
    }
    t.is(faultOf(await statement(store, 'a')), null)
  })

  test.serial('a commit of unknown outcome is unavailable, and had its effect once or not at all', async (t) => {
    const { store, fail } = await open(t, server)
    await store.commit([insert(accounts, account('a'))])
    await fail('alwaysOn', { failCommands: COMMIT, writeConcernError: LOST, errorLabels: UNKNOWN })
    await t.throwsAsync(store.commit(posting('a', 1, 1)), {
      instanceOf: StoreUnavailable,
      message: /outcome of the commit is unknown/,
    })
    await fail('off')
    // It was committed: a retry conflicts with its own entry.
    t.deepEqual(await store.commit(posting('a', 1, 1)), {
      ok: false,
      conflict: { collection: entries.name, key: 'id' },
    })
    t.is((await store.find(byId(accounts, 'a')))?.seq, 1)
  })
}

const forms = (server: ReplicaSet): void => {
  test.serial('a commit of one record is a single write without a transaction', async (t) => {
    const { store, fail } = await open(t, server)
    await fail('alwaysOn', { failCommands: COMMIT, errorCode: 8000 })
    t.true((await store.commit([insert(claims, claim('x'))])).ok)
    t.true((await store.commit([patch(claims, 'x', { set: { note: 'y' }, when: eq('note', null) })])).ok)
    t.true((await store.commit([insert(claims, claim('z'))], () => [])).ok)
    await t.throwsAsync(store.commit([insert(claims, claim('a')), insert(claims, claim('b'))]))
    await t.throwsAsync(store.commit([insert(things, thing(1))]), undefined, 'it has tallies')
    await fail('off')
    t.is(await store.find(byId(claims, 'a')), null)
    t.is((await store.find(byId(claims, 'x')))?.note, 'y')
  })
}

const crowds = (server: ReplicaSet): void => {
  // Long enough for opening the store, which uses the same pool, on a busy machine.
  test.serial('an exhausted pool returns correct results or rejects', async (t) => {
    const { store, fail } = await open(t, server, '&maxPoolSize=2&waitQueueTimeoutMS=2000')
    await store.commit([insert(claims, claim('x', { note: 'here' }))])
    await fail('alwaysOn', { failCommands: ['find'], blockConnection: true, blockTimeMS: 700 })
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => store.find(byId(claims, 'x'))))
    const rejected = results.filter((one) => one.status === 'rejected')
    for (const one of rejected) t.true(one.reason instanceof StoreUnavailable, String(one.reason))
    for (const one of results) if (one.status === 'fulfilled') t.is(one.value?.note, 'here')
    t.true(rejected.length > 0 && rejected.length < results.length)
    await fail('off')
    t.is((await store.find(byId(claims, 'x')))?.note, 'here')
  })

  test.serial('a lease whose renewal is under way while the store is closed stays removed', async (t) => {
    const { store, fail, url } = await open(t, server, '', { renewMs: 20, voidMs: 120_000 })
    await fail('alwaysOn', { failCommands: ['update'], blockConnection: true, blockTimeMS: 500 })
    await sleep(100)
    await store.close()
    await sleep(600)
    const leases = (await server.db(url)).collection(PROCESSES)
    t.is(await leases.countDocuments(), 0)
  })
}

onReplicaSet(test, (server) => {
  stepDowns(server)
  forms(server)
  crowds(server)
})
