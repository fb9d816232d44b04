import { left, right } from '../../../fp.ts'
import { type Change, patch } from '../../../kernel/records/change.ts'
import { always, eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import type { BankRefund } from '../../../ports/bank.ts'
import type { BankReply, Operation, Told, Verdict } from '../../bank/operation.ts'
import { notLeftBy, UNAVAILABLE } from '../../bank/operation.ts'
import type { Entry } from '../../ledger/ledger.ts'
import { ledgerAccountId, ledgerAccounts } from '../../ledger/ledger.ts'
import { post } from '../../ledger/post.ts'
import { PIX_REFUND } from '../../ledger/transaction-type.ts'
import { charges } from '../charge.ts'
import { NO_CHARGE } from '../charge-failure.ts'
import { entryDetails } from '../entry-details.ts'
import type { FullCharge } from '../read-charge.ts'
import { recordRefund } from '../record-charge-event.ts'
import { refundableId } from './received-pix.ts'
import { type Refund, refundablePix, refunds } from './refund.ts'

/** A charge of which something was given back, or is on its way. */
export interface RefundedCharge extends FullCharge {
  /** False while the bank has not said what became of it. */
  readonly isAnswered: boolean
}

/** What the bank's answer is decided on. */
export interface RefundFacts {
  readonly refund: Refund
  readonly detail: FullCharge
  /** The line that posted the Pix. */
  readonly entry: Entry
}

export type RefundCode = 'charge.unknown' | 'bank.refused' | 'bank.unavailable'

/** What a bank says that gives no reason. */
const NO_REASON = 'O banco não fez a devolução.'

/** What the bank has said makes of a refund: it is posted, or what was reserved for it is freed. Source: issue 14. */
export const decideRefunded = (
  { attempts }: Pick<Operation, 'attempts'>,
  facts: RefundFacts | null,
  reply: BankReply<BankRefund>,
  fresh: Fresh,
): Verdict<RefundedCharge, RefundCode> => {
  if (!facts) return { is: 'withdrawn', value: left(NO_CHARGE) }
  const value = right({ ...facts.detail, isAnswered: false })
  if (reply.outcome === 'unknown') return { is: 'asking', value }
  // Somebody else may have reached the bank: what it says to them counts.
  if (reply.outcome === 'unavailable') return attempts > 0 ? { is: 'superseded', value } : failed(facts, UNAVAILABLE)
  if (reply.outcome !== 'done') return failed(facts, reply.outcome === 'refused' ? reply.reason : NO_REASON)
  if (reply.value.status === 'processing') return { is: 'asking', value }
  if (reply.value.status === 'failed') return failed(facts, reply.value.reason ?? NO_REASON)
  return { is: 'done', ...completed(facts, reply.value, fresh) }
}

/**
 * What whoever comes later is told. Where the bank gave back all the same what had failed here, that is posted: the bank's word
 * is what happened to the money.
 */
export const decideLateRefund = (
  facts: RefundFacts | null,
  reply: BankReply<BankRefund> | null,
  fresh: Fresh,
): Told<RefundedCharge, RefundCode> => {
  if (!facts) return { value: left(NO_CHARGE) }
  const { refund, detail } = facts
  if (refund.status !== 'failed') return { value: right({ ...detail, isAnswered: refund.status === 'completed' }) }
  const isReturned = reply?.outcome === 'done' && reply.value.status === 'returned'
  return isReturned ? completed(facts, reply.value, fresh) : { value: left(notLeftBy(refund.failure ?? NO_REASON)) }
}

/** What was taken out of the book for it. */
const reserveOf = ({ accountId }: Refund, cents: number): Change =>
  patch(ledgerAccounts, ledgerAccountId(accountId, 'main'), { add: { availableCents: cents }, when: always })

const failed = ({ refund, entry }: RefundFacts, why: string): Verdict<RefundedCharge, RefundCode> => {
  const { id, valueCents } = refund
  return {
    is: 'refused',
    reason: why,
    value: left(notLeftBy(why)),
    changes: [
      patch(refunds, id, { set: { status: 'failed', failure: why }, when: eq('status', 'pending') }),
      patch(refundablePix, refundableId(entry), { add: { refundableCents: valueCents }, when: always }),
      reserveOf(refund, valueCents),
    ],
  }
}

const completed = (
  { refund, detail, entry }: RefundFacts,
  { returnId }: BankRefund,
  fresh: Fresh,
): Told<RefundedCharge, RefundCode> & { readonly changes: readonly Change[] } => {
  const { id, valueCents, status } = refund
  const { now } = fresh
  const set = { status: 'completed', failure: null, returnId, completedAt: now } as const
  const charge = {
    ...detail.charge,
    refundedCents: (detail.charge.refundedCents ?? 0) + valueCents,
    updatedAt: now,
  }
  const after: FullCharge = {
    ...detail,
    charge,
    refunds: detail.refunds.map((each) => (each.id === id ? { ...each, ...set } : each)),
  }
  const take = { refundedCents: [[charges.name, charge.id], 'refundedCents'] } as const
  return {
    value: right({ ...after, isAnswered: true }),
    changes: [
      patch(refunds, id, { set, when: eq('status', status) }),
      status === 'pending'
        ? reserveOf(refund, valueCents)
        : patch(refundablePix, refundableId(entry), { add: { refundableCents: -valueCents }, when: always }),
      patch(charges, charge.id, { set: { updatedAt: now }, add: { refundedCents: valueCents }, when: always }),
      ...post(fresh, {
        accountId: refund.accountId,
        kind: 'main',
        cause: refundCause(id),
        lines: [{ type: PIX_REFUND, valueCents: -valueCents, against: 'clearing' }],
        telling: entryDetails(charge, { txid: entry.txid, endToEnd: entry.endToEnd, receiver: entry.payer }),
      }),
      ...recordRefund(fresh, after, { ...refund, ...set }, take),
    ],
  }
}

/** What a refund is posted by, once. */
export const refundCause = (id: string): string => `pix-refund:${id}`
