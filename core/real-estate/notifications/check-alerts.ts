import { isLeft, right } from '../../fp.ts'
import { all, eq, gt, gte, isIn, lte } from '../../kernel/records/where.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import type { JobRow } from '../../kernel/running/jobs.ts'
import { processEach, readSlice, retryWhileBusy } from '../../kernel/running/slices.ts'
import { accept, decideAndCommit, orThrow, useCaseOf } from '../../kernel/running/use-case.ts'
import { type Day, dayOf, previousBusinessDay } from '../../kernel/values/day.ts'
import { listOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { notifications, notify, type Told } from '../office/notifications.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { companies } from '../records/company.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { payments } from '../records/payment.ts'
import { alerted, defaulted, expiringDays, paymentsAtOnce, tellDefault, tellExpiry } from './alert-rules.ts'
import type { AlertsChecked } from './notification-views.ts'
import { usersInRoles } from './recipients.ts'

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

/**
 * Checks a company for contracts that end and payments that were not made; again at once does nothing more.
 * Source: 03-real-estate.md, Events; decisions.md §6, Notifications, and §10, Figures.
 */
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
