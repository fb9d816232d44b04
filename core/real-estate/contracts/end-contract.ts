import { conflict, isLeft, left, right } from '../../failure.ts'
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
import { type Day, dayOf } from '../../kernel/values/day.ts'
import { halfUpRatio } from '../../kernel/values/money.ts'
import { byId, type Store } from '../../ports/store.ts'
import { afterClosingCharges, CHARGED } from '../charging/close-charge.ts'
import { listOfCompany } from '../reads.ts'
import type { Actor, CompanyUser, RealEstatePorts } from '../real-estate-ports.ts'
import {
  type Contract,
  type ContractStatus,
  contract,
  contractFields,
  contractMoves,
  contracts,
} from '../records/contract.ts'
import { historyEntry, unchanged } from '../records/fields.ts'
import { isOpen, type Payment, payments } from '../records/payment.ts'
import { type Property, properties } from '../records/property.ts'
import { afterEnd, afterStoringPaidTerms, findManagement, readManagements } from '../terms/paid-terms.ts'
import { periodsOf, termLength } from '../terms/periods.ts'
import { type ContractMove, contractMove, ENDED, UNKNOWN } from './contract-inputs.ts'
import { type ContractDetail, readContract, readDetail } from './read-contract.ts'
import { isTenure, moveProperty } from './tenure.ts'
import { countActive } from './write-contract.ts'

export const moveContract = (ports: RealEstatePorts) => (user: CompanyUser, id: string, submitted: ContractMove) =>
  withValidInput(ports, contractMove, submitted, (move) =>
    afterClosingCharges(
      ports,
      async () => paymentsToEnd(await readEnding(ports, user.companyId, id), move.status),
      afterStoringPaidTerms(
        ports,
        () => findManagement(ports.store, user.companyId, id),
        useCase(
          ports,
          () => readEnding(ports, user.companyId, id),
          (facts, fresh) => decideMove(facts, user, move, fresh),
        ),
      ),
    ),
  )

/** The most payments that one commit ends together with their contract. */
const MAX_PAYMENTS = 900

/** Reads a contract, its property, its pending payments that are due after today, and the terms of their payment. */
const readEnding = async ({ store, clock }: RealEstatePorts, companyId: string, id: string) => {
  const facts = await contract.readFacts(store, companyId, id, {})
  const { record } = facts
  const later = record ? await readLaterPayments(store, record, dayOf(clock.steady())) : []
  return {
    facts,
    detail: record && (await readDetail(store, record)),
    property: record && (await store.find(byId(properties, record.propertyId))),
    later,
    // Only a payment for which a part has arrived can be marked as paid, by these terms.
    managements:
      record && later.some(({ receivedCents }) => receivedCents !== null)
        ? await readManagements(store, companyId, [record.propertyId])
        : [],
  }
}

type EndingFacts = Awaited<ReturnType<typeof readEnding>>

/** Reads the pending payments of a contract that are due after a day. */
const readLaterPayments = (store: Store, { companyId, id }: Contract, on: Day): Promise<readonly Payment[]> => {
  const where = all(eq('contractId', id), eq('status', 'Pending'), gt('dueDate', on))
  return listOfCompany(store, payments, companyId, { where, when: 'live' })
}

/** Returns the payments that a move ends; none if the move will fail. */
const paymentsToEnd = ({ facts: { record }, later }: EndingFacts, status: ContractStatus): readonly Payment[] =>
  record && contractMoves.can(record.status, status) && status !== 'Renewed' && later.length <= MAX_PAYMENTS
    ? later
    : []

/** Moves a contract to another status. Fails with `payment.charged` while a later payment has a charge. */
const decideMove = (
  { facts: { record }, detail, property, later, managements }: EndingFacts,
  user: CompanyUser,
  { status, reason }: DecodedOf<typeof contractMove>,
  fresh: Fresh,
) => {
  if (!record || !detail) return left(UNKNOWN)
  if (!contractMoves.can(record.status, status)) return conflict('contract.move')
  const isOver = status !== 'Renewed'
  if (isOver && later.length > MAX_PAYMENTS) return conflict('contract.payments')
  if (isOver && later.some(({ chargeId }) => chargeId !== null)) return left(CHARGED)
  const move = moveRecord(record, status, user, reason, fresh)
  const paidFacts = { property, term: record, managements }
  const ended = isOver
    ? later.map((each) => ({ each, set: afterEnd(each, record, paidFacts, fresh.today, fresh) }))
    : []
  const sets = new Map(ended.map(({ each, set }) => [each.id, set]))
  return accept<ContractDetail>(
    { ...detail, contract: move.record, payments: detail.payments.map((each) => ({ ...each, ...sets.get(each.id) })) },
    move.change,
    ...countActive(record, -1),
    ...(isOver ? freeProperty(record, property, user, reason, fresh) : []),
    ...ended.map(({ each, set }) => patchLater(each, set)),
  )
}

/**
 * Moves a contract. The commit is stale if the contract has moved, or has other terms or another broker, or if it has
 * other payments than were read: the counters and the later payments to end depend on them.
 */
const moveRecord = (
  record: Contract,
  status: ContractStatus,
  user: CompanyUser,
  reason: string | null,
  fresh: Fresh,
) => {
  const entry = historyEntry(status, user, reason, fresh)
  const endedOn = status === 'Renewed' ? null : fresh.today
  const set = { status, endedOn, statusHistory: [...record.statusHistory, entry], updatedAt: fresh.now }
  const when = unchanged(record, 'removedAt', 'status', 'brokerId', 'paymentCount', 'rentWrites', 'updatedAt')
  return { record: { ...record, ...set }, change: patch(contracts, record.id, { set, when }) }
}

/** Patches a later payment. The commit is stale if the payment has changed or has a charge. */
const patchLater = (later: Payment, set: Partial<Payment>): Change => {
  const same = unchanged(later, 'status', 'dueDate', 'valueCents', 'receivedCents')
  return patch<Payment>(payments, later.id, { set, when: all(same, eq('chargeId', null)) })
}

export const removeContract = (ports: RealEstatePorts) => (user: CompanyUser, id: string) =>
  afterStoringPaidTerms(
    ports,
    () => findManagement(ports.store, user.companyId, id),
    useCase(
      ports,
      async (store) => {
        const facts = await contract.readFacts(store, user.companyId, id, {})
        return { facts, property: facts.record && (await store.find(byId(properties, facts.record.propertyId))) }
      },
      ({ facts, property }, fresh) => {
        const decision = contract.remove(facts, fresh)
        if (isLeft(decision)) return decision
        const { record, changes } = decision.right
        const isActive = record.status === 'Active'
        const ending = isActive
          ? [...countActive(record, -1), ...freeProperty(record, property, user, null, fresh)]
          : []
        // Without this guard, a contract that ends concurrently would be subtracted from the counters twice.
        const sameStatus = check(contracts, id, eq('status', record.status))
        return accept(null, sameStatus, ...changes, ...ending)
      },
    ),
  )

/** Sets the property of an ended lease or sale to `Available`, from any status. */
const freeProperty = (
  { type }: Contract,
  property: Property | null,
  { userId }: CompanyUser,
  reason: string | null,
  fresh: Fresh,
) => (property && isTenure(type) ? moveProperty(property, 'Available', { userId, reason }, fresh) : [])

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
  openValueCents: output.money({ wire: 'openValue', about: 'Valor desses pagamentos, sem o que já foi recebido' }),
  totalCents: output.money({ wire: 'total', about: 'Multa e pagamentos em aberto' }),
}

/**
 * The cost of leaving on a day, in cents: the part of the agreed fine for the remaining months (2 decimals), and the
 * unpaid payments that are due by that day.
 */
export type TerminationQuote = Decoded<typeof quoteFields>

export const terminationQuoteView = view('TerminationQuote', quoteFields)

export const quoteTermination =
  (ports: RealEstatePorts) =>
  (actor: Actor, id: string, submitted: TerminationDay = {}) =>
    withValidInput(ports, terminationDay, submitted, ({ on = dayOf(ports.clock.steady()) }) =>
      useCaseOf<TerminationQuote>()(async () => {
        const found = await readContract(ports)(actor, id)()
        return isLeft(found) ? found : terminationQuote(found.right, on)
      }),
    )

const DECIMALS = 100

/**
 * Returns the fine for an early termination: the agreed fine in proportion to the remaining part of the current period,
 * half up (Lei 8.245, art. 4).
 */
export const terminationQuote = ({ contract, payments }: Pick<ContractDetail, 'contract' | 'payments'>, on: Day) => {
  const { id: contractId, endDate, terminationFineCents, status } = contract
  if (status !== 'Active') return left(ENDED)
  if (terminationFineCents === null) return conflict('contract.no-termination-fine')
  // During the former period of a contract that was renewed ahead, all of the new period remains.
  const periods = periodsOf(contract)
  const { startDate } = periods.findLast((each) => each.startDate <= on) ?? periods[0] ?? contract
  const total = termLength(startDate, endDate)
  const served = termLength(startDate, on < endDate ? on : endDate)
  const remaining = total.parts * served.partsPerMonth - served.parts * total.partsPerMonth
  const fineCents = halfUpRatio(
    BigInt(terminationFineCents) * BigInt(remaining),
    BigInt(total.parts) * BigInt(served.partsPerMonth),
  )
  const open = payments.filter((each) => isOpen(each) && each.dueDate <= on)
  const openValueCents = open.reduce(
    (sum, { valueCents, receivedCents }) => sum + Math.max(0, valueCents - (receivedCents ?? 0)),
    0,
  )
  const quote: TerminationQuote = {
    ...{ contractId, on, startDate, endDate, terminationFineCents, fineCents, openValueCents },
    remainingMonths: halfUpRatio(remaining * DECIMALS, total.partsPerMonth * served.partsPerMonth) / DECIMALS,
    totalMonths: halfUpRatio(total.parts * DECIMALS, total.partsPerMonth) / DECIMALS,
    openPayments: open.length,
    totalCents: fineCents + openValueCents,
  }
  return right(quote)
}
