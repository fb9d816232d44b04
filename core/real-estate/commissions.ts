import { conflict, failure, invalid, isLeft, issue, left, right } from '../failure.ts'
import {
  type DecodedOf,
  exactlyOne,
  type InputOf,
  input,
  nullIfAbsent,
  oneOf,
  optional,
  output,
  type Paging,
  paging,
  pick,
  view,
} from '../kernel/input/mod.ts'
import { type Change, check, isIn, patch } from '../kernel/records/record.ts'
import { acceptMade, type ResourceFilter, scopeOf } from '../kernel/resources/plain-use-cases.ts'
import { type Facts, recordsById } from '../kernel/resources/queries.ts'
import { accept, readUseCase, useCase, useCaseOf, withValidInput } from '../kernel/running/use-case.ts'
import type { PageOf, Store } from '../ports/store.ts'
import { recordEvent } from './office.ts'
import { readBrokerScope, readPage, readParties } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, CompanyActor, RealEstatePorts } from './real-estate-ports.ts'
import {
  COMMISSION_STATUSES,
  type Commission,
  type CommissionStatus,
  commissions as collection,
  commission,
  commissionFields,
  commissionMoves,
} from './records/commission.ts'
import { type Contract, contract, contractFields, contracts, copiedFields } from './records/contract.ts'
import { createdAt, id, namedView, notes, percentOf, unchanged } from './records/fields.ts'
import { type Broker, broker, brokerFields, type Client } from './records/people.ts'
import type { Property } from './records/property.ts'

/** The commissions that brokers earn by contracts. */
export const commissions = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Returns a page of the company's commissions, newest first; brokers see their own. The search covers broker name,
     * property code and client name.
     * Fails: `fields`.
     */
    list: listCommissions(ports),
    /**
     * Returns a commission of the company; brokers see their own.
     * Fails: `commission.unknown`.
     */
    read: readCommission(ports),
    /**
     * Creates a pending commission: a value in cents, or a percentage of the contract's current value, half up.
     * Fails: `fields` (`unknown` broker or contract, `only-one`, `commission.worthless`: less than a cent).
     */
    create: createCommission(ports),
    /**
     * Replaces the fields of a commission that is not paid; a percentage applies to the contract's current value.
     * Fails: as `create`, and `commission.unknown`, `commission.closed` (already paid).
     */
    replace: replaceCommission(ports),
    /**
     * Moves a commission from pending to approved, and from approved to paid; notes in the input replace its notes.
     * Fails: `fields`, `commission.unknown`, `commission.move.refused`.
     */
    move: moveCommission(ports),
    /**
     * Removes a commission that is not paid.
     * Fails: `commission.unknown`, `commission.paid`.
     */
    remove: removeCommission(ports),
  }),
} satisfies RealEstateModule

/** The fields of a commission: either a value or a percentage. */
export const newCommission = input('NewCommission', commissionFields, exactlyOne('valueCents', 'percentage'))
export type NewCommission = InputOf<typeof newCommission>

export const commissionMove = input('CommissionMove', {
  status: oneOf(COMMISSION_STATUSES, { about: 'Situação' }),
  notes: optional(notes),
})
export type CommissionMove = InputOf<typeof commissionMove>

/** Returns the value of a commission in cents: its own value, or the percentage of the contract's value, half up. */
export const commissionValue = (
  { valueCents, percentage }: Pick<DecodedOf<typeof newCommission>, 'valueCents' | 'percentage'>,
  { valueCents: ofContract }: Pick<Contract, 'valueCents'>,
): number => valueCents ?? percentOf(ofContract, percentage ?? 0)

/** A commission with its broker and contract. */
export interface CommissionDetail extends Commission {
  readonly broker: Broker | null
  readonly contract: (Contract & { readonly client: Client | null; readonly property: Property | null }) | null
}

/**
 * Reads the parties and contracts of all these commissions at once, removed ones included. Returns a function that
 * returns the detail of one of them.
 */
const readDetails = async (
  store: Pick<Store, 'list'>,
  companyId: string,
  records: readonly Pick<Commission, 'brokerId' | 'contractId' | 'clientId' | 'propertyId'>[],
) => {
  const contractIds = records.map(({ contractId }) => contractId)
  const [partiesOf, found] = await Promise.all([
    readParties(store, companyId, records),
    recordsById(store, contracts, companyId, contractIds),
  ])
  return (record: Commission): CommissionDetail => {
    const { broker, client, property } = partiesOf(record)
    const term = found.get(record.contractId)
    return { ...record, broker, contract: term ? { ...term, client, property } : null }
  }
}

const scope = scopeOf(commission)

const listCommissions =
  (ports: RealEstatePorts) =>
  (actor: Actor, submitted: Paging, filter: ResourceFilter = {}) =>
    withValidInput(ports, paging, submitted, (page) =>
      useCaseOf<PageOf<CommissionDetail>>()(async () => {
        const { store } = ports
        const where = scope.where(await readBrokerScope(store, actor), filter)
        const listed = await readPage(store, { from: collection, where, when: 'live' }, page)
        const { records } = listed
        return right({ ...listed, records: records.map(await readDetails(store, actor.companyId, records)) })
      }),
    )

const readCommission =
  ({ store }: RealEstatePorts) =>
  (actor: Actor, id: string) =>
    readUseCase('commission.unknown', async () => {
      const found = await scope.find(store, await readBrokerScope(store, actor), id)
      return found && (await readDetails(store, actor.companyId, [found]))(found)
    })

type CommissionFields = DecodedOf<typeof newCommission>

const UNKNOWN = failure('not-found', 'commission.unknown')

/** Statuses in which a commission can be replaced and removed. */
const UNPAID: readonly CommissionStatus[] = ['Pending', 'Approved']
const checkUnpaid = ({ id }: Pick<Commission, 'id'>): Change => check(collection, id, isIn('status', UNPAID))

const readFacts = async (store: Store, companyId: string, id: string | null, fields: CommissionFields) => {
  const [facts, agent, term] = await Promise.all([
    commission.readFacts(store, companyId, id, fields),
    broker.find(store, companyId, fields.brokerId),
    contract.find(store, companyId, fields.contractId),
  ])
  const { clientId = null, propertyId = null } = term ?? {}
  return { facts, agent, term, detailOf: await readDetails(store, companyId, [{ ...fields, clientId, propertyId }]) }
}

const unknownReferences = ({ references }: Facts<Commission>) =>
  invalid(references.filter(({ target }) => !target).map(({ field }) => issue(field, 'unknown')))

/** Returns the fields to store: the value in cents, and copies from the broker and the contract. */
const prepareFields = ({ facts, agent, term }: Awaited<ReturnType<typeof readFacts>>, request: CommissionFields) => {
  if (!agent || !term) return left(unknownReferences(facts))
  const valueCents = commissionValue(request, term)
  if (valueCents < 1) return left(invalid([issue('percentage', 'commission.worthless')]))
  return right({ fields: { ...request, valueCents }, copies: { brokerName: agent.name, ...copiedFields(term) } })
}

const createCommission =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, submitted: NewCommission) =>
    withValidInput(ports, newCommission, submitted, (request) =>
      useCase(
        ports,
        (store) => readFacts(store, companyId, null, request),
        (read, fresh) => {
          const prepared = prepareFields(read, request)
          if (isLeft(prepared)) return prepared
          const { fields, copies } = prepared.right
          const decision = commission.create(read.facts, companyId, fields, fresh, copies)
          return acceptMade(decision, read.detailOf)
        },
      ),
    )

const replaceCommission =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, id: string, submitted: NewCommission) =>
    withValidInput(ports, newCommission, submitted, (request) =>
      useCase(
        ports,
        (store) => readFacts(store, companyId, id, request),
        (read, fresh) => {
          const { record } = read.facts
          if (!record) return left(UNKNOWN)
          const prepared = prepareFields(read, request)
          if (isLeft(prepared)) return prepared
          if (record.status === 'Paid') return conflict('commission.closed')
          const { fields, copies } = prepared.right
          const decision = commission.update(read.facts, fields, fresh, copies)
          return acceptMade(decision, read.detailOf, checkUnpaid(record))
        },
      ),
    )

/** The timestamp and the event of a move to a status. */
const MOVES = {
  Pending: null,
  Approved: { at: 'approvedAt', eventType: 'commission.approved' },
  Paid: { at: 'paidAt', eventType: 'commission.paid' },
} as const

const moveCommission =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, id: string, submitted: CommissionMove) =>
    withValidInput(ports, commissionMove, submitted, ({ status, notes }) =>
      useCase(
        ports,
        async (store) => {
          const record = await commission.find(store, companyId, id)
          return { record, detailOf: await readDetails(store, companyId, record ? [record] : []) }
        },
        ({ record, detailOf }, fresh) => {
          if (!record) return left(UNKNOWN)
          const move = MOVES[status]
          if (!move || !commissionMoves.can(record.status, status)) return conflict('commission.move.refused')
          const { now } = fresh
          const set = { status, [move.at]: now, ...(notes !== undefined && { notes }), updatedAt: now }
          const { brokerId, valueCents } = record
          const event = { companyId, subjectId: id, type: move.eventType, data: { brokerId, valueCents } }
          const change = patch<Commission>(collection, id, { set, when: unchanged(record, 'removedAt', 'status') })
          return accept(detailOf({ ...record, ...set }), change, recordEvent(fresh, event))
        },
      ),
    )

const removeCommission =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, id: string) =>
    useCase(
      ports,
      (store) => commission.readFacts(store, companyId, id, {}),
      (facts, fresh) => {
        const { record } = facts
        if (record?.status === 'Paid') return conflict('commission.paid')
        const decision = commission.remove(facts, fresh)
        if (isLeft(decision) || !record) return left(UNKNOWN)
        return accept(null, checkUnpaid(record), ...decision.right.changes)
      },
    )

const brokerOfCommission = view('CommissionBroker', { id, ...pick(brokerFields, 'name', 'creci') })

const property = view('CommissionProperty', { id, code: output.text({ about: 'Código' }) })

const contractOfCommission = view('CommissionContract', {
  id,
  ...pick(contractFields, 'type', 'valueCents'),
  client: nullIfAbsent(output.view(namedView('CommissionClient'), { about: 'O cliente do contrato' })),
  property: nullIfAbsent(output.view(property, { about: 'O imóvel do contrato' })),
})

export const commissionView = view('Commission', {
  id,
  ...pick(commissionFields, 'valueCents', 'percentage'),
  ...pick(commission.spec.internal, 'status'),
  ...pick(commissionFields, 'notes', 'brokerId', 'contractId'),
  broker: nullIfAbsent(output.view(brokerOfCommission, { about: 'O corretor' })),
  contract: nullIfAbsent(output.view(contractOfCommission, { about: 'O contrato' })),
  ...pick(commission.spec.internal, 'approvedAt', 'paidAt'),
  createdAt,
})
