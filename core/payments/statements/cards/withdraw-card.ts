import { failure } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { money } from '../../../kernel/input/scalars.ts'
import { output, view } from '../../../kernel/input/view.ts'
import { gte } from '../../../kernel/records/where.ts'
import { type Fresh, randomCode } from '../../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { type Account, accounts, stillActive } from '../../accounts/account.ts'
import type { Actor } from '../../actor.ts'
import type { Entry } from '../../ledger/entry.ts'
import { type LedgerAccount, ledgerAccountId, ledgerAccounts } from '../../ledger/ledger-account.ts'
import { post, postedEntries } from '../../ledger/post.ts'
import { CARD_WITHDRAWAL } from '../../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { transactionView } from '../transaction-view.ts'

/** Source: 02-billing.md, Statements (POST /transactions/card/withdraw). */
export const newCardWithdrawal = input('NewCardWithdrawal', {
  amountCents: money({ wire: 'amount', minCents: 1, about: 'Quanto passa do saldo de cartão ao saldo da conta' }),
})

export type NewCardWithdrawal = InputOf<typeof newCardWithdrawal>

/** What was moved from the card balance to the balance that can be spent. */
export interface CardWithdrawal {
  readonly amountCents: number
  /** What the card balance has after it. */
  readonly balanceCents: number
  readonly txid: string
  /** What left the card balance, and what came into the other. */
  readonly transactions: readonly Entry[]
}

const TXID_CHARS = 25
const DESCRIPTION = 'Saque do saldo de cartão'

interface Facts {
  readonly account: Account | null
  readonly card: LedgerAccount | null
}

/**
 * Moves an amount from what was sold by card to what can be spent, in one movement: without a PIN, a fee or a bank.
 * Fails: `fields`, `account.unknown`, `organization.inactive`, `card-balance.insufficient`.
 * Source: 02-billing.md, Statements; decisions.md §4 and §11, Fees.
 */
export const withdrawCard =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: NewCardWithdrawal) =>
    withValidInput(ports, newCardWithdrawal, given, (asked) =>
      useCase(
        ports,
        (store) => readFacts(store, accountId),
        (facts, fresh) => decideCardWithdrawal(facts, asked, fresh),
      ),
    )

const readFacts = (store: Store, accountId: number): Promise<Facts> =>
  store.read({
    account: byId(accounts, accountId),
    card: byId(ledgerAccounts, ledgerAccountId(accountId, 'card')),
  })

export const decideCardWithdrawal = (
  { account, card }: Facts,
  { amountCents }: DecodedOf<typeof newCardWithdrawal>,
  fresh: Fresh,
) => {
  if (!account) return left(failure('not-found', 'account.unknown'))
  if (account.status !== 'ACTIVE') return left(failure('forbidden', 'organization.inactive'))
  if (!card || card.availableCents < amountCents) return left(failure('refused', 'card-balance.insufficient'))
  const txid = randomCode(fresh, TXID_CHARS)
  const posted = post(fresh, {
    accountId: account.id,
    kind: 'card',
    cause: `card-withdrawal:${txid}`,
    // Many at once are all decided on the same balance: what is left of it is asked for again as each is posted.
    lines: [
      { type: CARD_WITHDRAWAL, valueCents: -amountCents, against: 'main', when: gte('availableCents', amountCents) },
    ],
    telling: { description: DESCRIPTION, chargeId: null, txid, endToEnd: null, payer: null, receiver: null },
  })
  return accept<CardWithdrawal>(
    (taken) => {
      const transactions = postedEntries(posted, taken)
      return { amountCents, balanceCents: transactions[0]?.balanceCents ?? 0, txid, transactions }
    },
    stillActive(account.id),
    ...posted,
  )
}

/** Source: 02-billing.md, Statements (POST /transactions/card/withdraw). */
export const cardWithdrawalView = view(
  'CardWithdrawal',
  {
    message: output.text({ about: 'O que aconteceu, para pessoas' }),
    amountCents: output.money({ wire: 'amount', about: 'Quanto passou ao saldo da conta' }),
    balanceCents: output.money({ wire: 'balance', about: 'Saldo de cartão depois do saque' }),
    txid: output.text({ about: 'Identificador do saque' }),
    transactions: output.views(transactionView, { about: 'O que saiu do saldo de cartão e o que entrou no da conta' }),
  },
  (withdrawal: CardWithdrawal) => ({ ...withdrawal, message: 'Saque realizado com sucesso.' }),
)
