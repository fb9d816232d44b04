import { right } from '../../../fp.ts'
import type { UseCase } from '../../../kernel/running/use-case.ts'
import { addMonths, dayOf } from '../../../kernel/values/day.ts'
import type { Actor } from '../../actor.ts'
import { BOLEPIX_IN, BOLETO_IN, PIX_IN, type TransactionType } from '../../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { confirmedSums } from './confirmed-sums.ts'

const MONTHS = 12
const MONTH_CHARS = 7
const CHARTED = [PIX_IN, BOLETO_IN, BOLEPIX_IN]

/** What came in by type, month by month, in cents. */
export interface SalesChart {
  /** `YYYY-MM`, the oldest first; this month is the last. */
  readonly months: readonly string[]
  /** Each with a sum for every month. */
  readonly series: readonly { readonly type: TransactionType; readonly cents: readonly number[] }[]
}

/** Confirmed Pix, boletos and bolepix of the last twelve months. Source: 02-billing.md, Statements; decisions.md §11, Shapes. */
export const chartSales =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>): UseCase<SalesChart, never> =>
  async () => {
    const today = dayOf(ports.clock.steady())
    const thisMonth = `${today.slice(0, MONTH_CHARS)}-01`
    const firsts = Array.from({ length: MONTHS }, (_, at) => addMonths(thisMonth, at + 1 - MONTHS))
    const range = { from: firsts[0] ?? thisMonth, to: today }
    const typeIds = CHARTED.map(({ id }) => id)
    const rows = await ports.store.group(confirmedSums(accountId, range, { typeIds, by: ['day'] }))
    const sums = new Map<string, number>()
    for (const { by, sums: of } of rows) {
      const key = `${by.typeId} ${`${by.day}`.slice(0, MONTH_CHARS)}`
      sums.set(key, (sums.get(key) ?? 0) + (of.valueCents ?? 0))
    }
    const months = firsts.map((first) => first.slice(0, MONTH_CHARS))
    const series = CHARTED.map((type) => ({
      type,
      cents: months.map((month) => sums.get(`${type.id} ${month}`) ?? 0),
    }))
    return right({ months, series })
  }
