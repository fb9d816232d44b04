import { type Either, left, right } from '../../../fp.ts'
import { insert, patch } from '../../../kernel/records/change.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import type { BankReply, Told, Verdict } from '../../bank/operation.ts'
import { bankOperations, type Operation } from '../../bank/operation.ts'
import { asRead, type Charge, chargeMoves, charges, isOver, searchTextOf, whileAsked } from '../charge.ts'
import { failedBy, MISTAKEN, NO_CHARGE, toldOfCharge, UNAVAILABLE, WITHDRAWN } from '../charge-failure.ts'
import type { ChargeDetail } from '../find-charge.ts'
import { recordChargeEvent } from '../record-charge-event.ts'
import { newCancellation } from './cancel-title.ts'
import { postedFee, postIssueFee, releasedFee, releaseIssueFee } from './issue-fee.ts'
import type { MadeTitle } from './made-title.ts'

/** With what it can fail. */
export type TitleCode = 'charge.unknown' | 'bank.refused' | 'bank.unavailable'
type Outcome = Verdict<ChargeDetail, TitleCode>

/** Turns the bank's answer into the charge's next state, once. Source: decisions.md §9. */
export const decideTitle = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Operation,
  detail: ChargeDetail | null,
  reply: BankReply<MadeTitle>,
  fresh: Fresh,
): Outcome => {
  if (!detail) return { is: 'withdrawn', value: left(NO_CHARGE) }
  if (reply.outcome === 'unknown') return { is: 'asking', value: right(detail) }
  // The first to ask took so long that somebody else asks too: what the bank says to them counts.
  if (reply.outcome === 'unavailable' && operation.attempts > 0) return { is: 'superseded', value: right(detail) }
  if (reply.outcome === 'done') return made(cipher, operation, detail, reply.value, fresh)
  if (reply.outcome === 'withdrawn') return { ...withdrawn(operation, detail, fresh), is: 'withdrawn' }
  return refused(operation, detail, reply.outcome === 'refused' ? reply.reason : UNAVAILABLE, fresh)
}

const NEVER_MADE = { failure: WITHDRAWN, operationId: null } as const

const made = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Operation,
  detail: ChargeDetail,
  title: MadeTitle,
  fresh: Fresh,
): Outcome => {
  const { charge } = detail
  const isGood = title.mismatch === null
  if (isGood && !isOver(charge, fresh.steady)) return titled(operation, detail, title, fresh)
  if (title.isCancelled) return isGood ? withdrawn(operation, detail, fresh) : mistaken(operation, detail, fresh)
  // Nobody is told of a title that is closed as soon as it is known.
  const cancellation = newCancellation(cipher, charge, operation.id, fresh)
  const closing = insert(bankOperations, cancellation)
  const { changes, ...outcome } = isGood
    ? withdrawn(operation, detail, fresh, cancellation.id)
    : mistaken(operation, detail, fresh, cancellation.id)
  return { ...outcome, changes: [...(changes ?? []), closing] }
}

/** The charge has what it is paid by: from now on it can be. */
const titled = (operation: Operation, detail: ChargeDetail, { pix, boleto }: MadeTitle, fresh: Fresh): Outcome => {
  const { charge, client } = detail
  const nossoNumero = boleto?.nossoNumero ?? null
  const set = {
    pix,
    operationId: null,
    issueFee: postedFee(charge),
    ...(boleto && { boleto, nossoNumero, search: searchTextOf({ ...charge, nossoNumero }, client) }),
  }
  const { value, changes } = becomes(operation, detail, set, fresh)
  const after = { ...detail, charge: { ...charge, ...set, updatedAt: fresh.now } }
  const fee = postIssueFee(fresh, charge, operation.id)
  return { is: 'done', value, changes: [...changes, ...fee, ...recordChargeEvent(fresh, 'charge.created', after)] }
}

const withdrawn = (
  operation: Operation,
  detail: ChargeDetail,
  fresh: Fresh,
  operationId: string | null = null,
): Outcome => {
  const { value, changes } = becomes(operation, detail, { ...NEVER_MADE, ...unpaidFee(detail), operationId }, fresh)
  return { is: 'done', value, changes: [...changes, ...releaseIssueFee(detail.charge)] }
}

const mistaken = (operation: Operation, detail: ChargeDetail, fresh: Fresh, operationId: string | null = null) =>
  refused(operation, detail, MISTAKEN, fresh, operationId)

const unpaidFee = ({ charge }: ChargeDetail) => ({ issueFee: releasedFee(charge) })

const refused = (
  operation: Operation,
  detail: ChargeDetail,
  why: string,
  fresh: Fresh,
  operationId: string | null = null,
): Outcome => {
  const { charge } = detail
  const fails = chargeMoves.can(charge.status, 'failed')
  const status = fails ? { status: 'failed' as const } : {}
  const set = { ...status, ...unpaidFee(detail), failure: why, operationId }
  const after = { ...detail, charge: { ...charge, ...set, updatedAt: fresh.now } }
  const told = fails ? recordChargeEvent(fresh, 'charge.failed', after) : []
  const { changes } = becomes(operation, detail, set, fresh)
  const value = left(failedBy(why, 'bank.refused'))
  return { is: 'refused', reason: why, value, changes: [...changes, ...releaseIssueFee(charge), ...told] }
}

/** The charge with these fields, and what makes them so. */
const becomes = (operation: Operation, detail: ChargeDetail, fields: Partial<Charge>, { now }: Fresh) => {
  const { charge } = detail
  const set = { ...fields, updatedAt: now }
  const value: Either<never, ChargeDetail> = right({ ...detail, charge: { ...charge, ...set } })
  return { value, changes: [patch(charges, charge.id, { set, when: whileAsked(operation, charge) })] }
}

/** What whoever comes after the bank's answer is told of it. */
export const toldOf = (detail: ChargeDetail) => toldOfCharge(detail, 'bank.refused')

/** A title that the bank made for a call that came late, when it had refused another one, is closed: nobody is to pay it. */
export const decideLateTitle = (
  cipher: Pick<Cipher, 'seal'>,
  { id, state }: Pick<Operation, 'id' | 'state'>,
  detail: ChargeDetail | null,
  reply: BankReply<MadeTitle> | null,
  fresh: Fresh,
): Told<ChargeDetail, TitleCode> => {
  if (!detail) return { value: left(NO_CHARGE) }
  const { charge } = detail
  const value = toldOf(detail)
  const isLate = state !== 'done' && reply?.outcome === 'done' && !reply.value.isCancelled
  if (!isLate || charge.operationId !== null) return { value }
  const cancellation = newCancellation(cipher, charge, id, fresh)
  const set = { operationId: cancellation.id, updatedAt: fresh.now }
  return {
    value,
    changes: [patch(charges, charge.id, { set, when: asRead(charge) }), insert(bankOperations, cancellation)],
  }
}
