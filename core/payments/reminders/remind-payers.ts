import { all, type Change, check, eq, gt, isIn, patch } from '../../kernel/records/record.ts'
import { nextRun } from '../../kernel/running/jobs.ts'
import { applyOutcome, leaseGuard, type Queue, queueOf, type Report } from '../../kernel/running/queue.ts'
import { processEach } from '../../kernel/running/slices.ts'
import { accept, decideAndCommit, type Fresh, orThrow } from '../../kernel/running/use-case.ts'
import { addDays, type Day, type Instant, startOfDay } from '../../kernel/values/day.ts'
import { byId, type List, listOf, type Store, StoreUnavailable } from '../../ports/store.ts'
import {
  type Account,
  acceptsWrites,
  accounts,
  isExisting,
  type NotificationRule,
  type RuleName,
} from '../accounts/account.ts'
import {
  DUE_RULES,
  type DueRule,
  dueDateFor,
  nextReminderPosition,
  type ReminderPosition,
  type Reminders,
  reminders,
} from '../accounts/reminders.ts'
import { type Charge, charges, hasTitle, statusAt } from '../charges/charge.ts'
import { isPayerVeiled } from '../charges/detail.ts'
import { type Client, clients } from '../customers/client.ts'
import { EVENT_TYPES, type Event, type Subscriber, subscriber } from '../events.ts'
import { mails, messages } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type MessageQuota, readQuota } from './message-quota.ts'
import { type MessageTarget, queueMessages, readPayers, targetsOf } from './payer-messages.ts'

/** Exceeds the time of a slice under load. */
const SLICE_LEASE_SECONDS = 60
const SLICES_AT_ONCE = 4

/**
 * The queue of reminders. From the hour of the daily schedules on, it walks the reminders of each account slice by
 * slice. The messages of a slice and the start of the next one are one commit, so a crash repeats and skips nothing.
 */
export const reminderQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: reminders,
    leaseSeconds: SLICE_LEASE_SECONDS,
    atOnce: SLICES_AT_ONCE,
    handle: async (claimed, report) => {
      const { clock, settings, store } = ports
      const steady = clock.steady()
      const position = nextReminderPosition(claimed, settings.alertsAt, steady)
      if ('notBefore' in position) {
        await applyOutcome(store, reminders, claimed, { dueAt: position.notBefore, attempts: 0 })
        return
      }
      const readAll = (reads: Store) => readFacts(ports, reads, claimed, position, steady)
      const remind = (slice: (slice: Slice) => Slice) =>
        decideAndCommit(ports, readAll, ({ slice: whole, ...facts }, fresh) =>
          decideReminders(ports, claimed, position, { ...facts, slice: slice(whole) }, fresh),
        )
      try {
        orThrow(await remind((slice) => slice))
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error
        const { slice } = await readAll(store)
        const failed = await remindEach(ports, claimed, position, slice, report)
        // If no charge fails on its own, the whole slice is retried.
        if (failed === 0) throw error
        orThrow(await remind(() => ({ due: [], next: slice.next })))
      }
    },
  })

const readFacts = async (
  ports: PaymentsPorts,
  reads: Store,
  { id }: Reminders,
  position: ReminderPosition,
  steady: Instant,
) => {
  const { stored, account } = await reads.read({ stored: byId(reminders, id), account: byId(accounts, id) })
  const slice = await readSlice(reads, account, position, steady)
  return { stored, account, slice, quota: await readQuota(ports, reads, id, targetsIn(slice.due)) }
}

const targetsIn = (due: readonly DueReminder[]) => due.flatMap(({ targets }) => targets)

/** Commits a failing slice charge by charge, so that one does not block the others. Returns the number of failures. */
const remindEach = (
  ports: PaymentsPorts,
  claimed: Reminders,
  position: ReminderPosition,
  { due }: Slice,
  report: Report,
): Promise<number> => {
  const ofCharge = (id: number) => due.filter(({ charge }) => charge.id === id)
  const dueCharges = [...new Map(due.map(({ charge }) => [charge.id, charge])).values()]
  const remind = async ({ id }: Charge) =>
    orThrow(
      await decideAndCommit(
        ports,
        async (reads) => ({
          ...(await reads.read({ stored: byId(reminders, claimed.id), account: byId(accounts, claimed.id) })),
          quota: await readQuota(ports, reads, claimed.id, targetsIn(ofCharge(id))),
        }),
        ({ stored, account, quota }, fresh) => {
          if (stored?.dueAt !== claimed.dueAt || !isExisting(account)) return accept(null)
          const leased = check(reminders, claimed.id, leaseGuard(claimed))
          return accept(null, leased, ...queueReminders(ports, account, position, { due: ofCharge(id), quota }, fresh))
        },
      ),
    )
  return processEach(charges, dueCharges, remind, report)
}

/** Enqueues the messages of a slice, unless another process has claimed it. Reminders of removed accounts end. */
const decideReminders = (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  claimed: Reminders,
  position: ReminderPosition,
  { stored, account, slice, quota }: Awaited<ReturnType<typeof readFacts>>,
  fresh: Fresh,
) => {
  if (stored?.dueAt !== claimed.dueAt) return accept(null)
  const when = leaseGuard(claimed)
  if (!isExisting(account)) {
    return accept(null, patch(reminders, claimed.id, { set: { dueAt: null }, when }))
  }
  const { due, next } = slice
  const dueAt = next ? fresh.steady : nextRun({ at: ports.settings.alertsAt }, fresh.steady)
  const set = { day: position.day, rule: next?.rule ?? null, afterId: next?.afterId ?? 0, dueAt, attempts: 0 }
  const queued = queueReminders(ports, account, position, { due, quota }, fresh)
  return accept(null, patch(reminders, claimed.id, { set, when }), ...queued)
}

const queueReminders = (
  { cipher, settings: { publicUrl } }: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  account: Account,
  { day }: ReminderPosition,
  { due, quota }: { readonly due: readonly DueReminder[]; readonly quota: MessageQuota },
  fresh: Fresh,
): readonly Change[] => {
  const { steady } = fresh
  const payers = due.map(({ targets, ...about }) => ({
    about: { ...about, account, paidCents: null, publicUrl, steady, today: day },
    targets,
  }))
  // The texts say "today", so they expire at midnight.
  const { counting, queuing } = queueMessages(cipher, fresh, quota, payers, startOfDay(addDays(day, 1)))
  return [...counting, ...queuing]
}

/** The charges of a slice. With three channels each, they need a fraction of the changes of a commit. */
export const CHARGES_A_SLICE = 50

interface DueCharge {
  readonly name: DueRule
  readonly rule: NotificationRule
  readonly charge: Charge
}

/** A payer to remind of a charge, with the targets that got no message before. */
interface DueReminder extends DueCharge {
  readonly client: Client
  readonly targets: readonly MessageTarget[]
}

/** A part of an account's reminders of a day. */
interface Slice {
  readonly due: readonly DueReminder[]
  /** The start of the next slice; null after the last one. */
  readonly next: ReminderPosition | null
}

/** Lists the charges of an account with a due date, by id. */
export const dueOnDay = (accountId: number, dueDate: Day, afterId: number, limit: number): List<Charge> =>
  listOf(charges, {
    where: all(eq('accountId', accountId), eq('dueDate', dueDate), gt('id', afterId)),
    when: 'listed',
    sort: { by: 'dueDate', dir: 'asc' },
    limit,
  })

/** Lists the messages with these ids that were sent before. */
export const mailsOf = (ids: readonly string[]) => listOf(mails, { where: isIn('id', ids), limit: ids.length })
export const messagesOf = (ids: readonly string[]) => listOf(messages, { where: isIn('id', ids), limit: ids.length })

/**
 * Reports whether a rule may remind the payer of a charge: of a pending one with a title, and after the due day also of
 * an expired one, since a Pix expires at the end of its last day.
 */
export const isRemindable = (name: DueRule, charge: Charge, now: Instant): boolean => {
  const status = statusAt(charge, now)
  if (status === 'pending') return hasTitle(charge)
  return status === 'expired' && name === 'after_due'
}

/** Reads the next slice. An account that takes no writes sends no reminders. */
const readSlice = async (
  store: Store,
  account: Account | null,
  from: ReminderPosition,
  now: Instant,
): Promise<Slice> => {
  if (!account || !acceptsWrites(account)) return { due: [], next: null }
  const { found, next } = await readCharges(store, account, from)
  const remindable = found.filter(({ name, charge }) => isRemindable(name, charge, now))
  const owed = remindable.map(({ charge }) => charge)
  const payers = await readPayers(store, owed)
  const due = remindable.flatMap((each): readonly DueReminder[] => {
    const client = payers.get(each.charge.clientId)
    const cause = `${each.charge.id}|${each.name}|${from.day}`
    const isReachable = client && !isPayerVeiled({ charge: each.charge, client })
    return isReachable ? [{ ...each, client, targets: targetsOf({ client, rule: each.rule }, cause) }] : []
  })
  const sent = await readSentIds(store, due)
  const unsent = due.map((each) => ({ ...each, targets: each.targets.filter(({ id }) => !sent.has(id)) }))
  return { due: unsent.filter(({ targets }) => targets.length > 0), next }
}

const readCharges = async (
  store: Store,
  { id: accountId, notificationRules }: Account,
  { day, rule: first, afterId }: ReminderPosition,
): Promise<{ readonly found: readonly DueCharge[]; readonly next: ReminderPosition | null }> => {
  const found: DueCharge[] = []
  for (const name of DUE_RULES.slice(DUE_RULES.indexOf(first))) {
    const rule = notificationRules?.[name]
    if (!rule?.enabled || rule.channels.length === 0) continue
    const room = CHARGES_A_SLICE - found.length
    const after = name === first ? afterId : 0
    const { records } = await store.list(dueOnDay(accountId, dueDateFor(name, rule, day), after, room))
    found.push(...records.map((charge) => ({ name, rule, charge })))
    const last = records.at(-1)
    if (last && records.length === room) return { found, next: { day, rule: name, afterId: last.id } }
  }
  return { found, next: null }
}

/** Reads the ids of earlier messages: after a change of rules, the walk of a day may meet a charge again. */
const readSentIds = async (store: Store, due: readonly DueReminder[]): Promise<ReadonlySet<string>> => {
  const ids = due.flatMap(({ targets }) => targets.map(({ id }) => id))
  if (ids.length === 0) return new Set()
  const { mailed, sent } = await store.read({ mailed: mailsOf(ids), sent: messagesOf(ids) })
  return new Set([...mailed.records, ...sent.records].map(({ id }) => id))
}

const RULE_OF_EVENT: Readonly<Partial<Record<Event['type'], RuleName>>> = {
  'charge.created': 'on_creation',
  'charge.paid': 'on_payment',
  'charge.partially_paid': 'on_payment',
  'charge.updated': 'on_update',
  'charge.refunded': 'on_update',
  'charge.deleted': 'on_delete',
}

/** Sends the payer the messages that the account's rules have for an event, one for each channel. */
export const ruleSubscriber = (ports: Pick<PaymentsPorts, 'cipher' | 'clock' | 'settings'>): Subscriber =>
  subscriber({
    name: 'rules',
    types: EVENT_TYPES.filter((type) => RULE_OF_EVENT[type] !== undefined),
    read: async (store, event) => {
      const fired = await readFiredRule(store, event)
      if (!fired) return null
      const targets = targetsOf(fired, event.id)
      return { fired, targets, quota: await readQuota(ports, store, event.accountId, targets) }
    },
    concerns: (_, facts) => facts !== null,
    decide({ amountPaidCents }, facts, fresh) {
      if (!facts) return []
      const { fired, targets, quota } = facts
      const { steady, today } = fresh
      const about = { ...fired, paidCents: amountPaidCents, publicUrl: ports.settings.publicUrl, steady, today }
      const { counting, queuing } = queueMessages(ports.cipher, fresh, quota, [{ about, targets }])
      return [...counting, ...queuing]
    },
  })

/** Reads the rule that an event fires, with its charge and payer; null if it fires none. */
const readFiredRule = async (store: Store, { type, accountId, subjectId }: Event) => {
  const name = RULE_OF_EVENT[type]
  if (name === undefined) return null
  const account = await store.find(byId(accounts, accountId))
  // The pages of a removed account, to which the messages link, no longer exist.
  const rule = isExisting(account) ? account.notificationRules?.[name] : null
  if (!account || !rule?.enabled) return null
  const charge = await store.find(byId(charges, subjectId))
  const client = charge && (await store.find(byId(clients, charge.clientId)))
  // The caller of a payment link may name any client, so that client gets no automatic message.
  return charge && client && !isPayerVeiled({ charge, client }) ? { name, rule, account, charge, client } : null
}
