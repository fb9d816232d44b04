import { isLeft, right } from '../../fp.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { all, eq, gt, gte, isIn, lte } from '../../kernel/records/where.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { JobRow } from '../../kernel/running/jobs.ts'
import { processEach, readSlice, retryWhileBusy } from '../../kernel/running/slices.ts'
import { accept, decideAndCommit, orThrow, useCaseOf } from '../../kernel/running/use-case.ts'
import { addDays, type Day, dayOf, previousBusinessDay } from '../../kernel/values/day.ts'
import { uuidFromHash } from '../../kernel/values/encoding.ts'
import type { Digest } from '../../ports/runtime.ts'
import { listOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { notifications, notify, type Told } from '../office.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { type Payment, payments } from '../records/payment.ts'
import { companies } from '../records/people.ts'
import { contractExpiry, paymentDefault, usersInRoles } from './messages.ts'
import type { AlertsChecked } from './notification-views.ts'

/** Days before its end from which on a contract is told of. */
const EXPIRY_DAYS = 30
/** Changes of one commit of a check. */
const CHANGES_AT_ONCE = 600
const MAX_PAYMENTS_AT_ONCE = 100
/** Who is told of one thing at most: more than any agency employs. */
const MAX_PEOPLE = 250

type Person = Pick<Told, 'userId'>

/** The ends of contracts that expire now, both included. */
export const expiringDays = (today: Day) => ({ from: today, to: addDays(today, EXPIRY_DAYS) })

/** Whom of a company its alerts are told. */
export const alerted = <U extends { readonly id: string }>(users: readonly U[]): readonly Person[] =>
  users.slice(0, MAX_PEOPLE).map(({ id }) => ({ userId: id }))

/** How many payments are moved in one commit, so many people being told of each. */
export const paymentsAtOnce = (people: number): number =>
  Math.min(MAX_PAYMENTS_AT_ONCE, Math.max(1, Math.floor(CHANGES_AT_ONCE / (1 + 2 * people))))

/** The id of what somebody is told of a cause once and never again: whoever tells it at the same time tells the same. */
const toldOnce = ({ sha256 }: Pick<Digest, 'sha256'>, { userId }: Person, ...cause: readonly string[]): string =>
  uuidFromHash(sha256([...cause, userId].join('|')), 'a')

/** What somebody is told of a contract that ends: once for each end date that it has. */
export const tellExpiry = (digest: Pick<Digest, 'sha256'>, person: Person, contract: Contract) => ({
  ...contractExpiry(contract),
  ...person,
  id: toldOnce(digest, person, 'contract-expiry', contract.id, contract.endDate),
  companyId: contract.companyId,
})

/**
 * The change by which a payment that is still pending becomes a defaulted one; one that meanwhile is due on another day is looked
 * at again.
 */
export const defaulted = ({ id, dueDate }: Payment, { now }: Pick<Fresh, 'now'>): Change =>
  patch(payments, id, {
    set: { status: 'Defaulted', updatedAt: now },
    when: all<keyof Payment & string>(eq('removedAt', null), eq('status', 'Pending'), eq('dueDate', dueDate)),
  })

/** What people are told of a payment that was not made: once. */
export const tellDefault = (digest: Pick<Digest, 'sha256'>, people: readonly Person[], payment: Payment) =>
  people.map((person) => ({
    ...paymentDefault(payment),
    ...person,
    id: toldOnce(digest, person, 'payment-default', payment.id),
    companyId: payment.companyId,
  }))

const CONTRACTS_AT_ONCE = 150
const COMPANIES_AT_ONCE = 20

/** What a check goes by: one company, one day. */
interface Check {
  readonly companyId: string
  readonly today: Day
  readonly people: readonly Pick<Told, 'userId'>[]
}

/** Tells somebody of those of some contracts that they were not told of; how many. */
const tellOfContracts = (ports: RealEstatePorts, person: Pick<Told, 'userId'>, some: readonly Contract[]) => {
  const told = some.map((contract) => tellExpiry(ports.digest, person, contract))
  const ids = told.map(({ id }) => id)
  return decideAndCommit(
    ports,
    (store) =>
      store.list(
        listOf(notifications, { where: all(eq('userId', person.userId), isIn('id', ids)), limit: ids.length }),
      ),
    ({ records }, fresh) => {
      const known = new Set(records.map(({ id }) => id))
      const anew = told.filter(({ id }) => !known.has(id))
      return accept(anew.length, ...notify(fresh, anew, ports.mirror !== undefined))
    },
  )
}

const checkContracts = async (ports: RealEstatePorts, { companyId, today, people }: Check) => {
  const { from, to } = expiringDays(today)
  let [count, created, place] = [0, 0, null as string | null]
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
      place,
    )
    for (const person of records.length > 0 ? people : []) {
      const told = await retryWhileBusy(() => tellOfContracts(ports, person, records))
      if (isLeft(told)) return told
      created += told.right
    }
    count += records.length
    place = next
  } while (place !== null)
  return right({ count, created })
}

/** Moves those that are overdue, the oldest first, in slices: what was moved is not met again. */
const checkPayments = async (ports: RealEstatePorts, { companyId, today, people }: Check) => {
  const limit = paymentsAtOnce(people.length)
  const overdue = listOf(payments, {
    // A due date on which banks do not work moves to the next business day: after it the payment is overdue.
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
          const told = records.flatMap((payment) => tellDefault(ports.digest, people, payment))
          const moves = records.map((payment) => defaulted(payment, fresh))
          const done = { moved: records.length, told: told.length }
          return accept(done, ...moves, ...notify(fresh, told, ports.mirror !== undefined))
        },
      ),
    )
    if (isLeft(slice)) return slice
    count += slice.right.moved
    created += slice.right.told
    if (slice.right.moved < limit) return right({ count, created })
  }
}

/** Checks a company for contracts that end and payments that were not made; again at once does nothing more. */
export const checkAlerts = (ports: RealEstatePorts) => {
  // Two checks of one company would only be in each other's way.
  const line = serialByName()
  return ({ companyId }: Pick<Actor, 'companyId'>) =>
    useCaseOf<AlertsChecked>()((hooks) =>
      line(companyId, async () => {
        const today = dayOf(ports.clock.steady())
        const people = alerted(await usersInRoles(ports.store, companyId, 'Admin', 'Financial'))
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
        return decideAndCommit(
          ports,
          () => null,
          () => accept<AlertsChecked>(done),
          hooks?.completed,
        )
      }),
    )
}

/** The daily check of every company, one after the other: one that fails holds up no other. */
export const alertsJob = (ports: RealEstatePorts): JobRow => {
  const check = checkAlerts(ports)
  return {
    name: 'check-alerts',
    schedule: { at: ports.settings.alertsAt },
    run: async ({ cursor: place, report }) => {
      const { records } = await ports.store.list(
        listOf(companies, { where: place === null ? all() : gt('id', place), limit: COMPANIES_AT_ONCE }),
      )
      await processEach(companies, records, async ({ id }) => orThrow(await check({ companyId: id })()), report)
      return records.length < COMPANIES_AT_ONCE ? null : (records.at(-1)?.id ?? null)
    },
  }
}
