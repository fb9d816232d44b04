import { type Change, patch } from '../../../kernel/records/change.ts'
import { always, gte } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh/fresh.ts'
import type { Account } from '../../accounts/account.ts'
import { ledgerAccountId, ledgerAccounts } from '../../ledger/ledger-account.ts'
import { post } from '../../ledger/post.ts'
import { BOLETO_FEE } from '../../ledger/transaction-type.ts'
import type { Charge } from '../charge.ts'
import type { PaymentMethod } from '../charge-fields.ts'
import { entryDetails } from '../entry-details.ts'

/** What the account pays for the bank's making of a title: of a boleto alone. Source: decisions.md §11, Fees. */
export const issueFeeOf = (
  paymentMethod: PaymentMethod,
  { taxes: fees }: Pick<Account, 'taxes'>,
): Charge['issueFee'] =>
  paymentMethod === 'BOLETO' && fees.boletoCents > 0 ? { cents: fees.boletoCents, state: 'reserved' } : null

type Owing = Pick<Charge, 'accountId' | 'issueFee'>

const bookOf = ({ accountId }: Pick<Charge, 'accountId'>): string => ledgerAccountId(accountId, 'main')

/** Takes the fee out of what may be spent, where there is as much: before the bank is asked. */
export const reserveIssueFee = ({ issueFee, ...of }: Owing): readonly Change[] =>
  issueFee?.state === 'reserved'
    ? [
        patch(ledgerAccounts, bookOf(of), {
          add: { availableCents: -issueFee.cents },
          when: gte('availableCents', issueFee.cents),
        }),
      ]
    : []

/** Gives back what was reserved. */
export const releaseIssueFee = ({ issueFee, ...of }: Owing): readonly Change[] =>
  issueFee?.state === 'reserved'
    ? [patch(ledgerAccounts, bookOf(of), { add: { availableCents: issueFee.cents }, when: always })]
    : []

/** Posts the fee of a boleto that is there, once for a charge, and gives back what was reserved for it. */
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
      telling: entryDetails(charge, { txid }),
    }),
  ]
}

/** The fee as it is once it was posted. */
export const postedFee = ({ issueFee }: Pick<Charge, 'issueFee'>): Charge['issueFee'] =>
  issueFee && { ...issueFee, state: 'posted' }

/** The fee as it is once nothing came of it: one that was posted stays. */
export const releasedFee = ({ issueFee }: Pick<Charge, 'issueFee'>): Charge['issueFee'] =>
  issueFee?.state === 'posted' ? issueFee : null
