import type { PaymentNotice } from '../../../ports/bank.ts'
import type { Account, Fees } from '../../accounts/account.ts'
import type { Line } from '../../ledger/post.ts'
import {
  BOLEPIX_FEE,
  BOLEPIX_IN,
  BOLETO_FEE,
  BOLETO_IN,
  PIX_IN,
  PIX_IN_FEE,
  type TransactionType,
} from '../../ledger/transaction-type.ts'
import type { PaymentMethod } from '../charge-fields.ts'

interface Posting {
  readonly gross: TransactionType
  readonly fee: TransactionType
  readonly feeCents: (fees: Fees) => number
}

const PIX: Posting = { gross: PIX_IN, fee: PIX_IN_FEE, feeCents: ({ pixInCents }) => pixInCents }

const BOLEPIX: Posting = { gross: BOLEPIX_IN, fee: BOLEPIX_FEE, feeCents: ({ bolepixCents }) => bolepixCents }

/** By the way it came: a title that was replaced may have been of another kind than its charge is now. */
const POSTINGS: Readonly<Record<PaymentNotice['method'], Posting>> = {
  pix: PIX,
  boleto: { gross: BOLETO_IN, fee: BOLETO_FEE, feeCents: ({ boletoInCents }) => boletoInCents },
}

/** As what a payment is posted: a bolepix is one however it was paid. Source: decisions.md §11, Fees. */
const postingOf = (method: PaymentMethod, notice: Pick<PaymentNotice, 'method'>): Posting =>
  method === 'BOLEPIX' ? BOLEPIX : POSTINGS[notice.method]

/** The types of what comes in for a title. */
export const PAYMENT_TYPE_IDS: readonly number[] = [PIX_IN, BOLETO_IN, BOLEPIX_IN].map(({ id }) => id)

/** The gross amount, and the fee after it, capped at what came in; a zero fee posts nothing. */
export const paymentLines = (
  method: PaymentMethod,
  { taxes: fees }: Pick<Account, 'taxes'>,
  notice: Pick<PaymentNotice, 'valueCents' | 'method'>,
): readonly Line[] => {
  const { valueCents } = notice
  const { gross, fee, feeCents } = postingOf(method, notice)
  const costs = Math.min(feeCents(fees), valueCents)
  const line: Line = { type: gross, valueCents, against: 'clearing' }
  return costs === 0 ? [line] : [line, { type: fee, valueCents: -costs, against: 'fees' }]
}
