import { isLeft, right } from '../../failure.ts'
import { all, type Change, eq, gte, isIn, lte, patch } from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import { uuidFromHash } from '../../kernel/running/ids.ts'
import type { JobRow } from '../../kernel/running/jobs.ts'
import { readSlice, retryWhileBusy } from '../../kernel/running/slices.ts'
import { accept, decideAndCommit, type Fresh, orThrow, useCaseOf } from '../../kernel/running/use-case.ts'
import { type Day, dayOf, previousBusinessDay } from '../../kernel/values/day.ts'
import type { Digest } from '../../ports/runtime.ts'
import { listOf } from '../../ports/store.ts'
import { companiesJob, type NewNotification, notifications, notify, storeResult } from '../office.ts'
import type { CompanyActor, RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { unchanged } from '../records/fields.ts'
import { type Payment, payments } from '../records/payment.ts'
import { expiringDays } from '../terms/periods.ts'
import { contractExpiry, paymentDefault, usersInRoles } from './messages.ts'
import type { AlertsChecked } from './notification-views.ts'

const CHANGES_AT_ONCE = 600
const MAX_PAYMENTS_AT_ONCE = 100
const MAX_RECIPIENTS = 250

type Person = Pick<NewNotification, 'userId'>

export const alertRecipients = <U extends { readonly id: string }>(users: readonly U[]): readonly Person[] =>
  users.slice(0, MAX_RECIPIENTS).map(({ id }) => ({ userId: id }))

/** Returns the number of payments that one commit marks, each with a notification for every user. */
export const paymentsAtOnce = (people: number): number =>
  Math.min(MAX_PAYMENTS_AT_ONCE, Math.max(1, Math.floor(CHANGES_AT_ONCE / (1 + 2 * people))))

/** Builds the notification of a contract that ends. A user gets it once for each end date, on which its id depends. */
const expiryNotification = ({ sha256 }: Pick<Digest, 'sha256'>, person: Person, contract: Contract) => ({
  ...contractExpiry(contract),
  ...person,
  id: uuidFromHash(sha256(['contract-expiry', contract.id, contract.endDate, person.userId].join('|')), 'a'),
  companyId: contract.companyId,
})

/** Marks a pending payment as defaulted. The commit is stale if the payment has moved or has another due date. */
export const markDefaulted = (pending: Payment, { now }: Pick<Fresh, 'now'>): Change =>
  patch(payments, pending.id, {
    set: { status: 'Defaulted', updatedAt: now },
    when: unchanged(pending, 'removedAt', 'status', 'dueDate'),
  })

/**
 * Builds the notifications of an overdue payment, one for each user. A payment that is overdue again after a refund is
 * notified again.
 */
export const defaultNotifications = (people: readonly Person[], payment: Payment): readonly NewNotification[] =>
  people.map((person) => ({ ...paymentDefault(payment), ...person, companyId: payment.companyId }))

const CONTRACTS_AT_ONCE = 150
const COMPANIES_AT_ONCE = 20

interface Check {
  readonly companyId: string
  readonly today: Day
  readonly people: readonly Person[]
}

/** Notifies a user of contracts that end, once of each, and returns the number of new notifications. */
const notifyOfContracts = (ports: RealEstatePorts, person: Person, slice: readonly Contract[]) => {
  const drafts = slice.map((contract) => expiryNotification(ports.digest, person, contract))
  const ids = drafts.map(({ id }) => id)
  return decideAndCommit(
    ports,
    (store) =>
      store.list(
        listOf(notifications, { where: all(eq('userId', person.userId), isIn('id', ids)), limit: ids.length }),
      ),
    ({ records }, fresh) => {
      const known = new Set(records.map(({ id }) => id))
      const missing = drafts.filter(({ id }) => !known.has(id))
      return accept(missing.length, ...notify(fresh, missing, ports.mirror !== undefined))
    },
  )
}

const checkContracts = async (ports: RealEstatePorts, { companyId, today, people }: Check) => {
  const { from, to } = expiringDays(today)
  let [count, created, cursor] = [0, 0, null as string | null]
  do {
    const { records, next } = await readSlice(
      ports.store,
      {
        from: contracts,
        where: all(eq('companyId', companyId), gte('endDate', from), lte('endDate', to)),
        when: 'active',
        sort: 'endDate',
        limit: CONTRACTS_AT_ONCE,
      },
      cursor,
    )
    for (const person of records.length > 0 ? people : []) {
      const notified = await retryWhileBusy(() => notifyOfContracts(ports, person, records))
      if (isLeft(notified)) return notified
      created += notified.right
    }
    count += records.length
    cursor = next
  } while (cursor !== null)
  return right({ count, created })
}

/** Marks overdue payments, oldest first, in slices, and notifies users of them. A marked payment leaves the list. */
const checkPayments = async (ports: RealEstatePorts, { companyId, today, people }: Check) => {
  const limit = paymentsAtOnce(people.length)
  const overdue = listOf(payments, {
    // A due date on which banks do not work moves to the next business day.
    where: all(eq('companyId', companyId), lte('dueDate', previousBusinessDay(today))),
    when: 'pending',
    sort: { by: 'dueDate', dir: 'asc' },
    limit,
  })
  for (let [count, created] = [0, 0]; ; ) {
    const slice = await retryWhileBusy(() =>
      decideAndCommit(
        ports,
        (store) => store.list(overdue),
        ({ records }, fresh) => {
          const drafts = records.flatMap((payment) => defaultNotifications(people, payment))
          const moves = records.map((payment) => markDefaulted(payment, fresh))
          const done = { moved: records.length, notified: drafts.length }
          return accept(done, ...moves, ...notify(fresh, drafts, ports.mirror !== undefined))
        },
      ),
    )
    if (isLeft(slice)) return slice
    count += slice.right.moved
    created += slice.right.notified
    if (slice.right.moved < limit) return right({ count, created })
  }
}

/**
 * Notifies the Admins and Financial of a company of contracts that end and payments that are overdue. An immediate
 * repeat changes nothing.
 */
export const checkAlerts = (ports: RealEstatePorts) => {
  // Checks of one company run one after the other, since they would conflict.
  const inSequence = serialByName()
  return ({ companyId }: CompanyActor) =>
    useCaseOf<AlertsChecked>()((hooks) =>
      inSequence(companyId, async () => {
        const today = dayOf(ports.clock.steady())
        const people = alertRecipients(await usersInRoles(ports.store, companyId, 'Admin', 'Financial'))
        const check = { companyId, today, people }
        const ofContracts = await checkContracts(ports, check)
        if (isLeft(ofContracts)) return ofContracts
        const ofPayments = await checkPayments(ports, check)
        if (isLeft(ofPayments)) return ofPayments
        const done = {
          contractsExpiring: ofContracts.right.count,
          paymentsDefaulted: ofPayments.right.count,
          notificationsCreated: ofContracts.right.created + ofPayments.right.created,
        }
        return storeResult<AlertsChecked>(ports, done, hooks)
      }),
    )
}

export const alertsJob = (ports: RealEstatePorts): JobRow => {
  const check = checkAlerts(ports)
  const row = { name: 'check-alerts', schedule: { at: ports.settings.alertsAt }, atOnce: COMPANIES_AT_ONCE }
  return companiesJob(ports, row, async (companyId) => orThrow(await check({ companyId })()))
}
