import { failure, isLeft, left } from '../../failure.ts'
import {
  type DayRange,
  type DecodedOf,
  group,
  type InputOf,
  id,
  input,
  inQuery,
  money,
  notBefore,
  oneOf,
  output,
  pageFields,
  pick,
  view,
} from '../../kernel/input/mod.ts'
import { all, any, eq, gt, gte, isIn, lt, lte, type Where } from '../../kernel/records/record.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { inRange } from '../../kernel/resources/queries.ts'
import { accept, type Fresh, randomCode, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { byId, groupOf, listByIds, listOf, offsetOf, type PageOf, type Store } from '../../ports/store.ts'
import { type Account, accounts, activeAccount, checkActive } from '../accounts/account.ts'
import { type CardTransaction, cardTransactions } from '../charges/card.ts'
import { charges } from '../charges/charge.ts'
import { type ChargeDetail, chargeView, withClients } from '../charges/detail.ts'
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

const CARD_TRANSACTION_STATUSES = ['PENDING', 'WITHDRAWN'] as const

/** Days are those of São Paulo, both ends included. */
export const cardTransactionFilter = input('CardTransactionFilter', {
  status: inQuery.oneOf(CARD_TRANSACTION_STATUSES, { about: 'Se já foram sacadas' }),
  paid: inQuery.range('payment_date', 'Pagamento'),
  ...pick(pageFields, 'perPage', 'page'),
})
export type CardTransactionFilter = InputOf<typeof cardTransactionFilter>

/** A card sale with its charge and its current status. */
export interface CardTransactionDetail {
  readonly sale: CardTransaction
  readonly detail: ChargeDetail
  readonly status: (typeof CARD_TRANSACTION_STATUSES)[number]
}

export const listCardTransactions = accountQuery(
  cardTransactionFilter,
  async (ports, accountId, filter): Promise<PageOf<CardTransactionDetail>> => {
    const places = await readSalePlaces(ports.store, accountId, filter.paid)
    const { after, upto } = placesWith(places, filter.status)
    // Places have no gaps, so a page is a range of them.
    const last = upto - offsetOf(filter)
    const { page, perPage } = filter
    const { records } = await ports.store.list(
      listOf(cardTransactions, {
        where: all(eq('accountId', accountId), gt('place', Math.max(after, last - perPage)), lte('place', last)),
        sort: { by: 'place', dir: 'desc' },
        limit: perPage,
      }),
    )
    return { records: await withCharges(ports, records, places), page, perPage, total: upto - after }
  },
)

/** Returns the range of places of the sales with a status: greater than `after`, up to and including `upto`. */
const placesWith = (
  { before, until, withdrawn }: SalePlaces,
  status: DecodedOf<typeof cardTransactionFilter>['status'],
) => {
  const after = status === 'PENDING' ? Math.max(before.count, withdrawn.count) : before.count
  const upto = status === 'WITHDRAWN' ? Math.min(until.count, withdrawn.count) : until.count
  return { after, upto: Math.max(after, upto) }
}

const withCharges = async (
  ports: PaymentsPorts,
  sales: readonly CardTransaction[],
  { withdrawn }: Pick<SalePlaces, 'withdrawn'>,
): Promise<readonly CardTransactionDetail[]> => {
  const ids = sales.map(({ id }) => id)
  const sold = await listByIds(ports.store, charges, ids)
  const details = await withClients(ports, [...sold.values()], ports.clock.steady())
  const detailOf = new Map(details.map((detail) => [detail.charge.id, detail]))
  return sales.flatMap((sale) => {
    const detail = detailOf.get(sale.id)
    return detail ? [{ sale, detail, status: sale.place <= withdrawn.count ? 'WITHDRAWN' : 'PENDING' }] : []
  })
}

export const cardTransactionView = view(
  'CardTransaction',
  {
    id: id({ about: 'Identificador' }),
    charge: output.view(chargeView, { about: 'A cobrança, com quem a pagou' }),
    grossCents: output.money({ wire: 'gross_amount', about: 'Valor da venda' }),
    feeCents: output.money({ wire: 'fee_amount', about: 'Tarifa' }),
    netCents: output.money({ wire: 'net_amount', about: 'O que resta dela' }),
    status: oneOf(CARD_TRANSACTION_STATUSES, { about: 'Se já foi sacada' }),
    paymentDate: output.text({ about: 'Dia do pagamento' }),
  },
  ({ sale, detail, status }: CardTransactionDetail) => ({ ...sale, charge: detail, status }),
)

/** Days are those of São Paulo, both ends included. */
export const cardSummaryFilter = input('CardSummaryFilter', { paid: inQuery.range('payment_date', 'Pagamento') })
export type CardSummaryFilter = InputOf<typeof cardSummaryFilter>

/** The sums of card sales, of the pending and of the withdrawn ones, in cents. */
export interface CardSummary {
  readonly total: CardSalesSum & { readonly grossCents: number; readonly feeCents: number }
  readonly pending: CardSalesSum
  readonly withdrawn: CardSalesSum
}

export const sumCardTransactions = accountQuery(
  cardSummaryFilter,
  async ({ store }, accountId, { paid }): Promise<CardSummary> => {
    const places = await readSalePlaces(store, accountId, paid)
    const { count = 0, sums: { grossCents = 0, feeCents = 0, netCents = 0 } = {} } = places.sums ?? {}
    const withdrawn = withdrawnOf(places)
    return {
      total: { count, grossCents, feeCents, netCents },
      pending: { count: count - withdrawn.count, netCents: netCents - withdrawn.netCents },
      withdrawn,
    }
  },
)

const count = output.count({ about: 'Quantas vendas' })
const netCents = output.money({ wire: 'net', about: 'O que resta delas' })

const uptoView = view('CardSales', { count, netCents })

const totalView = view('CardSalesTotal', {
  count,
  grossCents: output.money({ wire: 'gross', about: 'Valor das vendas' }),
  feeCents: output.money({ wire: 'fee', about: 'Tarifas' }),
  netCents,
})

export const cardSummaryView = view('CardSummary', {
  total: output.view(totalView, { about: 'Todas' }),
  pending: output.view(uptoView, { about: 'As que não foram sacadas' }),
  withdrawn: output.view(uptoView, { about: 'As sacadas' }),
})

type SaleField = keyof CardTransaction & string

/** A number of card sales and the sum of their net amounts. */
export interface CardSalesSum {
  readonly count: number
  readonly netCents: number
}

/**
 * Three boundaries in the order of an account's sales: the start of a range of days, its end, and the last withdrawn
 * sale. Each counts the sales from the first one on, so every list of sales lies between two of them.
 */
interface SalePlaces {
  readonly before: CardSalesSum
  readonly until: CardSalesSum
  readonly withdrawn: CardSalesSum
  /** The sums of the sales of the days. */
  readonly sums: GroupRow | null
}

const NOTHING: CardSalesSum = { count: 0, netCents: 0 }

/** Reads the boundaries from the card book, the tallies and the last withdrawn sale. */
const readSalePlaces = async (store: Store, accountId: number, days: DayRange): Promise<SalePlaces> => {
  const book = await store.find(bookOf(accountId, 'card'))
  const own = eq('accountId', accountId)
  const within = (...parts: readonly Where<SaleField>[]) =>
    groupOf(cardTransactions, { where: all(own, ...parts), by: [], sum: ['grossCents', 'feeCents', 'netCents'] })
  const { before, inDays, last } = await store.read({
    before: within(days.from ? lt('paymentDate', days.from) : any()),
    inDays: within(...inRange('paymentDate', days)),
    last: listOf(cardTransactions, {
      where: all(own, lte('settledCents', book ? book.settledCents - book.balanceCents : 0)),
      sort: { by: 'settledCents', dir: 'desc' },
      limit: 1,
    }),
  })
  const [earlier, sums = null] = [uptoOf(before[0]), ...inDays]
  const [sale] = last.records
  return {
    before: earlier,
    until: sums ? added(earlier, uptoOf(sums)) : earlier,
    withdrawn: sale ? { count: sale.place, netCents: sale.settledCents } : NOTHING,
    sums,
  }
}

const uptoOf = (row: GroupRow | undefined): CardSalesSum =>
  row ? { count: row.count, netCents: row.sums.netCents ?? 0 } : NOTHING

const added = (one: CardSalesSum, other: CardSalesSum): CardSalesSum => ({
  count: one.count + other.count,
  netCents: one.netCents + other.netCents,
})

/** Returns the number and the sum of the withdrawn sales of the days. */
const withdrawnOf = ({ before, until, withdrawn }: SalePlaces): CardSalesSum => ({
  count: between(before.count, withdrawn.count, until.count) - before.count,
  netCents: between(before.netCents, withdrawn.netCents, until.netCents) - before.netCents,
})

const between = (least: number, value: number, most: number): number => Math.min(Math.max(least, value), most)

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
