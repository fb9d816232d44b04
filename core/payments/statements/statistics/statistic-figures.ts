import { all, eq, gte, isIn, lte, type Where } from '../../../kernel/records/where.ts'
import { endOfDay, type Instant, startOfDay } from '../../../kernel/values/day.ts'
import { type Group, groupOf, type Store } from '../../../ports/store.ts'
import { type Charge, charges } from '../../charges/charge.ts'
import { type Client, clients } from '../../customers/client.ts'
import { CONFIRMED, type Entry, entries } from '../../ledger/entry.ts'
import { PIX_IN, transactionType } from '../../ledger/transaction-type.ts'
import { type EntryField, onDays } from '../entry-filter.ts'
import type { Period } from '../period.ts'

/** Source: 02-billing.md, Statements (POST /consolidation/statistic/cards). */
export const STATISTIC_CARDS = [
  'PIXS_COUNT',
  'BOLETOS_COUNT',
  'CLIENTS_COUNT',
  'CHARGE_COUNT_PAID',
  'PIX_IN_SUM',
  'CHARGE_SUM_PAID',
  'PIX_OUT_SUM',
  'TOTAL_CHARGE_EXPECTED_TO_RECEIVE',
] as const

export type StatisticCard = (typeof STATISTIC_CARDS)[number]

interface Asked {
  readonly accountId: number
  readonly days: Period
  readonly asOf: Instant
}

type ChargeField = keyof Charge & string

const ofCharges = (
  { accountId, days }: Asked,
  field: 'createdDay' | 'paymentDate' | 'dueDate',
  ...more: readonly Where<ChargeField>[]
): Where<ChargeField> =>
  all<ChargeField>(eq('accountId', accountId), gte(field, days.from), lte(field, days.to), ...more)

/** A bolepix is a boleto that is also paid by Pix. */
export const BOLETO_METHODS: readonly Charge['paymentMethod'][] = ['BOLETO', 'BOLEPIX']

/** Charges that were issued, whatever became of them. */
const issued = (asked: Asked, methods: readonly Charge['paymentMethod'][]) =>
  groupOf(charges, { where: ofCharges(asked, 'createdDay', isIn('paymentMethod', methods)), by: [], sum: [] })

const paid = (asked: Asked) =>
  groupOf(charges, {
    where: ofCharges(asked, 'paymentDate', isIn('status', ['paid', 'paidwithpix'])),
    when: 'paid',
    by: [],
    sum: ['amountPaidCents'],
  })

const moved = ({ accountId, days }: Asked, typeId: number) =>
  groupOf(entries, {
    where: all<EntryField>(eq('accountId', accountId), eq('status', CONFIRMED), eq('typeId', typeId), ...onDays(days)),
    by: [],
    sum: ['valueCents'],
  })

const registered = ({ accountId, days }: Asked) =>
  groupOf(clients, {
    where: all<keyof Client & string>(
      eq('accountId', accountId),
      gte('createdAt', startOfDay(days.from)),
      lte('createdAt', endOfDay(days.to)),
    ),
    when: 'live',
    by: [],
    sum: [],
  })

const pending = (asked: Asked) =>
  groupOf(charges, { where: ofCharges(asked, 'dueDate', eq('status', 'pending')), by: [], sum: ['valueCents'] })

/** Pending ones whose time is over: mostly there is none, since the worker moves them. */
const overdue = (asked: Asked) =>
  groupOf(charges, {
    where: ofCharges(asked, 'dueDate', lte('lapsesAt', asked.asOf)),
    when: 'lapsing',
    by: [],
    sum: ['valueCents'],
  })

type Ask = Group<Charge> | Group<Client> | Group<Entry>

interface Figure {
  readonly asks: (asked: Asked) => readonly [of: Ask, less?: Ask]
  /** The field that is summed; without one they are counted. */
  readonly sum?: string
}

/** The type of what goes out by Pix. */
const PIX_OUT = transactionType('pix-out')?.id ?? 0

const FIGURES: Readonly<Record<StatisticCard, Figure>> = {
  PIXS_COUNT: { asks: (asked) => [issued(asked, ['PIX'])] },
  BOLETOS_COUNT: { asks: (asked) => [issued(asked, BOLETO_METHODS)] },
  CLIENTS_COUNT: { asks: (asked) => [registered(asked)] },
  CHARGE_COUNT_PAID: { asks: (asked) => [paid(asked)] },
  PIX_IN_SUM: { asks: (asked) => [moved(asked, PIX_IN.id)], sum: 'valueCents' },
  CHARGE_SUM_PAID: { asks: (asked) => [paid(asked)], sum: 'amountPaidCents' },
  PIX_OUT_SUM: { asks: (asked) => [moved(asked, PIX_OUT)], sum: 'valueCents' },
  TOTAL_CHARGE_EXPECTED_TO_RECEIVE: { asks: (asked) => [pending(asked), overdue(asked)], sum: 'valueCents' },
}

/** The figures of these cards, all at one instant; none is negative. */
export const readFigures = async (
  store: Store,
  cards: readonly StatisticCard[],
  asked: Asked,
): Promise<{ readonly [K in StatisticCard]?: number }> => {
  const asks: Record<string, Ask> = {}
  for (const card of cards)
    for (const [place, ask] of FIGURES[card].asks(asked).entries()) if (ask) asks[`${card} ${place}`] = ask
  const found = await store.read(asks)
  return Object.fromEntries(
    cards.map((card) => {
      const { sum } = FIGURES[card]
      const figure = (place: number): number => {
        const [row] = found[`${card} ${place}`] ?? []
        return (sum === undefined ? row?.count : row?.sums[sum]) ?? 0
      }
      return [card, Math.abs(figure(0) - figure(1))]
    }),
  )
}
