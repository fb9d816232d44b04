import { isLeft, right } from '../../failure.ts'
import { all, type Change, ensure, eq, gt, patch } from '../../kernel/records/record.ts'
import type { JobRow } from '../../kernel/running/jobs.ts'
import { leaseGuard, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { freshOf } from '../../kernel/running/use-case.ts'
import { addDays, addSeconds, dayOf } from '../../kernel/values/day.ts'
import type { Movements } from '../../ports/bank.ts'
import { groupOf, listOf } from '../../ports/store.ts'
import { notify } from '../inbox/inbox.ts'
import { adminsOf } from '../members/membership.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { compareSlice } from './compare.ts'
import {
  countsOf,
  differences,
  FIRST_POSITION,
  type Position,
  type Reconciliation,
  type Run,
  reconciliations,
  STORED_SECONDS,
} from './records.ts'

/** Exceeds the time of a slice, including the requests for single movements. */
const LEASE_SECONDS = 300
const FIRST_WAIT_SECONDS = 60
const LONGEST_WAIT_SECONDS = 3_600
/** About a day of retries; then the comparison ends. The next day has one of its own. */
const MAX_UNANSWERED = 30

/** Starts the comparison of the day before, daily at `alertsAt`, if the bank lists movements. */
export const reconciliationJob = ({ bank, settings, store }: PaymentsPorts): JobRow => ({
  name: 'reconcile-bank',
  schedule: { at: settings.alertsAt },
  run: async ({ steady }) => {
    const day = addDays(dayOf(steady), -1)
    const started = { dueAt: steady, attempts: 0, place: null, unanswered: 0, createdAt: steady, expiresAt: null }
    if (bank.movements) await store.commit([ensure(reconciliations, { ...started, id: day })])
    return null
  },
})

/** The queue of comparisons. Each slice commits its differences together with the position of the next slice. */
export const reconciliationQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: reconciliations,
    leaseSeconds: LEASE_SECONDS,
    atOnce: 1,
    handle: async (claimed) => {
      const { movements } = ports.bank
      const run: Run = { id: `day ${claimed.id}`, day: claimed.id }
      const slice = movements ? await compareOrNotify(ports, movements, run, positionOf(claimed)) : NOTHING_LEFT
      const { changes, set } = isLeft(slice) ? postpone(ports, claimed) : advance(ports, slice.right)
      await ports.store.commit([...changes, patch(reconciliations, claimed.id, { set, when: leaseGuard(claimed) })])
    },
  })

/** After the comparison, the accounts are notified one by one. The phase `tell` is a stored name. */
type ScheduledPosition = Position | { readonly phase: 'tell'; readonly after: number }

const NOTHING_LEFT = right({ changes: [], next: null })
const NOTIFY_FIRST = { phase: 'tell', after: 0 } as const

const positionOf = ({ place }: Reconciliation): ScheduledPosition =>
  place === null ? FIRST_POSITION : JSON.parse(place)

const compareOrNotify = async (ports: PaymentsPorts, bank: Movements, run: Run, place: ScheduledPosition) => {
  if (place.phase === 'tell') return right(await notifyNextAccount(ports, run, place.after))
  const slice = await compareSlice(ports, bank, run, place)
  return isLeft(slice) ? slice : right({ changes: slice.right.changes, next: slice.right.next ?? NOTIFY_FIRST })
}

interface SliceResult {
  readonly changes: readonly Change[]
  readonly next: ScheduledPosition | null
}

const advance = ({ clock }: PaymentsPorts, { changes, next }: SliceResult) => {
  const steady = clock.steady()
  const ends = { place: null, dueAt: null, expiresAt: addSeconds(steady, STORED_SECONDS) }
  const set = next === null ? ends : { place: JSON.stringify(next), dueAt: steady }
  return { changes, set: { ...set, attempts: 0, unanswered: 0 } }
}

const postpone = ({ clock, log }: PaymentsPorts, { id: day, unanswered }: Reconciliation) => {
  const steady = clock.steady()
  const count = unanswered + 1
  if (count === 1 || count === MAX_UNANSWERED)
    log.warn('the bank does not list its movements', { day, attempts: count })
  const wait = Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** unanswered)
  const ends = { dueAt: null, expiresAt: addSeconds(steady, STORED_SECONDS) }
  const set = count < MAX_UNANSWERED ? { dueAt: addSeconds(steady, wait) } : ends
  return { changes: [], set: { ...set, attempts: 0, unanswered: count } }
}

/** Notifies the ADMINs of the next account with differences, once a day; at the end, logs those of unknown accounts. */
const notifyNextAccount = async (ports: PaymentsPorts, run: Run, after: number): Promise<SliceResult> => {
  const { store, log } = ports
  const rows = await store.group(
    groupOf(differences, {
      where: all(eq('runId', run.id), gt('accountId', after)),
      by: ['accountId', 'what'],
      sum: [],
    }),
  )
  const ids = rows.map(({ by }) => Number(by.accountId))
  if (ids.length === 0) {
    await warnOfUnownedPayments(ports, run)
    return { changes: [], next: null }
  }
  const accountId = Math.min(...ids)
  const { unreadable, ...counts } = countsOf(rows.filter(({ by }) => by.accountId === accountId))
  const data = { day: run.day, ...counts, ...(unreadable > 0 && { unreadable }) }
  const { records: admins } = await store.list(adminsOf(accountId))
  const notification = { accountId, type: 'bank.differs' as const, data }
  log.warn('the ledger differs from the bank', { accountId, ...data })
  return { changes: notify(freshOf(ports).fresh, admins, notification), next: { phase: 'tell', after: accountId } }
}

const warnOfUnownedPayments = async ({ store, log }: PaymentsPorts, run: Run): Promise<void> => {
  const { total } = await store.list(
    listOf(differences, { where: all(eq('runId', run.id), eq('accountId', null)), limit: 1, total: true }),
  )
  if (total)
    log.warn('the ledger differs from the bank by payments of no known account', { day: run.day, missing: total })
}
