import { failure, invalid, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import type { DecodedOf } from '../../kernel/input/input.ts'
import { type Change, check, patch } from '../../kernel/records/change.ts'
import { all, eq, isIn } from '../../kernel/records/where.ts'
import type { Facts } from '../../kernel/resources/resource.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, type DecisionResult, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { recordEvent } from '../office/events.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { broker } from '../records/broker.ts'
import {
  type Commission,
  type CommissionStatus,
  commission,
  commissionMoves,
  commissions,
} from '../records/commission.ts'
import { contract } from '../records/contract.ts'
import { detailOf, type Related, readRelated } from './commission-detail.ts'
import { type CommissionMove, commissionMove, type NewCommission, newCommission, worthOf } from './new-commission.ts'

type In = Pick<Actor, 'companyId'>
type Sent = DecodedOf<typeof newCommission>

const UNKNOWN = failure('not-found', 'commission.unknown')

/** What may still be replaced and removed. */
const UNPAID: readonly CommissionStatus[] = ['Pending', 'Approved']
const stillUnpaid = ({ id }: Pick<Commission, 'id'>): Change => check(commissions, id, isIn('status', UNPAID))

const live = eq<keyof Commission & string>('removedAt', null)

interface WriteFacts {
  readonly facts: Facts<Commission>
  readonly related: Related
}

const readFacts = async (store: Store, companyId: string, id: string | null, sent: Sent): Promise<WriteFacts> => {
  const [facts, of, by] = await Promise.all([
    commission.readFacts(store, companyId, id, sent),
    contract.find(store, companyId, sent.contractId),
    broker.find(store, companyId, sent.brokerId),
  ])
  const named =
    of && by ? [{ brokerId: by.id, contractId: of.id, clientId: of.clientId, propertyId: of.propertyId }] : []
  return { facts, related: await readRelated(store, companyId, named) }
}

const pointless = ({ references: referred }: Facts<Commission>) =>
  invalid(referred.filter(({ target: found }) => !found).map(({ field }) => issue(field, 'unknown')))

/** A commission as it was sent, with what it is worth, and the copies by which it is found. */
const preparedOf = ({ facts, related }: WriteFacts, sent: Sent) => {
  const [by, of] = [related.brokers.get(sent.brokerId), related.contracts.get(sent.contractId)]
  if (!by || !of) return left(pointless(facts))
  const valueCents = worthOf(sent, of)
  if (valueCents < 1) return left(invalid([issue('percentage', 'commission.worthless')]))
  const { propertyId, clientId, propertyCode, clientName } = of
  return right({
    told: { ...sent, valueCents },
    copies: { brokerName: by.name, propertyId, clientId, propertyCode, clientName },
  })
}

/**
 * Makes a commission, pending: of a percentage it is worth that of the contract's value now, half up.
 * Fails: `fields` (`unknown` broker or contract, `only-one`, `commission.worthless`).
 * Source: 03-real-estate.md, Commissions; decisions.md §10, Figures.
 */
export const createCommission =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, given: NewCommission) =>
    withValidInput(ports, newCommission, given, (sent) =>
      useCase(
        ports,
        (store) => readFacts(store, companyId, null, sent),
        (read, fresh) => {
          const prepared = preparedOf(read, sent)
          if (isLeft(prepared)) return prepared
          const { told, copies } = prepared.right
          const made = commission.create(read.facts, companyId, told, fresh, copies)
          return isLeft(made) ? made : accept(detailOf(made.right.record, read.related), ...made.right.changes)
        },
      ),
    )

/**
 * Replaces what is told of a commission that is not paid: its value is worked out anew from the percentage sent.
 * Fails: `commission.unknown`, `commission.paid`, and as making one does.
 * Source: decisions.md §6 and §10, Edges.
 */
export const replaceCommission =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, id: string, given: NewCommission) =>
    withValidInput(ports, newCommission, given, (sent) =>
      useCase(
        ports,
        (store) => readFacts(store, companyId, id, sent),
        (read, fresh) => {
          const { record } = read.facts
          if (!record) return left(UNKNOWN)
          const prepared = preparedOf(read, sent)
          if (isLeft(prepared)) return prepared
          if (record.status === 'Paid') return left(failure('conflict', 'commission.closed'))
          const { told, copies } = prepared.right
          const made = commission.update(read.facts, told, fresh, copies)
          if (isLeft(made)) return made
          return accept(detailOf(made.right.record, read.related), stillUnpaid(record), ...made.right.changes)
        },
      ),
    )

/** What a move sets beside the state, and of what it tells. */
const MOVED = {
  Pending: null,
  Approved: { at: 'approvedAt', tells: 'commission.approved' },
  Paid: { at: 'paidAt', tells: 'commission.paid' },
} as const

/** That a commission is moved, if it may be. */
export const decideMoved = (
  record: Commission | null,
  { status, notes }: DecodedOf<typeof commissionMove>,
  fresh: Fresh,
): DecisionResult<Commission, 'commission.unknown' | 'commission.move.refused', never> => {
  if (!record) return left(UNKNOWN)
  const moved = MOVED[status]
  if (!moved || !commissionMoves.can(record.status, status)) return left(failure('conflict', 'commission.move.refused'))
  const { now } = fresh
  const set = { status, [moved.at]: now, ...(notes !== undefined && { notes }), updatedAt: now }
  const { companyId, id, brokerId, valueCents } = record
  const told = { companyId, subjectId: id, type: moved.tells, data: { brokerId, valueCents } }
  const change = patch<Commission>(commissions, id, { set, when: all(live, eq('status', record.status)) })
  return accept<Commission>({ ...record, ...set }, change, recordEvent(fresh, told))
}

/**
 * Moves a commission from pending to approved, and on to paid; notes that are told replace those that it has.
 * Fails: `fields`, `commission.unknown`, `commission.move.refused`.
 * Source: 03-real-estate.md, States and transitions.
 */
export const moveCommission =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, id: string, given: CommissionMove) =>
    withValidInput(ports, commissionMove, given, (sent) =>
      useCase(
        ports,
        async (store) => {
          const record = await commission.find(store, companyId, id)
          return { record, related: await readRelated(store, companyId, record ? [record] : []) }
        },
        ({ record, related }, fresh) => {
          const moved = decideMoved(record, sent, fresh)
          if (isLeft(moved)) return moved
          const { value, changes } = moved.right
          return accept((taken) => detailOf(value(taken), related), ...changes)
        },
      ),
    )

/**
 * Removes a commission that was not paid.
 * Fails: `commission.unknown`, `commission.paid`.
 * Source: 03-real-estate.md, Commissions.
 */
export const removeCommission =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, id: string) =>
    useCase(
      ports,
      (store) => commission.readFacts(store, companyId, id, {}),
      (facts, fresh) => {
        const { record } = facts
        if (record?.status === 'Paid') return left(failure('conflict', 'commission.paid'))
        const made = commission.remove(facts, fresh)
        if (isLeft(made) || !record) return left(UNKNOWN)
        return accept(null, stillUnpaid(record), ...made.right.changes)
      },
    )
