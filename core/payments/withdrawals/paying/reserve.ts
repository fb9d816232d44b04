import { type Change, patch } from '../../../kernel/records/change.ts'
import { always, gte } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import type { Account } from '../../accounts/account.ts'
import { ledgerAccountId, ledgerAccounts } from '../../ledger/ledger-account.ts'
import { type Line, post } from '../../ledger/post.ts'
import { PIX_OUT, PIX_OUT_FEE } from '../../ledger/transaction-type.ts'
import { bankCodeOf } from '../recipients/recipient-view.ts'
import { shownDocument, type Withdrawal } from '../withdrawal.ts'

/** A withdrawal whose value is known. */
export type Valued = Withdrawal & { readonly valueCents: number }

type Spent = Pick<Valued, 'accountId' | 'valueCents' | 'feeCents'>

const bookOf = ({ accountId }: Spent): string => ledgerAccountId(accountId, 'main')
const totalOf = ({ valueCents, feeCents }: Spent): number => valueCents + feeCents

/** Takes value and fee out of what may be spent, where there is as much: before the bank is asked. */
export const reserve = (spent: Spent): Change => {
  const total = totalOf(spent)
  return patch(ledgerAccounts, bookOf(spent), { add: { availableCents: -total }, when: gte('availableCents', total) })
}

/** Gives back what was reserved. */
export const release = (spent: Spent): Change =>
  patch(ledgerAccounts, bookOf(spent), { add: { availableCents: totalOf(spent) }, when: always })

/** What a withdrawal is posted by, once. */
export const pixOutCause = (txid: string): string => `pix-out:${txid}`

/** Posts a withdrawal that has left, once, with its fee beside it. Source: decisions.md §5. */
export const postWithdrawal = (
  fresh: Fresh,
  withdrawal: Valued,
  account: Pick<Account, 'name' | 'document' | 'bankCode' | 'agency' | 'account'>,
): readonly Change[] => {
  const { accountId, valueCents, feeCents, txid, endToEndId, name, ispb, branch } = withdrawal
  const fee: readonly Line[] = feeCents > 0 ? [{ type: PIX_OUT_FEE, valueCents: -feeCents, against: 'fees' }] : []
  return post(fresh, {
    accountId,
    kind: 'main',
    cause: pixOutCause(txid),
    lines: [{ type: PIX_OUT, valueCents: -valueCents, against: 'clearing' }, ...fee],
    telling: {
      description: withdrawal.message ?? `Pix para ${name}`,
      chargeId: null,
      txid,
      endToEnd: endToEndId,
      payer: {
        name: account.name,
        document: account.document,
        bank: account.bankCode,
        branch: account.agency,
        account: account.account,
      },
      receiver: {
        name,
        document: shownDocument(withdrawal),
        bank: bankCodeOf(ispb),
        branch,
        account: withdrawal.account,
      },
    },
  })
}
