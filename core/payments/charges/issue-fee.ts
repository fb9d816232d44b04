import { always, type Change, gte, patch } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import type { Account } from '../accounts/account.ts'
import { ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import { post } from '../ledger/post.ts'
import { BOLETO_FEE } from '../ledger/transaction-type.ts'
import { type Charge, charges, type PaymentMethod } from './charge.ts'
import { entryDetails } from './detail.ts'

/** Returns the issue fee of a charge; only a boleto has one. The charge of a payment link owes it until it is paid. */
export const issueFeeOf = (
  paymentMethod: PaymentMethod,
  { taxes: fees }: Pick<Account, 'taxes'>,
  linkId: Charge['linkId'] = null,
): Charge['issueFee'] =>
  paymentMethod === 'BOLETO' && fees.boletoCents > 0
    ? { cents: fees.boletoCents, state: linkId === null ? 'reserved' : 'owed' }
    : null

type Owing = Pick<Charge, 'accountId' | 'issueFee'>

const bookOf = ({ accountId }: Pick<Charge, 'accountId'>): string => ledgerAccountId(accountId, 'main')

/** Reserves the fee before the request to the bank; the commit fails if the balance is too low. */
export const reserveIssueFee = ({ issueFee, ...of }: Owing): readonly Change[] =>
  issueFee?.state === 'reserved'
    ? [
        patch(ledgerAccounts, bookOf(of), {
          add: { availableCents: -issueFee.cents },
          when: gte('availableCents', issueFee.cents),
        }),
      ]
    : []

/** Releases the reserved fee. */
export const releaseIssueFee = ({ issueFee, ...of }: Owing): readonly Change[] =>
  issueFee?.state === 'reserved'
    ? [patch(ledgerAccounts, bookOf(of), { add: { availableCents: issueFee.cents }, when: always })]
    : []

/** Posts the reserved fee of an existing boleto, once per charge, and releases the reserve. */
export const postIssueFee = (fresh: Fresh, charge: Charge, txid: string): readonly Change[] => {
  const { issueFee } = charge
  if (issueFee?.state !== 'reserved') return []
  return [
    ...releaseIssueFee(charge),
    ...post(fresh, {
      accountId: charge.accountId,
      kind: 'main',
      cause: `boleto-issue:${charge.id}`,
      lines: [{ type: BOLETO_FEE, valueCents: -issueFee.cents, against: 'fees' }],
      details: entryDetails(charge, { txid }),
    }),
  ]
}

/** Posts the owed fee of a payment link's charge at its first payment: at most `leftCents`, the rest of that payment. */
export const postOwedFee = (fresh: Fresh, charge: Charge, leftCents: number): readonly Change[] => {
  const { id, accountId, issueFee, txid } = charge
  if (issueFee?.state !== 'owed') return []
  const cents = Math.min(issueFee.cents, leftCents)
  const posted = { ...issueFee, state: 'posted' } as const
  return [
    patch(charges, id, { set: { issueFee: posted }, when: always }),
    ...(cents === 0
      ? []
      : post(fresh, {
          accountId,
          kind: 'main',
          cause: `boleto-issue:${id}`,
          lines: [{ type: BOLETO_FEE, valueCents: -cents, against: 'fees' }],
          details: entryDetails(charge, { txid }),
        })),
  ]
}

/** Returns the fee after the title was created: a reserved fee is posted, an owed one stays owed. */
export const postedFee = ({ issueFee }: Pick<Charge, 'issueFee'>): Charge['issueFee'] =>
  issueFee?.state === 'reserved' ? { ...issueFee, state: 'posted' } : issueFee

/** Returns the fee after the title failed: a posted fee stays, and so does the owed fee of an earlier boleto. */
export const releasedFee = ({ issueFee, boleto }: Pick<Charge, 'issueFee' | 'boleto'>): Charge['issueFee'] => {
  const stays = issueFee?.state === 'posted' || (issueFee?.state === 'owed' && boleto !== null)
  return stays ? issueFee : null
}
