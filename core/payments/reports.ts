import { type InputOf, id, input, notBefore, output, view } from '../kernel/input/mod.ts'
import { all, eq } from '../kernel/records/record.ts'
import type { GroupRow } from '../kernel/records/tally.ts'
import { inRange } from '../kernel/resources/queries.ts'
import { compareCodePoints } from '../kernel/values/text.ts'
import { groupOf } from '../ports/store.ts'
import { CHARGE_STATUSES, type ChargeStatus, chargeStatusView, charges } from './charges/charge.ts'
import { accountQuery, type PaymentsModule, type PaymentsPorts } from './payments-ports.ts'
import { groupedDays } from './statements/filters.ts'

export const chargeReport = input(
  'ChargeReport',
  groupedDays({ from: 'Vencimento, desde', to: 'Vencimento, até' }),
  notBefore('to', 'from'),
)
export type ChargeReport = InputOf<typeof chargeReport>

/** The charges of one status that are due on one day or in one month. */
export interface ChargeReportRow {
  /** `YYYY-MM-DD`, or `YYYY-MM`. */
  readonly referenceDate: string
  readonly status: ChargeStatus
  readonly count: number
  readonly amountPaidCents: number
  readonly valueCents: number
}

const reportCharges = accountQuery(
  chargeReport,
  async ({ store }, accountId, { groupBy, from, to }): Promise<readonly ChargeReportRow[]> => {
    const where = all(eq('accountId', accountId), ...inRange('dueDate', { from, to }))
    const by = ['dueDate', 'status'] as const
    const groups = await store.group(groupOf(charges, { where, by, sum: ['valueCents', 'amountPaidCents'] }))
    return chargeReportRows(groups, groupBy)
  },
)

/** Sums days into months if requested. The rows are sorted by date, then by the statuses' ids. */
const chargeReportRows = (groups: readonly GroupRow[], groupBy: 'days' | 'months'): readonly ChargeReportRow[] => {
  const rows = new Map<string, ChargeReportRow>()
  for (const { by, count, sums } of groups) {
    const status = CHARGE_STATUSES.find((each) => each === by.status)
    if (status === undefined) continue
    const referenceDate = `${by.dueDate}`.slice(0, groupBy === 'days' ? 'YYYY-MM-DD'.length : 'YYYY-MM'.length)
    const key = `${referenceDate} ${CHARGE_STATUSES.indexOf(status)}`
    const before = rows.get(key) ?? { count: 0, amountPaidCents: 0, valueCents: 0 }
    rows.set(key, {
      referenceDate,
      status,
      count: before.count + count,
      amountPaidCents: before.amountPaidCents + (sums.amountPaidCents ?? 0),
      valueCents: before.valueCents + (sums.valueCents ?? 0),
    })
  }
  return [...rows].sort(([a], [b]) => compareCodePoints(a, b)).map(([, row]) => row)
}

export const chargeReportRowView = view(
  'ChargeReportRow',
  {
    referenceDate: output.text({ about: 'Dia ou mês do vencimento' }),
    statusId: id({ about: 'Identificador da situação' }),
    status: output.view(chargeStatusView, { about: 'Situação' }),
    count: output.count({ wire: 'total_qtd', about: 'Quantas cobranças' }),
    amountPaidCents: output.money({ wire: 'total_amount_paid', about: 'Total pago' }),
    valueCents: output.money({ wire: 'total_value', about: 'Total cobrado' }),
  },
  (row: ChargeReportRow) => ({ ...row, statusId: CHARGE_STATUSES.indexOf(row.status) + 1 }),
)

/** Sums of an account's charges. */
export const reports = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Counts and sums the account's charges by due day or month and by status, deleted ones included, in cents.
     * Fails: `fields`.
     */
    charges: reportCharges(ports),
  }),
} satisfies PaymentsModule
