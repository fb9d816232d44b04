import { failure } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { SNAKE_CASE } from '../../../kernel/input/field.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import type { ReceivedPix } from '../../../ports/bank.ts'
import { byKey, listOf, type Store } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import { reserveUnique } from '../../claim.ts'
import { type Entry, postedPayments } from '../../ledger/ledger.ts'
import { post } from '../../ledger/post.ts'
import { TRANSFER_IN } from '../../ledger/transaction-type.ts'
import { NO_RECORD, recordEvent } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { uuidOfOpenTxid } from '../../pix/pix-id.ts'
import { PAYMENT_TYPE_IDS, paymentLines } from './payment-lines.ts'
import { receivedPix } from './payment-notice.ts'
import { receivedPixView } from './received-pix-view.ts'

/** What money without a charge is decided on. */
export interface ReceivedFacts {
  /** Whose it is; null where nobody's. */
  readonly account: Account | null
  /** The line that posted a payment of this id, for whatever charge or account. */
  readonly posted: Entry | null
}

export interface Received {
  readonly accountId: number
  /** False where this payment was posted before. */
  readonly posted: boolean
}

/** The payment without what told whose it is. */
export type Credit = Omit<ReceivedPix, 'pixKey'>

/**
 * Takes money that reached an account and no charge of it: posts it once, fee included, and tells of it, in one commit.
 * Fails: `fields`, `account.unknown` (no account has the key, nor that open code), `payment.contradictory` (it was posted with another amount).
 * Source: decisions.md §9, Others.
 */
export const receivePix = (ports: PaymentsPorts) => (told: ReceivedPix) =>
  withValidInput(ports, receivedPix, told, (pix) =>
    useCase(
      ports,
      async (store) => ({ account: await accountOf(store, pix), posted: await postedOf(store, pix) }),
      (facts, fresh) => decideReceived(facts, pix, fresh),
    ),
  )

/** Whose key it reached; of a key that is nobody's any more, whose open code was paid. */
export const accountOf = async (
  store: Store,
  { pixKey, txid }: Pick<ReceivedPix, 'pixKey' | 'txid'>,
): Promise<Account | null> => {
  const uuid = txid === null ? null : uuidOfOpenTxid(txid)
  return (await accountOfKey(store, pixKey)) ?? (uuid === null ? null : await store.find(byKey(accounts, 'uuid', uuid)))
}

/** Of several that have the key, the one that had it first. */
const accountOfKey = async (store: Store, pixKey: string): Promise<Account | null> => {
  const sort = { by: 'createdAt', dir: 'asc' } as const
  const { records } = await store.list(listOf(accounts, { where: eq('pixKey', pixKey), sort, limit: 1 }))
  return records[0] ?? null
}

/** An internal transfer is a Pix, too: where the bank tells of it, its money is there. */
const CREDIT_TYPE_IDS = [...PAYMENT_TYPE_IDS, TRANSFER_IN.id]

/** The line that posted a payment of this id, if any. */
export const postedOf = async (
  store: Store,
  { endToEndId }: Pick<ReceivedPix, 'endToEndId'>,
): Promise<Entry | null> => {
  const { records } = await store.list(postedPayments(endToEndId, CREDIT_TYPE_IDS))
  return records[0] ?? null
}

/** Credits an account with money that no charge asked for, once. */
export const decideReceived = ({ account, posted }: ReceivedFacts, pix: Credit, fresh: Fresh) => {
  if (posted) {
    // Whatever it was posted for, its money is there.
    if (posted.valueCents !== pix.valueCents) return left(failure('conflict', 'payment.contradictory'))
    return accept<Received>({ accountId: posted.accountId, posted: false })
  }
  if (!account) return left(failure('not-found', 'account.unknown'))
  const { id: accountId } = account
  const { endToEndId, txid, payer } = pix
  return accept<Received>(
    { accountId, posted: true },
    reserveUnique('pix-in', endToEndId, `account ${accountId}`, accountId),
    ...post(fresh, {
      accountId,
      kind: 'main',
      cause: `pix-in:${endToEndId}`,
      lines: paymentLines('PIX', account, { ...pix, method: 'pix' }),
      telling: { description: DESCRIPTION, chargeId: null, txid, endToEnd: endToEndId, payer, receiver: null },
    }),
    recordEvent(fresh, 'pix.received', {
      accountId,
      subjectId: NO_RECORD,
      data: receivedPixView.on(SNAKE_CASE).encode(pix),
      urls: [],
    }),
  )
}

const DESCRIPTION = 'Pix recebido'
