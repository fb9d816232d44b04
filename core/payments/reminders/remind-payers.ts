import { type Change, check, patch } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { nextRun } from '../../kernel/running/jobs.ts'
import { applyOutcome, leaseGuard, type Queue, queueOf, type Report } from '../../kernel/running/queue.ts'
import { processEach } from '../../kernel/running/slices.ts'
import { accept, decideAndCommit, orThrow } from '../../kernel/running/use-case.ts'
import { addDays, type Instant, startOfDay } from '../../kernel/values/day.ts'
import { byId, type Store, StoreUnavailable } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { type Place, placeOf, type Reminders, reminders } from '../accounts/settings/reminders.ts'
import { type Charge, charges } from '../charges/charge.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Reminded, readSlice, type Slice } from './due-charges.ts'
import { type MessageQuota, readQuota } from './quota/message-quota.ts'
import { tellPayers } from './tell-payer.ts'

/** Longer than a slice takes under load. */
const SLICE_LEASE_SECONDS = 60
const SLICES_AT_ONCE = 4

/**
 * The queue of reminders: each account's day, slice by slice, from the hour of the daily schedules on. What a slice sends
 * and where the next one begins are one commit, so that a crash goes on where it was.
 * Source: decisions.md §3, Notification rules; §7, `ALERTS_AT`.
 */
export const reminderQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: reminders,
    leaseSeconds: SLICE_LEASE_SECONDS,
    atOnce: SLICES_AT_ONCE,
    handle: async (claimed, report) => {
      const { clock, settings, store } = ports
      const steady = clock.steady()
      const place = placeOf(claimed, settings.alertsAt, steady)
      if ('notBefore' in place) {
        await applyOutcome(store, reminders, claimed, { dueAt: place.notBefore, attempts: 0 })
        return
      }
      const readAll = (reads: Store) => readFacts(ports, reads, claimed, place, steady)
      const remind = (slice: (slice: Slice) => Slice) =>
        decideAndCommit(ports, readAll, ({ slice: whole, ...facts }, fresh) =>
          decideReminders(ports, claimed, place, { ...facts, slice: slice(whole) }, fresh),
        )
      try {
        orThrow(await remind((slice) => slice))
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error
        const { slice } = await readAll(store)
        const failed = await remindEach(ports, claimed, place, slice, report)
        // What none of them fails with by itself is nobody's own fault: all of it is tried again.
        if (failed === 0) throw error
        orThrow(await remind(() => ({ reminded: [], next: slice.next })))
      }
    },
  })

interface Facts {
  readonly held: Reminders | null
  readonly account: Account | null
  readonly slice: Slice
  readonly quota: MessageQuota
}

const readFacts = async (
  ports: PaymentsPorts,
  reads: Store,
  { id }: Reminders,
  place: Place,
  steady: Instant,
): Promise<Facts> => {
  const { held, account } = await reads.read({ held: byId(reminders, id), account: byId(accounts, id) })
  const slice = await readSlice(reads, account, place, steady)
  return { held, account, slice, quota: await readQuota(ports, reads, id, waysOf(slice.reminded)) }
}

const waysOf = (reminded: readonly Reminded[]) => reminded.flatMap(({ ways }) => ways)

/** A slice that cannot be told of at once, charge by charge: one that fails keeps the others from nothing. */
const remindEach = (
  ports: PaymentsPorts,
  claimed: Reminders,
  place: Place,
  { reminded }: Slice,
  report: Report,
): Promise<number> => {
  const ofCharge = (id: number) => reminded.filter(({ charge }) => charge.id === id)
  const about = [...new Map(reminded.map(({ charge }) => [charge.id, charge])).values()]
  const remind = async ({ id }: Charge) =>
    orThrow(
      await decideAndCommit(
        ports,
        async (reads) => ({
          ...(await reads.read({ held: byId(reminders, claimed.id), account: byId(accounts, claimed.id) })),
          quota: await readQuota(ports, reads, claimed.id, waysOf(ofCharge(id))),
        }),
        ({ held, account, quota }, fresh) => {
          if (held?.dueAt !== claimed.dueAt || !account || account.removedAt !== null) return accept(null)
          const isOurs = check(reminders, claimed.id, leaseGuard(claimed))
          return accept(null, isOurs, ...tellings(ports, account, place, { reminded: ofCharge(id), quota }, fresh))
        },
      ),
    )
  return processEach(charges, about, remind, report)
}

/** What the payers of a slice are told, unless another process has claimed it since; the end for an account that is gone. */
export const decideReminders = (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  claimed: Reminders,
  place: Place,
  { held, account, slice, quota }: Facts,
  fresh: Fresh,
) => {
  if (held?.dueAt !== claimed.dueAt) return accept(null)
  const when = leaseGuard(claimed)
  if (!account || account.removedAt !== null) {
    return accept(null, patch(reminders, claimed.id, { set: { dueAt: null }, when }))
  }
  const { reminded, next } = slice
  const dueAt = next ? fresh.steady : nextRun({ at: ports.settings.alertsAt }, fresh.steady)
  const set = { day: place.day, rule: next?.rule ?? null, afterId: next?.afterId ?? 0, dueAt, attempts: 0 }
  const told = tellings(ports, account, place, { reminded, quota }, fresh)
  return accept(null, patch(reminders, claimed.id, { set, when }), ...told)
}

const tellings = (
  { cipher, settings: { publicUrl } }: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  account: Account,
  { day }: Place,
  { reminded, quota }: { readonly reminded: readonly Reminded[]; readonly quota: MessageQuota },
  fresh: Fresh,
): readonly Change[] => {
  const { steady } = fresh
  const told = reminded.map(({ ways, ...about }) => ({
    about: { ...about, account, paidCents: null, publicUrl, steady, today: day },
    ways,
  }))
  // What says "today" is not sent tomorrow.
  const { counting, queuing } = tellPayers(cipher, fresh, quota, told, startOfDay(addDays(day, 1)))
  return [...counting, ...queuing]
}
