import { type Change, patch } from '../../kernel/records/change.ts'
import { always, gte } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { Account } from '../accounts/account.ts'
import { ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import { post } from '../ledger/post.ts'
import { BOLETO_FEE } from '../ledger/transaction-type.ts'
import type { PaymentMethod } from './charge.ts'
import { type Charge, charges } from './charge.ts'
import { entryDetails } from './detail.ts'

/** The fee that the account pays for the issue of a title: of a boleto alone. A payment link's charge owes it until it is paid. */
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

/** Reserves the fee, if the account has as much, before the bank is asked. */
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
      details: entryDetails(charge, { txid }),
    }),
  ]
}

/** Posts the fee that a payment link's charge owes when money arrives for it, once, and never more than is left of that money. */
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

/** The fee once the title exists: a reserved one is posted, an owed one stays owed. */
export const postedFee = ({ issueFee }: Pick<Charge, 'issueFee'>): Charge['issueFee'] =>
  issueFee?.state === 'reserved' ? { ...issueFee, state: 'posted' } : issueFee

/** The fee once the title was not made: a posted one stays, and so does one that an earlier boleto of the charge owes. */
export const releasedFee = ({ issueFee, boleto }: Pick<Charge, 'issueFee' | 'boleto'>): Charge['issueFee'] => {
  const stays = issueFee?.state === 'posted' || (issueFee?.state === 'owed' && boleto !== null)
  return stays ? issueFee : null
}
