import type { Failure } from '../../failure.ts'
import { type Either, isLeft, right } from '../../fp.ts'
import type { Checked } from '../../kernel/input/input.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { all, always, eq, gt, isIn } from '../../kernel/records/where.ts'
import { checked } from '../../kernel/running/checked.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { inLine } from '../../kernel/running/in-line.ts'
import type { JobRow } from '../../kernel/running/job.ts'
import { eachOf, onceMore, sliceAfter } from '../../kernel/running/slices.ts'
import { decideAndCommit, decided, orThrow, type RunnerCode, useCaseOf } from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import { MAX_PAGE } from '../../limits.ts'
import { everyOf, listOf, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { companies } from '../records/company.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { type Payment, payment, payments } from '../records/payment.ts'
import { monthOfRun, rentOfMonth } from './rent-of-month.ts'
import { type NewRentRun, type RentRun, rentRun, type SkippedLease } from './run-rent-view.ts'
import { copiesOf } from './write-payment.ts'

type In = Pick<Actor, 'companyId'>
type Run = In & Checked<typeof rentRun>
type ContractField = keyof Contract & string

/** Leases of one commit, two changes each. */
const LEASES_AT_ONCE = 100
const COMPANIES_AT_ONCE = 5

interface Slice {
  readonly leases: readonly Contract[]
  readonly next: string | null
  /** The ids of those that have a rent of the month. */
  readonly billed: ReadonlySet<string>
}

/** The next leases that are active, in the order of their ends, and which of them have a rent of the month, however it was made. */
const readSlice = async (store: Store, { companyId, period }: Run, place: string | null): Promise<Slice> => {
  const where = all<ContractField>(eq('companyId', companyId), eq('type', 'Lease'))
  const walk = { from: contracts, where, when: 'active', sort: 'endDate', limit: LEASES_AT_ONCE } as const
  // First the leases, then their rents: one that is made meanwhile has moved its lease's counter.
  const { records: leases, next } = await sliceAfter(store, walk, place)
  const ids = leases.map(({ id }) => id)
  const rents = await everyOf(
    store,
    listOf(payments, {
      where: all<keyof Payment & string>(
        eq('companyId', companyId),
        isIn('contractId', ids),
        eq('period', period),
        eq('type', 'Rent'),
      ),
      when: 'live',
      // In this order an index of the month or of the contracts is gone by, else all payments are walked.
      sort: { by: 'createdAt', dir: 'desc' },
      limit: MAX_PAGE,
    }),
  )
  return { leases, next, billed: new Set(rents.map(({ contractId }) => contractId)) }
}

/** That a lease has one rent more, if it is as it was read, and no rent of it was made since. */
const billing = ({ id, rentWrites, valueCents, startDate, endDate, dueDay }: Contract): Change =>
  patch<Contract>(contracts, id, {
    add: { paymentCount: 1, rentWrites: 1 },
    when: all<ContractField>(
      eq('removedAt', null),
      eq('status', 'Active'),
      eq('rentWrites', rentWrites),
      eq('valueCents', valueCents),
      eq('startDate', startDate),
      eq('endDate', endDate),
      eq('dueDay', dueDay),
    ),
  })

/** What a run makes of a slice. */
export const decideSlice = ({ leases, billed }: Slice, { companyId, period }: Run, fresh: Fresh) => {
  const created: Payment[] = []
  const skipped: SkippedLease[] = []
  const changes: Change[] = []
  for (const lease of leases) {
    const { id: contractId, propertyCode } = lease
    const rent = rentOfMonth(lease, period)
    if (billed.has(contractId)) skipped.push({ contractId, propertyCode, code: 'rent.billed' })
    else if (isLeft(rent)) skipped.push({ contractId, propertyCode, code: rent.left })
    else {
      const owed = { contractId, type: 'Rent', period, notes: null, ...rent.right } as const
      const made = payment.make(companyId, owed, fresh, copiesOf(lease))
      created.push(made.record)
      changes.push(...made.changes, billing(lease))
    }
  }
  return { created, skipped, changes }
}

/** Makes the rents of the leases after a place. */
const runSlice = (ports: RealEstatePorts, run: Run, place: string | null) =>
  onceMore(() =>
    decideAndCommit(
      ports,
      (store) => readSlice(store, run, place),
      (slice, fresh) => {
        const { created, skipped, changes } = decideSlice(slice, run, fresh)
        return decided({ created, skipped, next: slice.next }, ...(run.dryRun ? [] : changes))
      },
    ),
  )

const runAll = async (ports: RealEstatePorts, run: Run): Promise<Either<Failure<RunnerCode, never>, RentRun>> => {
  const created: Payment[] = []
  const skipped: SkippedLease[] = []
  let place: string | null = null
  do {
    const slice: Awaited<ReturnType<typeof runSlice>> = await runSlice(ports, run, place)
    if (isLeft(slice)) return slice
    created.push(...slice.right.created)
    skipped.push(...slice.right.skipped)
    place = slice.right.next
  } while (place !== null)
  // A lease whose end moved under the run is met twice.
  const met = new Set(created.map(({ contractId }) => contractId))
  const others = skipped.filter(({ contractId }) => !met.has(contractId) && met.add(contractId))
  return right({ period: run.period, dryRun: run.dryRun, created, skipped: others })
}

/**
 * Makes the rent of a month for each active lease that has none, however that was made; values are cents.
 * Fails: `fields`.
 * Source: decisions.md §6, Contracts and Payments.
 */
export const runRent = (ports: RealEstatePorts) => {
  // Two runs of one company would only be in each other's way.
  const line = inLine()
  return ({ companyId }: In, given: NewRentRun) =>
    checked(ports, rentRun, given, (sent) =>
      useCaseOf<RentRun>()((hooks) =>
        line(companyId, async () => {
          const done = await runAll(ports, { companyId, ...sent })
          if (isLeft(done)) return done
          const keep = () => decided<RentRun>(done.right)
          return decideAndCommit(ports, () => null, keep, hooks?.whole)
        }),
      ),
    )
}

/** The monthly run of every company, where it is switched on: one that fails holds up no other. Source: decisions.md §7, `RENT_RUN_DAY`. */
export const rentJobs = (ports: RealEstatePorts): readonly JobRow[] => {
  const { rentRunDay, alertsAt } = ports.settings
  if (rentRunDay === null) return []
  const run = runRent(ports)
  return [
    {
      name: 'run-rent',
      schedule: { at: alertsAt, day: rentRunDay },
      run: async ({ steady, place, report }) => {
        const period = monthOfRun(dayOf(steady), rentRunDay)
        const { records } = await ports.store.list(
          listOf(companies, { where: place === null ? always : gt('id', place), limit: COMPANIES_AT_ONCE }),
        )
        await eachOf(companies, records, async ({ id }) => orThrow(await run({ companyId: id }, { period })()), report)
        return records.length < COMPANIES_AT_ONCE ? null : (records.at(-1)?.id ?? null)
      },
    },
  ]
}
