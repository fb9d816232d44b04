import { isLeft, right } from '../../fp.ts'
import { ensure, patch } from '../../kernel/records/change.ts'
import { all, eq, gt } from '../../kernel/records/where.ts'
import { freshOf } from '../../kernel/running/fresh.ts'
import type { JobRow } from '../../kernel/running/jobs.ts'
import { leaseGuard, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { addDays, addSeconds, dayOf } from '../../kernel/values/day.ts'
import type { Movements } from '../../ports/bank.ts'
import { groupOf, listOf, type Store } from '../../ports/store.ts'
import { adminsOf } from '../members/membership.ts'
import { notify } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { compareSlice } from './reconcile.ts'
import {
  differences,
  FIRST_POSITION,
  type Position,
  type Reconciliation,
  type Run,
  reconciliations,
} from './records.ts'

/** Longer than a page of the bank, with what it did not list asked for one by one. */
const LEASE_SECONDS = 300
const KEPT_SECONDS = 30 * 86_400
const FIRST_WAIT_SECONDS = 60
const LONGEST_WAIT_SECONDS = 3_600
/** A bank that has not answered so often, about a day, is left alone: the next day has a comparison of its own. */
const MOST_UNANSWERED = 30

/** Every day the day before is compared, at the time of the daily schedules; with a bank that lists nothing, none. */
export const reconciliationJob = ({ bank, settings, store }: PaymentsPorts): JobRow => ({
  name: 'reconcile-bank',
  schedule: { at: settings.alertsAt },
  run: async ({ steady }) => {
    const day = addDays(dayOf(steady), -1)
    const begun = { dueAt: steady, attempts: 0, place: null, unanswered: 0, createdAt: steady, expiresAt: null }
    if (bank.movements) await store.commit([ensure(reconciliations, { ...begun, id: day })])
    return null
  },
})

/** Comparisons that are under way, slice by slice: what a slice finds and where the next one begins are one commit. */
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

/** After what is compared, account by account, come those who are told. */
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
  readonly changes: readonly Parameters<Store['commit']>[0][number][]
  readonly next: ScheduledPosition | null
}

const advance = ({ clock }: PaymentsPorts, { changes, next }: SliceResult) => {
  const steady = clock.steady()
  const ends = { place: null, dueAt: null, expiresAt: addSeconds(steady, KEPT_SECONDS) }
  const set = next === null ? ends : { place: JSON.stringify(next), dueAt: steady }
  return { changes, set: { ...set, attempts: 0, unanswered: 0 } }
}

const postpone = ({ clock, log }: PaymentsPorts, { id: day, unanswered }: Reconciliation) => {
  const steady = clock.steady()
  const count = unanswered + 1
  if (count === 1 || count === MOST_UNANSWERED) log.warn('the bank does not list what moved', { day, asked: count })
  const wait = Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** unanswered)
  const ends = { dueAt: null, expiresAt: addSeconds(steady, KEPT_SECONDS) }
  const set = count < MOST_UNANSWERED ? { dueAt: addSeconds(steady, wait) } : ends
  return { changes: [], set: { ...set, attempts: 0, unanswered: count } }
}

/** Tells the ADMINs of the next account in which something differs, once for the day; and the operator at the end. */
const notifyNextAccount = async (ports: PaymentsPorts, run: Run, after: number): Promise<SliceResult> => {
  const { store, log } = ports
  const rows = await store.group(
    groupOf(differences, {
      where: all<'runId' | 'accountId'>(eq('runId', run.id), gt('accountId', after)),
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
  const count = (what: string) => rows.find(({ by }) => by.accountId === accountId && by.what === what)?.count ?? 0
  const counts = { missing: count('missing'), extra: count('extra'), different: count('different') }
  const unreadable = count('unreadable')
  const data = { day: run.day, ...counts, ...(unreadable > 0 && { unreadable }) }
  const { records: admins } = await store.list(adminsOf(accountId))
  const told = { accountId, type: 'bank.differs' as const, data }
  log.warn('the ledger differs from the bank', { accountId, ...data })
  return { changes: notify(freshOf(ports).fresh, admins, told), next: { phase: 'tell', after: accountId } }
}

/** What is nobody's, as far as we know, is told to whoever reads the log. */
const warnOfUnownedPayments = async ({ store, log }: PaymentsPorts, run: Run): Promise<void> => {
  const { total } = await store.list(
    listOf(differences, {
      where: all<'runId' | 'accountId'>(eq('runId', run.id), eq('accountId', null)),
      limit: 1,
      total: true,
    }),
  )
  if (total)
    log.warn('the ledger differs from the bank by payments of no known account', { day: run.day, missing: total })
}
