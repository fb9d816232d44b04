import { isLeft } from '../../fp.ts'
import { patch } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { nextRun } from '../../kernel/running/job.ts'
import { heldBy, type Queue, queueOf, settled } from '../../kernel/running/queue.ts'
import { type Decided, decideAndCommit, decided } from '../../kernel/running/use-case.ts'
import { addDays, startOfDay } from '../../kernel/values/day.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { readSlice, type Slice } from './due-charges.ts'
import { type Place, placeOf, type Reminders, reminders } from './reminders.ts'
import { tellPayer } from './tell-payer.ts'

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
    handle: async (claimed) => {
      const { clock, settings, store } = ports
      const now = clock.now()
      const place = placeOf(claimed, settings.alertsAt, now)
      if ('notBefore' in place) {
        await settled(store, reminders, claimed, { dueAt: place.notBefore, attempts: 0 })
        return
      }
      const reminded = await decideAndCommit(
        ports,
        async (reads): Promise<Facts> => {
          const { held, account } = await reads.read({
            held: byId(reminders, claimed.id),
            account: byId(accounts, claimed.id),
          })
          return { held, account, slice: await readSlice(reads, account, place, now) }
        },
        (facts, fresh) => decideReminders(ports, claimed, place, facts, fresh),
      )
      if (isLeft(reminded)) throw new Error(reminded.left.code)
    },
  })

interface Facts {
  readonly held: Reminders | null
  readonly account: Account | null
  readonly slice: Slice
}

/** What the payers of a slice are told, unless another process has claimed it since; the end for an account that is gone. */
export const decideReminders = (
  { cipher, settings }: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  claimed: Reminders,
  { day }: Place,
  { held, account, slice }: Facts,
  fresh: Fresh,
): Decided<null> => {
  if (held?.dueAt !== claimed.dueAt) return decided(null)
  const when = heldBy(claimed)
  if (!account || account.removedAt !== null) {
    return decided(null, patch(reminders, claimed.id, { set: { dueAt: null }, when }))
  }
  const { reminded, next } = slice
  const dueAt = next ? fresh.now : nextRun({ at: settings.alertsAt }, fresh.now)
  const set = { day, rule: next?.rule ?? null, afterId: next?.afterId ?? 0, dueAt, attempts: 0 }
  // What says "today" is not sent tomorrow.
  const expiresAt = startOfDay(addDays(day, 1))
  return decided(
    null,
    patch(reminders, claimed.id, { set, when }),
    ...reminded.flatMap(({ ways, ...about }) =>
      tellPayer(cipher, fresh, { ...about, account, paidCents: null, now: fresh.now, today: day }, ways, expiresAt),
    ),
  )
}
