import { failure } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { money } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import { all, eq, gte, isIn } from '../../kernel/records/where.ts'
import { type Fresh, randomCode } from '../../kernel/running/fresh.ts'
import { accept, type UseCase, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { PageOf } from '../../kernel/values/page.ts'
import { byId, groupOf, type Store } from '../../ports/store.ts'
import { type Account, accounts, checkActive } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { CARD, type Entry, entries, type LedgerAccount, ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import { post, postedEntries } from '../ledger/post.ts'
import { CARD_SETTLEMENT, CARD_WITHDRAWAL } from '../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Balance, entryPage } from './entries.ts'
import { type EntryField, onDays, startAndEnd } from './filters.ts'
import { transactionView } from './views.ts'

/** The most entries of cards on a page. Source: 02-billing.md, Limits. */
const MOST_A_PAGE = 100

const days = startAndEnd

/** Days are São Paulo days, both ends included. Source: 02-billing.md, Statements (GET /transactions/card). */
export const cardEntryFilter = input('CardEntryFilter', {
  days,
  perPage: inQuery.perPage({ max: MOST_A_PAGE, wire: 'perPage', about: 'Registros por página' }),
  page: inQuery.page({ about: 'Página, a partir de 1' }),
})

export type CardEntryFilter = InputOf<typeof cardEntryFilter>

/**
 * A page of the settlements and withdrawals of cards, the newest first, each with the card balance after it.
 * Fails: `fields`. Source: 02-billing.md, Statements.
 */
export const listCardEntries =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: CardEntryFilter) =>
    withValidInput(
      ports,
      cardEntryFilter,
      given,
      (filter): UseCase<PageOf<Entry>, never> =>
        async () =>
          right(await entryPage(ports.store, accountId, { days: filter.days, status: CARD }, filter)),
    )

/** Source: 02-billing.md, Statements (GET /transactions/card/balance). */
export const cardBalanceFilter = input('CardBalanceFilter', { days })

export type CardBalanceFilter = InputOf<typeof cardBalanceFilter>

/**
 * What settlements and withdrawals of cards come to on some days; on all of them, what can be withdrawn.
 * Fails: `fields`. Source: 02-billing.md, Statements.
 */
export const readCardBalance =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: CardBalanceFilter) =>
    withValidInput(
      ports,
      cardBalanceFilter,
      given,
      (filter): UseCase<Balance, never> =>
        async () => {
          const where = all<EntryField>(
            eq('accountId', accountId),
            eq('status', CARD),
            isIn('typeId', [CARD_SETTLEMENT.id, CARD_WITHDRAWAL.id]),
            ...onDays(filter.days),
          )
          const [row] = await ports.store.group(groupOf(entries, { where, by: [], sum: ['valueCents'] }))
          return right({ balanceCents: row?.sums.valueCents ?? 0 })
        },
    )

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
    details: { description: DESCRIPTION, chargeId: null, txid, endToEnd: null, payer: null, receiver: null },
  })
  return accept<CardWithdrawal>(
    (taken) => {
      const transactions = postedEntries(posted, taken)
      return { amountCents, balanceCents: transactions[0]?.balanceCents ?? 0, txid, transactions }
    },
    checkActive(account.id),
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
