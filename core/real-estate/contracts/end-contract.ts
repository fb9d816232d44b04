import { failure, isLeft, left, right } from '../../failure.ts'
import {
  type Decoded,
  type DecodedOf,
  day,
  guid,
  type InputOf,
  input,
  inQuery,
  output,
  view,
} from '../../kernel/input/mod.ts'
import { all, type Change, check, eq, gt, patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type Day, dayOf, formatDay } from '../../kernel/values/day.ts'
import { halfUpRatio } from '../../kernel/values/money.ts'
import { MAX_PAGE } from '../../limits.ts'
import { byId, listAll, listOf, type Store } from '../../ports/store.ts'
import { afterClosingCharges, CHARGED } from '../charging/close-charge.ts'
import { afterStoringPaidTerms, managedBy, type PaidFacts, paidTermsOf, readManagements } from '../paid-terms.ts'
import { periodsOf, termOf } from '../periods.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import {
  type Contract,
  type ContractStatus,
  contract,
  contractFields,
  contractMoves,
  contracts,
} from '../records/contract.ts'
import { historyEntry } from '../records/fields.ts'
import { isOpen, type Payment, paidAs, payments, unstated } from '../records/payment.ts'
import { type Property, properties } from '../records/property.ts'
import { rentUntil } from '../rents/rent-of-month.ts'
import { type ContractMove, contractMove, ENDED, UNKNOWN } from './contract-inputs.ts'
import { type ContractDetail, detailOf, readContract } from './read-contract.ts'
import { isTenure, moveProperty } from './tenure.ts'
import { countActive } from './write-contract.ts'

type By = Pick<Actor, 'companyId' | 'userId'>

/** Payments that one commit can end together with the contract. */
const MAX_PAYMENTS = 900

/** Reads a contract, its property, its pending payments that are due after today, and the terms of their payment. */
const readEnding = async ({ store, clock }: RealEstatePorts, companyId: string, id: string) => {
  const facts = await contract.readFacts(store, companyId, id, {})
  const { record } = facts
  const later = record ? await readLaterPayments(store, record, dayOf(clock.steady())) : []
  return {
    facts,
    detail: record && (await detailOf(store, record)),
    property: record && (await store.find(byId(properties, record.propertyId))),
    later,
    // Only a payment with a part is paid.
    managements:
      record && later.some(({ receivedCents }) => receivedCents !== null)
        ? await readManagements(store, companyId, [record.propertyId])
        : [],
  }
}

/** Reads the pending payments of a contract that are due after a day. */
const readLaterPayments = (store: Store, { companyId, id }: Contract, on: Day): Promise<readonly Payment[]> => {
  const where = all(eq('companyId', companyId), eq('contractId', id), eq('status', 'Pending'), gt('dueDate', on))
  return listAll(store, listOf(payments, { where, when: 'live', limit: MAX_PAGE }))
}

type Owed = Pick<Payment, 'valueCents' | 'billedDays' | 'notes'>

/**
 * Returns a rent reduced to the days until the end of its lease, in proportion to the rent of all its days; null if none of
 * them was let, and for a payment that is no rent. A rent of days outside the term, which no run makes, stays as it is.
 */
const owedUntil = (rent: Payment, lease: Contract, end: Day): Owed | null => {
  const { type, period, valueCents, billedDays, notes } = rent
  if (type !== 'Rent' || lease.type !== 'Lease' || period > end.slice(0, 7)) return null
  const whole = rentUntil(lease, rent, lease.endDate)
  const part = rentUntil(lease, rent, end)
  if (part.valueCents === whole.valueCents) return { valueCents, billedDays, notes }
  if (part.valueCents === 0) return null
  return {
    valueCents: Math.max(1, halfUpRatio(BigInt(valueCents) * BigInt(part.valueCents), whole.valueCents)),
    billedDays: billedDays && part.billedDays,
    notes: notes ?? `Valor dos dias até o fim do contrato, em ${formatDay(end)}.`,
  }
}

/**
 * Returns what the end of its contract sets in a payment that is due later. The payment is cancelled, unless charges have
 * received a part of it: then a rent stays open for the days that were let, and a payment of which no more is owed is paid
 * with its part.
 */
const endOf = (
  payment: Payment,
  contract: Contract,
  terms: PaidFacts,
  { now, today }: Pick<Fresh, 'now' | 'today'>,
): Partial<Payment> => {
  const { receivedCents } = payment
  if (receivedCents === null) return { status: 'Cancelled', updatedAt: now }
  const owed = owedUntil(payment, contract, today)
  const set = { ...owed, updatedAt: now }
  if (owed && owed.valueCents > receivedCents) return set
  return {
    ...set,
    ...paidAs(now),
    paidValueCents: unstated(payment, receivedCents),
    byHandCents: 0,
    ...paidTermsOf(payment, now, terms),
  }
}

/** Changes a later payment; if it has changed since it was read, the decision is repeated. */
const patchLater = ({ id, dueDate, valueCents, receivedCents }: Payment, set: Partial<Payment>): Change =>
  patch<Payment>(payments, id, {
    set,
    when: all(
      eq('status', 'Pending'),
      eq('chargeId', null),
      eq('dueDate', dueDate),
      eq('valueCents', valueCents),
      eq('receivedCents', receivedCents),
    ),
  })

type EndingFacts = Awaited<ReturnType<typeof readEnding>>

/** Sets the property of an ended lease or sale to `Available`, from any status. */
const freeProperty = (record: Contract, of: Property | null, by: By, reason: string | null, fresh: Fresh) =>
  of && isTenure(record.type) ? moveProperty(of, 'Available', { userId: by.userId, reason }, fresh) : []

/**
 * The guard of a move: the commit is stale if the contract has ended, has other terms or another broker, or has new or changed
 * payments since the read, because the counters and the later payments to end depend on them.
 */
const unchanged = ({ status, brokerId, paymentCount, rentWrites, updatedAt }: Contract) =>
  all(
    eq('status', status),
    eq('brokerId', brokerId),
    eq('paymentCount', paymentCount),
    eq('rentWrites', rentWrites),
    eq('updatedAt', updatedAt),
  )

const moveRecord = (record: Contract, status: ContractStatus, by: By, reason: string | null, fresh: Fresh) => {
  const change = historyEntry(status, by, reason, fresh)
  const endedOn = status === 'Renewed' ? null : fresh.today
  const set = { status, endedOn, statusHistory: [...record.statusHistory, change], updatedAt: fresh.now }
  return {
    record: { ...record, ...set },
    change: patch(contracts, record.id, { set, when: all(eq('removedAt', null), unchanged(record)) }),
  }
}

/** The payments that a move ends; none if the move is refused. */
const paymentsToEnd = ({ facts: { record }, later }: EndingFacts, status: ContractStatus): readonly Payment[] =>
  record && contractMoves.can(record.status, status) && status !== 'Renewed' && later.length <= MAX_PAYMENTS
    ? later
    : []

/** Moves a contract to another status. Fails with `payment.charged` while a later payment has a charge. */
const decideMove = (facts: EndingFacts, by: By, { status, reason }: DecodedOf<typeof contractMove>, fresh: Fresh) => {
  const { detail, property: of, later, managements } = facts
  const { record } = facts.facts
  if (!record || !detail) return left(UNKNOWN)
  if (!contractMoves.can(record.status, status)) return left(failure('conflict', 'contract.move'))
  const isOver = status !== 'Renewed'
  if (isOver && later.length > MAX_PAYMENTS) return left(failure('conflict', 'contract.payments'))
  if (isOver && later.some(({ chargeId }) => chargeId !== null)) return left(CHARGED)
  const moved = moveRecord(record, status, by, reason, fresh)
  const terms = { property: of, term: record, managements }
  const ended = isOver ? later.map((each) => ({ each, set: endOf(each, record, terms, fresh) })) : []
  const sets = new Map(ended.map(({ each, set }) => [each.id, set]))
  return accept<ContractDetail>(
    { ...detail, contract: moved.record, payments: detail.payments.map((each) => ({ ...each, ...sets.get(each.id) })) },
    moved.change,
    ...countActive(record, -1),
    ...(isOver ? freeProperty(record, of, by, reason, fresh) : []),
    ...ended.map(({ each, set }) => patchLater(each, set)),
  )
}

export const moveContract = (ports: RealEstatePorts) => (by: By, id: string, given: ContractMove) =>
  withValidInput(ports, contractMove, given, (move) =>
    afterClosingCharges(
      ports,
      async () => paymentsToEnd(await readEnding(ports, by.companyId, id), move.status),
      afterStoringPaidTerms(
        ports,
        () => managedBy(ports.store, by.companyId, id),
        useCase(
          ports,
          () => readEnding(ports, by.companyId, id),
          (facts, fresh) => decideMove(facts, by, move, fresh),
        ),
      ),
    ),
  )

export const removeContract = (ports: RealEstatePorts) => (by: By, id: string) =>
  afterStoringPaidTerms(
    ports,
    () => managedBy(ports.store, by.companyId, id),
    useCase(
      ports,
      () => readEnding(ports, by.companyId, id),
      ({ facts, property: of }, fresh) => {
        const made = contract.remove(facts, fresh)
        if (isLeft(made)) return made
        const { record, changes } = made.right
        const isActive = record.status === 'Active'
        const ending = isActive ? [...countActive(record, -1), ...freeProperty(record, of, by, null, fresh)] : []
        // Without this guard, a contract that ends concurrently would be subtracted from the counters twice.
        const unchangedStatus = check(contracts, id, eq('status', record.status))
        return accept(null, unchangedStatus, ...changes, ...ending)
      },
    ),
  )

/** The day on which the tenant leaves. */
export const terminationDay = input('TerminationDay', {
  on: inQuery.day({ about: 'Dia da saída; hoje, se não informado' }),
})
export type TerminationDay = InputOf<typeof terminationDay>

const { startDate, endDate } = contractFields

const quoteFields = {
  contractId: guid({ about: 'Identificador do contrato' }),
  on: day({ about: 'Último dia' }),
  startDate,
  endDate,
  terminationFineCents: output.money({ wire: 'terminationFine', about: 'Multa combinada para a saída imediata' }),
  totalMonths: output.number({ about: 'Meses do período em curso' }),
  remainingMonths: output.number({ about: 'Meses que faltam cumprir' }),
  fineCents: output.money({ wire: 'fine', about: 'Multa proporcional ao tempo que falta' }),
  openPayments: output.count({ about: 'Pagamentos vencidos até o dia e não pagos' }),
  openValueCents: output.money({ wire: 'openValue', about: 'Valor desses pagamentos' }),
  totalCents: output.money({ wire: 'total', about: 'Multa e pagamentos em aberto' }),
}

/**
 * The cost of leaving on a day, in cents: the part of the agreed fine for the remaining months (2 decimals), and the unpaid
 * payments that are due by that day.
 */
export type TerminationQuote = Decoded<typeof quoteFields>

export const terminationQuoteView = view('TerminationQuote', quoteFields, (of: TerminationQuote) => of)

const DECIMALS = 100

/**
 * Returns the fine for an early termination: the agreed fine in proportion to the remaining part of the current period,
 * half up (Lei 8.245, art. 4).
 */
export const terminationQuote = ({ contract, payments }: Pick<ContractDetail, 'contract' | 'payments'>, on: Day) => {
  const { id: contractId, endDate, terminationFineCents, status } = contract
  if (status !== 'Active') return left(ENDED)
  if (terminationFineCents === null) return left(failure('conflict', 'contract.no-termination-fine'))
  // During the former period of a contract that was renewed ahead, all of the new period remains.
  const periods = periodsOf(contract)
  const { startDate } = periods.findLast((each) => each.startDate <= on) ?? periods[0] ?? contract
  const total = termOf(startDate, endDate)
  const served = termOf(startDate, on < endDate ? on : endDate)
  const remaining = total.parts * served.of - served.parts * total.of
  const fineCents = halfUpRatio(
    BigInt(terminationFineCents) * BigInt(remaining),
    BigInt(total.parts) * BigInt(served.of),
  )
  const open = payments.filter((each) => isOpen(each) && each.dueDate <= on)
  const openValueCents = open.reduce((sum, { valueCents }) => sum + valueCents, 0)
  const quote: TerminationQuote = {
    ...{ contractId, on, startDate, endDate, terminationFineCents, fineCents, openValueCents },
    remainingMonths: halfUpRatio(remaining * DECIMALS, total.of * served.of) / DECIMALS,
    totalMonths: halfUpRatio(total.parts * DECIMALS, total.of) / DECIMALS,
    openPayments: open.length,
    totalCents: fineCents + openValueCents,
  }
  return right(quote)
}

export const quoteTermination =
  (ports: RealEstatePorts) =>
  (actor: Actor, id: string, given: TerminationDay = {}) =>
    withValidInput(ports, terminationDay, given, ({ on = dayOf(ports.clock.steady()) }) =>
      useCaseOf<TerminationQuote>()(async () => {
        const found = await readContract(ports)(actor, id)()
        return isLeft(found) ? found : terminationQuote(found.right, on)
      }),
    )
