import type { FaultOf } from '../../../adapters/memory/memory-store.ts'
import { always, type Change, type Collection, type Outcome, type Rec } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { refunds } from '../../../core/payments/charges/refund-records.ts'
import { restTitles } from '../../../core/payments/charges/rest-title.ts'
import { claims } from '../../../core/payments/claim.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { events } from '../../../core/payments/events.ts'
import { entries, journals, ledgerAccounts } from '../../../core/payments/ledger/ledger.ts'
import { links } from '../../../core/payments/links/link.ts'
import { memberships } from '../../../core/payments/members/membership.ts'
import { users } from '../../../core/payments/members/user.ts'
import { audit, mails, messages } from '../../../core/payments/office.ts'
import { openings } from '../../../core/payments/registrations/opening.ts'
import { splitShares } from '../../../core/payments/splits/share.ts'
import { splitReceivers } from '../../../core/payments/splits/split.ts'
import { transfers } from '../../../core/payments/transfers/transfer.ts'
import { deliveries } from '../../../core/payments/webhooks/deliveries.ts'
import { payOutSums } from '../../../core/payments/withdrawals/limits.ts'
import { withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import { listOf, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import type { Ground } from './environment.ts'
import { dies, type Life, never } from './life.ts'

const LONGEST_PAUSE_MS = 25
const MINUTE_MS = 60_000

const named = (changes: readonly Change[]): string =>
  changes.map(({ kind, at }) => `${kind} ${at[0].replace(/^.*\./, '')}/${at[1]}`).join(', ')

/** The store as one process reaches it: slow, lost at times, and the process dies in commits. */
export const storeLine = (ground: Ground, life: Life): Store => {
  const { store, agenda, dice, weather, watch, trace } = ground

  const pause = async (): Promise<void> => {
    if (dice.chance(weather.now.slowStore)) await agenda.wait(dice.between(1, LONGEST_PAUSE_MS))
    if (life.isOver()) await never()
  }
  const reading = async <A>(read: () => Promise<A>): Promise<A> => {
    await pause()
    if (dice.chance(weather.now.lostRead)) throw new StoreUnavailable('lost while reading')
    return read()
  }
  const commit: Store['commit'] = async (changes, hooks) => {
    await pause()
    const fate = ground.fates.of(life, 'commit')
    if (fate === 'before') return dies(life)
    const outcome = await store.commit(changes, hooks).finally(() => watch.committed(changes))
    trace.note(`${outcome.ok ? 'commit' : 'broken'} ${life.name}: ${named(changes)}`)
    if (fate === 'after') return dies(life)
    if (dice.chance(weather.now.sleep)) await agenda.wait(dice.between(MINUTE_MS, 10 * MINUTE_MS))
    await pause()
    return outcome
  }

  return {
    find: (ask) => reading(() => store.find(ask)),
    list: (ask) => reading(() => store.list(ask)),
    group: (ask) => reading(() => store.group(ask)),
    read: (asks) => reading(() => store.read(asks)),
    scan: (from, where) => store.scan(from, where),
    commit,
    reserve: (collection, count) => reading(() => store.reserve(collection, count)),
    returnIds: (collection, next, end) => reading(() => store.returnIds(collection, next, end)),
    close: async () => {},
  }
}

/** A store outside of the simulated time. */
export interface StoreOutside {
  readonly store: Store
  /** Reports whether a call is pending. */
  isAsked(): boolean
}

/** Wraps an outside store, so that its commits fail like those of the store in memory. */
export const storeOutside = (outside: Store, faultOf: FaultOf): StoreOutside => {
  let asked = 0
  const noted = async <A>(ask: () => Promise<A>): Promise<A> => {
    asked += 1
    try {
      return await ask()
    } finally {
      asked -= 1
    }
  }
  const commit: Store['commit'] = async (changes, hook): Promise<Outcome> => {
    const fault = faultOf(changes)
    const at = changes[0]?.at ?? ['nothing', 0]
    if (fault === 'stale') return { ok: false, stale: at }
    if (fault === 'conflict') return { ok: false, conflict: { collection: at[0], key: 'id' } }
    if (fault === 'crash-before') throw new StoreUnavailable('crashed before the commit')
    const outcome = await noted(() => outside.commit(changes, hook))
    if (fault === 'crash-after') throw new StoreUnavailable('crashed after the commit')
    return outcome
  }
  return {
    isAsked: () => asked > 0,
    store: {
      ...outside,
      find: (ask) => noted(() => outside.find(ask)),
      list: (ask) => noted(() => outside.list(ask)),
      group: (ask) => noted(() => outside.group(ask)),
      read: (asks) => noted(() => outside.read(asks)),
      reserve: (collection, count) => noted(() => outside.reserve(collection, count)),
      returnIds: (collection, next, end) => noted(() => outside.returnIds(collection, next, end)),
      commit,
    },
  }
}

const ALL = 1_000_000

/** Returns a reader of all collections that rereads only those written since. */
export const snapshots = (store: Store, dirty: Set<string>) => {
  // Promises: a concurrent reader waits for the read under way, and no older read replaces it.
  const known = new Map<string, Promise<readonly Rec[]>>()
  const all = async <R extends Rec>(from: Collection<R>): Promise<readonly R[]> => {
    const kept = known.get(from.name)
    if (kept && !dirty.has(from.name)) return (await kept) as readonly R[]
    dirty.delete(from.name)
    const reading = store.list(listOf(from, { where: always, limit: ALL })).then(({ records }) => records)
    known.set(from.name, reading)
    return (await reading) as readonly R[]
  }
  return async () => ({
    accounts: await all(accounts),
    auditChains: await all(audit.chains),
    auditEntries: await all(audit.entries),
    books: await all(ledgerAccounts),
    charges: await all(charges),
    claims: await all(claims),
    clients: await all(clients),
    deliveries: await all(deliveries),
    entries: await all(entries),
    events: await all(events),
    journals: await all(journals),
    links: await all(links),
    mails: await all(mails),
    memberships: await all(memberships),
    messages: await all(messages),
    openings: await all(openings),
    operations: await all(bankOperations),
    payOutSums: await all(payOutSums),
    refunds: await all(refunds),
    splitReceivers: await all(splitReceivers),
    splitShares: await all(splitShares),
    restTitles: await all(restTitles),
    transfers: await all(transfers),
    users: await all(users),
    withdrawals: await all(withdrawals),
  })
}

/** The records of the payments business. */
export type Snapshot = Awaited<ReturnType<ReturnType<typeof snapshots>>>
