import { failure, refusal } from '../../../failure.ts'
import { type Either, left, right } from '../../../fp.ts'
import { insert, patch } from '../../../kernel/records/change.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh/fresh.ts'
import type { Cipher } from '../../../ports/cipher.ts'
import type { BankReply, Told, Verdict } from '../../bank/handler.ts'
import { bankOperations, type Operation } from '../../bank/operation.ts'
import { type Charge, chargeMoves, charges, isOver } from '../charge.ts'
import type { ChargeDetail } from '../find-charge.ts'
import { recordChargeEvent } from '../record-charge-event.ts'
import { newCancellation } from './cancel-title.ts'

/** What a charge's `failure` says when the bank could not be reached; else it is the bank's own reason. */
const UNAVAILABLE = 'unavailable'
/** The charge was over before the bank had made its title: it has none that anybody is to pay. */
const WITHDRAWN = 'withdrawn'

/** What the bank has made, as a charge keeps it. */
export interface MadeTitle {
  readonly pix: NonNullable<Charge['pix']>
  readonly isCancelled: boolean
}

/** With what it can fail. */
export type TitleCode = 'charge.unknown' | 'bank.refused' | 'bank.unavailable'
type Outcome = Verdict<ChargeDetail, TitleCode>

export const NO_CHARGE = failure('not-found', 'charge.unknown')

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
  if (reply.outcome === 'withdrawn') return { is: 'withdrawn', ...becomes(operation, detail, NEVER_MADE, fresh) }
  return refused(operation, detail, reply.outcome === 'refused' ? reply.reason : UNAVAILABLE, fresh)
}

const NEVER_MADE = { failure: WITHDRAWN, operationId: null } as const

const made = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Operation,
  detail: ChargeDetail,
  { pix, isCancelled }: MadeTitle,
  fresh: Fresh,
): Outcome => {
  const { charge, client } = detail
  if (!isOver(charge, fresh.now)) {
    const { value, changes } = becomes(operation, detail, { pix, operationId: null }, fresh)
    const after = { ...charge, pix, operationId: null, updatedAt: fresh.now }
    return { is: 'done', value, changes: [...changes, recordChargeEvent(fresh, 'charge.created', after, client)] }
  }
  if (isCancelled) return { is: 'done', ...becomes(operation, detail, NEVER_MADE, fresh) }
  // Nobody is told of a title that is closed as soon as it is known.
  const cancellation = newCancellation(cipher, charge, pix.txid, fresh)
  const set = { ...NEVER_MADE, operationId: cancellation.id }
  const { value, changes } = becomes(operation, detail, set, fresh)
  return { is: 'done', value, changes: [...changes, insert(bankOperations, cancellation)] }
}

const refused = (operation: Operation, detail: ChargeDetail, why: string, fresh: Fresh): Outcome => {
  const { charge, client } = detail
  const fails = chargeMoves.can(charge.status, 'failed')
  const set = { ...(fails ? { status: 'failed' as const } : {}), failure: why, operationId: null }
  const after: Charge = { ...charge, ...set, updatedAt: fresh.now }
  const told = fails ? [recordChargeEvent(fresh, 'charge.failed', after, client)] : []
  const { changes } = becomes(operation, detail, set, fresh)
  return { is: 'refused', reason: why, value: left(refusalOf(why)), changes: [...changes, ...told] }
}

/** The charge with these fields, and what makes them so. */
const becomes = ({ id }: Operation, detail: ChargeDetail, fields: Partial<Charge>, { now }: Fresh) => {
  const { charge } = detail
  const set = { ...fields, updatedAt: now }
  const when = all<'operationId' | 'status'>(eq('operationId', id), eq('status', charge.status))
  const value: Either<never, ChargeDetail> = right({ ...detail, charge: { ...charge, ...set } })
  return { value, changes: [patch(charges, charge.id, { set, when })] }
}

const refusalOf = (why: string) =>
  why === UNAVAILABLE ? failure('refused', 'bank.unavailable') : refusal('bank.refused', why)

/** What whoever comes after the bank's answer is told of it. */
export const toldOf = (detail: ChargeDetail): Either<ReturnType<typeof refusalOf>, ChargeDetail> => {
  const { failure: why } = detail.charge
  return why === null || why === WITHDRAWN ? right(detail) : left(refusalOf(why))
}

/** A title that the bank made for a call that came late, when it had refused another one, is closed: nobody is to pay it. */
export const decideLateTitle = (
  cipher: Pick<Cipher, 'seal'>,
  { state }: Pick<Operation, 'state'>,
  detail: ChargeDetail | null,
  reply: BankReply<MadeTitle> | null,
  fresh: Fresh,
): Told<ChargeDetail, TitleCode> => {
  if (!detail) return { value: left(NO_CHARGE) }
  const { charge } = detail
  const value = toldOf(detail)
  const isLate = state !== 'done' && reply?.outcome === 'done' && !reply.value.isCancelled
  if (!isLate || charge.operationId !== null) return { value }
  const cancellation = newCancellation(cipher, charge, reply.value.pix.txid, fresh)
  const set = { operationId: cancellation.id, updatedAt: fresh.now }
  return {
    value,
    changes: [patch(charges, charge.id, { set, when: eq('operationId', null) }), insert(bankOperations, cancellation)],
  }
}
