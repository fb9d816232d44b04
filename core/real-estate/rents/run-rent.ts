import { type Either, type Failure, isLeft, left, right } from '../../failure.ts'
import {
  type DecodedOf,
  exactNames,
  flag,
  guid,
  type InputOf,
  input,
  instant,
  month,
  nullIfAbsent,
  oneOf,
  output,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import { all, type Change, check, eq, isIn, patch } from '../../kernel/records/record.ts'
import { recordsById } from '../../kernel/resources/queries.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import type { JobRow } from '../../kernel/running/jobs.ts'
import { readSlice, retryWhileBusy } from '../../kernel/running/slices.ts'
import {
  accept,
  decideAndCommit,
  type Fresh,
  orThrow,
  type RunnerCode,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { addDays, type Day, dayOf, nextBusinessDay } from '../../kernel/values/day.ts'
import { NEWEST_FIRST, type Store } from '../../ports/store.ts'
import { companiesJob, recordEvent, storeResult } from '../office.ts'
import { listOfCompany } from '../reads.ts'
import type { CompanyActor, RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contracts, copiedFields } from '../records/contract.ts'
import { shiftMonth, unchanged } from '../records/fields.ts'
import { type Payment, payment, payments } from '../records/payment.ts'
import { type Property, properties } from '../records/property.ts'
import { beginsIn, endedOnOf, firstDayOf } from '../terms/periods.ts'
import { daysText, monthOfRun, type RentOfMonth, rentOfMonth, SKIPPED, type Skipped } from '../terms/rent-of-month.ts'
import { paymentView } from './read-payment.ts'

/** The input of a rent run: the month whose rents it creates. */
export const rentRun = input(
  'NewRentRun',
  {
    period: month({ about: 'Mês' }),
    dryRun: withDefault(flag({ about: 'Se nada é criado, e só se mostra o que seria' }), false),
  },
  exactNames('dryRun'),
)
export type NewRentRun = InputOf<typeof rentRun>

/** A lease for which no rent was created, and the reason. */
export interface SkippedLease {
  readonly contractId: string
  readonly propertyCode: string
  readonly code: Skipped
}

/** The result of a run: every lease of the company is in one of its lists. */
export interface RentRun {
  readonly period: string
  readonly dryRun: boolean
  readonly created: readonly Payment[]
  readonly skipped: readonly SkippedLease[]
}

const REASONS: Readonly<Record<Skipped, string>> = {
  'rent.billed': 'Já existe um pagamento de aluguel deste mês.',
  'rent.overbilled':
    'O aluguel deste mês cobra também dias em que o imóvel não esteve alugado por este contrato: acerte a diferença.',
  'rent.received':
    'Um aluguel deste mês, cancelado no fim do contrato, recebeu dinheiro de uma cobrança: devolva-o, ou registre o resto.',
  'lease.ended': 'O prazo do contrato terminou, ou o contrato foi encerrado, antes deste mês.',
  'lease.not-begun': 'O contrato começa depois deste mês.',
  'lease.not-let': 'O imóvel não esteve alugado por este contrato em nenhum dia deste mês.',
  'rent.worthless': 'O aluguel proporcional é menor que um centavo.',
}

const skippedLease = view(
  'SkippedLease',
  {
    contractId: guid({ about: 'Identificador do contrato' }),
    propertyCode: output.text({ about: 'Código do imóvel' }),
    code: oneOf(SKIPPED, { about: 'Por que, para programas' }),
    reason: output.text({ about: 'Por que, para pessoas' }),
  },
  (of: SkippedLease) => ({ ...of, reason: REASONS[of.code] }),
)

/** A rent that was created or, in a dry run, would be. */
const createdRentView = view(
  'MadeRent',
  {
    ...paymentView.table,
    id: nullIfAbsent(guid({ about: 'Identificador; null quando nada é criado' })),
    createdAt: nullIfAbsent(instant({ about: 'Criação; null quando nada é criado' })),
  },
  ({ payment, isDry }: { readonly payment: Payment; readonly isDry: boolean }) => ({
    ...paymentView.of(payment),
    ...(isDry && { id: null, createdAt: null }),
  }),
)

export const rentRunView = view(
  'RentRun',
  {
    period: month({ about: 'Mês' }),
    dryRun: flag({ about: 'Se nada foi criado' }),
    created: output.views(createdRentView, { about: 'Os aluguéis criados' }),
    skipped: output.views(skippedLease, { about: 'Os contratos de locação sem aluguel novo, e por que' }),
  },
  (of: RentRun) => ({ ...of, created: of.created.map((payment) => ({ payment, isDry: of.dryRun })) }),
)

interface Run extends CompanyActor, DecodedOf<typeof rentRun> {
  /** Limits the run to what the automatic run of the month has missed: days added since, and leases created since. */
  readonly onlyMissed?: boolean
}
const LEASES_PER_SLICE = 100
const COMPANIES_AT_ONCE = 5

/**
 * Reads the next leases, oldest first, with their rents in the month, the properties of renewed leases, and all leases
 * of these properties.
 */
const readLeases = async (store: Store, { companyId, period }: Run, cursor: string | null) => {
  const isLease = eq('type', 'Lease')
  const where = all(eq('companyId', companyId), isLease)
  const walk = { from: contracts, where, when: 'live', sort: 'createdAt', limit: LEASES_PER_SLICE } as const
  // The rents are read after the leases: a rent that is created in between has changed the counter of its lease.
  const { records: leases, next } = await readSlice(store, walk, cursor)
  const ids = leases.map(({ id }) => id)
  const rents = await listOfCompany(store, payments, companyId, {
    where: all(isIn('contractId', ids), eq('period', period), eq('type', 'Rent')),
    when: 'live',
    // This order uses an index of the month or the contracts; any other would scan all payments.
    sort: NEWEST_FIRST,
  })
  const renewed = [...new Set(leases.flatMap(({ status, propertyId }) => (status === 'Renewed' ? [propertyId] : [])))]
  // The leases are read after the properties: a lease that is created in between has changed the counter of its
  // property.
  const found = await recordsById(store, properties, companyId, renewed)
  const ofRenewed = { where: all(isLease, isIn('propertyId', renewed)), when: 'live', sort: NEWEST_FIRST }
  const propertyLeases = renewed.length === 0 ? [] : await listOfCompany(store, contracts, companyId, ofRenewed)
  return { leases, next, rents, properties: found, propertyLeases }
}

type Slice = Awaited<ReturnType<typeof readLeases>>

/** Orders the leases of a property: each replaces those that were created before it, also if it begins earlier. */
const orderOf = (lease: Contract): string => `${lease.createdAt} ${firstDayOf(lease)}`

/**
 * Returns the first day of the lease that replaced another. A lease that was over before the other began is an older
 * one.
 */
const nextLeaseStart = (lease: Contract, propertyLeases: readonly Contract[]): Day | null => {
  const { id, propertyId } = lease
  const replacing = propertyLeases.filter((each) => {
    const lastDay = endedOnOf(each) ?? each.endDate
    const isOver = lastDay < firstDayOf(each) || lastDay < firstDayOf(lease)
    return each.propertyId === propertyId && each.id !== id && orderOf(each) >= orderOf(lease) && !isOver
  })
  return replacing.map(firstDayOf).sort()[0] ?? null
}

/**
 * Returns the last day of a lease that has ended: the day of termination or cancellation; for a renewed lease the day
 * before the next lease of its property. Null if the lease ends with its term.
 */
const letUntil = (lease: Contract, propertyLeases: readonly Contract[]): Day | null => {
  if (lease.status !== 'Renewed') return endedOnOf(lease)
  const next = nextLeaseStart(lease, propertyLeases)
  return next && addDays(next, -1)
}

/**
 * Returns the rent of the days that no rent has billed. A rent without days counts for the whole month. Only the end of
 * a lease cancels later rents, and the days until then are still owed: such a rent does not count, but while it has
 * money of a charge, the lease is skipped.
 */
const unbilledRentOf = (
  lease: Contract,
  rents: Slice['rents'],
  { propertyLeases }: Slice,
  { period }: Run,
): Either<Skipped, { readonly rent: RentOfMonth; readonly isFirst: boolean }> => {
  const isVoid = ({ status }: Payment): boolean => status === 'Cancelled'
  if (rents.some((rent) => isVoid(rent) && rent.receivedCents !== null)) return left('rent.received')
  const billed = rents.filter((rent) => !isVoid(rent))
  if (billed.some(({ billedDays }) => billedDays === null)) return left('rent.billed')
  const days = billed.flatMap(({ billedDays }) => billedDays ?? [])
  const rent = rentOfMonth(lease, period, letUntil(lease, propertyLeases), days)
  return isLeft(rent) ? rent : right({ rent: rent.right, isFirst: billed.length === 0 })
}

/**
 * Returns the changes that count a rent of the lease. The commit is stale if the lease or its rents have changed, or if
 * a renewed lease's property was let or sold meanwhile.
 */
const countRent = (lease: Contract, { period }: Run, property: Property | undefined): readonly Change[] => {
  const billed = ['status', 'endedOn', 'rentWrites', 'valueCents', 'startDate', 'endDate', 'dueDay'] as const
  const counted = patch<Contract>(contracts, lease.id, {
    add: { paymentCount: 1, rentWrites: 1 },
    ...(beginsIn(lease, period) && { set: { automaticFrom: null } }),
    when: unchanged(lease, 'removedAt', ...billed),
  })
  return property
    ? [counted, check<Property>(properties, property.id, unchanged(property, 'activeTenures'))]
    : [counted]
}

/** Builds the rent of a lease. A rent that is already overdue is created as `Defaulted`, with an event. */
const buildRent = (
  lease: Contract,
  { billedDays, ...rent }: RentOfMonth,
  notes: string | null,
  run: Run,
  fresh: Fresh,
) => {
  const { companyId, period } = run
  const owed = { contractId: lease.id, type: 'Rent', period, notes, ...rent } as const
  const isOverdue = nextBusinessDay(rent.dueDate) < fresh.today
  const { record, changes } = payment.build(companyId, owed, fresh, {
    ...copiedFields(lease),
    billedDays,
    ...(isOverdue && { status: 'Defaulted' }),
  })
  const event = { companyId, subjectId: record.id, type: 'payment.defaulted' as const, data: {} }
  return { record, changes: [...changes, ...(isOverdue ? [recordEvent(fresh, event)] : [])] }
}

/**
 * Reports whether a lease began in a month, was created in it or later, and never had a rent of it. No other lease
 * without a rent of the month is billed for it afterwards: an earlier release created it, its rent was removed, or it
 * is billed elsewhere.
 */
const isFirstMonth = ({ automaticFrom, ...lease }: Contract, { period }: Run): boolean =>
  automaticFrom !== null && automaticFrom >= period && beginsIn(lease, period)

const decideSlice = (slice: Slice, run: Run, fresh: Fresh) => {
  const created: Payment[] = []
  const skipped: SkippedLease[] = []
  const changes: Change[] = []
  for (const lease of slice.leases) {
    const { id: contractId, propertyCode } = lease
    const rents = slice.rents.filter((rent) => rent.contractId === contractId)
    if (run.onlyMissed && rents.length === 0 && !isFirstMonth(lease, run)) continue
    const unbilled = unbilledRentOf(lease, rents, slice, run)
    if (isLeft(unbilled)) skipped.push({ contractId, propertyCode, code: unbilled.left })
    else {
      const { rent, isFirst } = unbilled.right
      const notes = isFirst ? null : `Dias que faltavam no mês: ${daysText(rent.billedDays)}.`
      const { record, changes: rentChanges } = buildRent(lease, rent, notes, run, fresh)
      created.push(record)
      changes.push(...rentChanges, ...countRent(lease, run, slice.properties.get(lease.propertyId)))
    }
  }
  return { created, skipped, changes }
}

const runSlice = (ports: RealEstatePorts, run: Run, cursor: string | null) =>
  retryWhileBusy(() =>
    decideAndCommit(
      ports,
      (store) => readLeases(store, run, cursor),
      (slice, fresh) => {
        const { created, skipped, changes } = decideSlice(slice, run, fresh)
        return accept({ created, skipped, next: slice.next }, ...(run.dryRun ? [] : changes))
      },
    ),
  )

const runAll = async (ports: RealEstatePorts, run: Run): Promise<Either<Failure<RunnerCode, never>, RentRun>> => {
  const created: Payment[] = []
  const skipped: SkippedLease[] = []
  let cursor: string | null = null
  do {
    const slice: Awaited<ReturnType<typeof runSlice>> = await runSlice(ports, run, cursor)
    if (isLeft(slice)) return slice
    created.push(...slice.right.created)
    skipped.push(...slice.right.skipped)
    cursor = slice.right.next
  } while (cursor !== null)
  return right({ period: run.period, dryRun: run.dryRun, created, skipped })
}

export const runRent = (ports: RealEstatePorts) => {
  // Runs of one company run one after the other, since they would conflict.
  const inSequence = serialByName()
  return ({ companyId }: CompanyActor, submitted: NewRentRun) =>
    withValidInput(ports, rentRun, submitted, (request) =>
      useCaseOf<RentRun>()((hooks) =>
        inSequence(companyId, async () => {
          const done = await runAll(ports, { companyId, ...request })
          return isLeft(done) ? done : storeResult(ports, done.right, hooks)
        }),
      ),
    )
}

/**
 * The monthly run of all companies, if it is configured. It also bills days of the month before that its run has
 * missed: days added by a renewal for example, and the first days of leases that were created afterwards.
 */
export const rentJobs = (ports: RealEstatePorts): readonly JobRow[] => {
  const { rentRunDay, alertsAt } = ports.settings
  if (rentRunDay === null) return []
  const run = runRent(ports)
  const row = { name: 'run-rent', schedule: { at: alertsAt, day: rentRunDay }, atOnce: COMPANIES_AT_ONCE }
  return [
    companiesJob(ports, row, async (companyId, steady) => {
      const period = monthOfRun(dayOf(steady), rentRunDay)
      orThrow(await runAll(ports, { companyId, period: shiftMonth(period, -1), dryRun: false, onlyMissed: true }))
      orThrow(await run({ companyId }, { period })())
    }),
  ]
}
