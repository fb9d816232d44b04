import { failure, isLeft, left } from '../../failure.ts'
import {
  type DayRange,
  group,
  type InputOf,
  input,
  inQuery,
  money,
  notBefore,
  output,
  view,
} from '../../kernel/input/mod.ts'
import { eq, gte, isIn } from '../../kernel/records/record.ts'
import { accept, type Fresh, randomCode, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { byId, type PageOf } from '../../ports/store.ts'
import { type Account, accounts, activeAccount, checkActive } from '../accounts/account.ts'
import {
  bookOf,
  CARD,
  CARD_SETTLEMENT,
  CARD_WITHDRAWAL,
  type Entry,
  type LedgerAccount,
  post,
  postedEntries,
} from '../ledger/ledger.ts'
import { type Actor, accountQuery, type PaymentsPorts } from '../payments-ports.ts'
import { type Balance, centsOf, entryPage } from './entries.ts'
import { onDays, sumsBy } from './filters.ts'
import { transactionView } from './views.ts'

const MAX_PER_PAGE = 100

const startAndEnd = group(
  {
    from: inQuery.day({ wire: 'start_date', about: 'Desde este dia' }),
    to: inQuery.day({ wire: 'end_date', about: 'Até este dia' }),
  },
  notBefore<DayRange>('to', 'from'),
)

/** Days are those of São Paulo, both ends included. */
export const cardEntryFilter = input('CardEntryFilter', {
  days: startAndEnd,
  perPage: inQuery.perPage({ max: MAX_PER_PAGE, wire: 'perPage', about: 'Registros por página' }),
  page: inQuery.page({ about: 'Página, a partir de 1' }),
})

export type CardEntryFilter = InputOf<typeof cardEntryFilter>

export const listCardEntries = accountQuery(
  cardEntryFilter,
  ({ store }, accountId, filter): Promise<PageOf<Entry>> =>
    entryPage(store, accountId, { days: filter.days, status: CARD }, filter),
)

export const cardBalanceFilter = input('CardBalanceFilter', { days: startAndEnd })

export type CardBalanceFilter = InputOf<typeof cardBalanceFilter>

export const readCardBalance = accountQuery(
  cardBalanceFilter,
  async ({ store }, accountId, { days }): Promise<Balance> => {
    const ofCard = [eq('status', CARD), isIn('typeId', [CARD_SETTLEMENT.id, CARD_WITHDRAWAL.id])]
    return { balanceCents: centsOf(await store.group(sumsBy([], accountId, ...ofCard, ...onDays(days)))) }
  },
)

export const newCardWithdrawal = input('NewCardWithdrawal', {
  amountCents: money({ wire: 'amount', minCents: 1, about: 'Quanto passa do saldo de cartão ao saldo da conta' }),
})

export type NewCardWithdrawal = InputOf<typeof newCardWithdrawal>

/** A transfer from the card balance to the main balance. */
export interface CardWithdrawal {
  readonly amountCents: number
  /** The card balance after the withdrawal. */
  readonly balanceCents: number
  readonly txid: string
  /** The debit of the card balance, then the credit of the main balance. */
  readonly transactions: readonly Entry[]
}

const TXID_CHARS = 25
const DESCRIPTION = 'Saque do saldo de cartão'

export const withdrawCard =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, submitted: NewCardWithdrawal) =>
    withValidInput(ports, newCardWithdrawal, submitted, (withdrawal) =>
      useCase(
        ports,
        (store) => store.read({ found: byId(accounts, accountId), card: bookOf(accountId, 'card') }),
        ({ found, card }, fresh) => decideCardWithdrawal(found, card, withdrawal.amountCents, fresh),
      ),
    )

const decideCardWithdrawal = (found: Account | null, card: LedgerAccount | null, amountCents: number, fresh: Fresh) => {
  const active = activeAccount(found)
  if (isLeft(active)) return active
  const account = active.right
  if (!card || card.availableCents < amountCents) return left(failure('refused', 'card-balance.insufficient'))
  const txid = randomCode(fresh, TXID_CHARS)
  const posted = post(fresh, {
    accountId: account.id,
    kind: 'card',
    cause: `card-withdrawal:${txid}`,
    // Simultaneous withdrawals are decided on the same balance: the guard checks it again at the commit.
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
