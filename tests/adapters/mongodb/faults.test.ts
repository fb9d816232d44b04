import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { PROCESSES } from '../../../adapters/mongodb/layout/shape.ts'
import { always, type Change, eq, gte, insert, patch } from '../../../core/kernel/records/record.ts'
import { byId, groupOf, type Store, StoreUnavailable, StoreUnwritable } from '../../../core/ports/store.ts'
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
const faults = [...writeFaults, ...transactionFaults]

const PAYMENTS = 500

const stepDowns = (server: ReplicaSet): void => {
  test.serial('of 500 payments under faults, no acknowledged one is lost and none is paid twice', async (t) => {
    const { store, fail } = await open(t, server)
    await openAccounts(store)
    let armed = 0
    const numbers = Array.from({ length: PAYMENTS }, (_, index) => index + 1)
    const run = await pay(store, numbers, async (count) => {
      if (count % 5 !== 0) return
      await fail({ times: 1 + (armed % 3) }, faults[armed % faults.length])
      armed += 1
    })
    await fail('off')
    t.true(armed > 2 * faults.length)
    t.is(run.paid.size, PAYMENTS)
    await allAddsUp(t, store, run)
    t.log(`${run.rejected} rejections, ${run.doubtful} of ${run.spent + run.doubtful} spends in doubt`)
  })

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

const ACCOUNTS = ['a', 'b', 'c']
const PURSE = 'purse'
const PURSE_CENTS = 1_000_000

const accountOf = (number: number): string => ACCOUNTS[number % ACCOUNTS.length] ?? ''

/** A payment of several records with keys and tallies: an account, its entry, a claim and a thing. */
const payment = (number: number): readonly Change[] => [
  ...posting(accountOf(number), number, (number % 13) + 1),
  insert(claims, claim(`paid ${number}`)),
  insert(things, thing(number, { document: `d${number}`, status: 'open', valueCents: number })),
]

/** A single write without an id, so that a lost response leaves its outcome unknown. */
const spend = patch(accounts, PURSE, { add: { availableCents: -1, seq: 1 }, when: gte('availableCents', 1) })

interface Run {
  readonly paid: ReadonlySet<number>
  readonly spent: number
  /** Spends with a lost response. */
  readonly doubtful: number
  readonly rejected: number
}

const openAccounts = async (store: Store): Promise<void> => {
  await store.commit([
    ...ACCOUNTS.map((id) => insert(accounts, account(id))),
    insert(accounts, account(PURSE, { availableCents: PURSE_CENTS })),
  ])
}

const LANES = 16

/**
 * Pays all numbers, many at once, and spends once for every fourth. Retries while the store is unavailable, as a use
 * case does: a conflict then means that the payment was committed before.
 */
const pay = async (
  store: Store,
  numbers: readonly number[],
  onPaid: (count: number) => Promise<void>,
): Promise<Run> => {
  const paid = new Set<number>()
  const run = { paid, spent: 0, doubtful: 0, rejected: 0 }
  const queue = [...numbers]

  const commit = async (changes: readonly Change[]) => {
    try {
      return await store.commit(changes)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      run.rejected += 1
      return null
    }
  }
  const payOne = async (number: number): Promise<void> => {
    for (;;) {
      const outcome = await commit(payment(number))
      if (!outcome) continue
      if (!outcome.ok && !('conflict' in outcome)) throw new Error(`${number}: ${JSON.stringify(outcome)}`)
      paid.add(number)
      await onPaid(paid.size)
      return
    }
  }
  const lane = async (): Promise<void> => {
    for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
      await payOne(number)
      if (number % 4 !== 0) continue
      if ((await commit([spend]))?.ok) run.spent += 1
      else run.doubtful += 1
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return run
}

const allAddsUp = async (t: ExecutionContext, store: Store, run: Run): Promise<void> => {
  for (const number of run.paid) {
    const facts = await store.read({
      entry: byId(entries, number),
      claim: byId(claims, `paid ${number}`),
      thing: byId(things, number),
    })
    t.true(facts.entry !== null && facts.claim !== null && facts.thing !== null, `${number} was acknowledged`)
  }
  for (const id of ACCOUNTS) {
    const made = await statement(store, id)
    t.is(faultOf(made), null)
    const kept = await store.find(byId(accounts, id))
    t.is(kept?.seq, made.length)
    t.is(kept?.balanceCents, made.at(-1)?.balanceCents ?? 0)
  }
  t.is((await store.group(groupOf(entries, { where: always, by: [], sum: [] })))[0]?.count, run.paid.size)
  const sums = [...run.paid].reduce((sum, number) => sum + number, 0)
  const open = groupOf(things, { where: { eq: ['status', 'open'] }, when: 'live', by: [], sum: ['valueCents'] })
  t.deepEqual(await store.group(open), [{ by: {}, count: run.paid.size, sums: { valueCents: sums } }])
  const purse = await store.find(byId(accounts, PURSE))
  t.is((purse?.availableCents ?? 0) + (purse?.seq ?? 0), PURSE_CENTS)
  t.true((purse?.seq ?? 0) >= run.spent && (purse?.seq ?? 0) <= run.spent + run.doubtful)
}
