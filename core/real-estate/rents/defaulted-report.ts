import { right } from '../../fp.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { output, view } from '../../kernel/input/view.ts'
import { all, any, eq, lte, type Where } from '../../kernel/records/where.ts'
import { scanNewestFirst } from '../../kernel/running/slices.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type Day, dayOf, previousBusinessDay } from '../../kernel/values/day.ts'
import { groupOf, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Payment, payments } from '../records/payment.ts'
import { paymentView } from './payment-view.ts'

type In = Pick<Actor, 'companyId'>
type PaymentField = keyof Payment & string

/** Which overdue payments are reported. Source: 03-real-estate.md, GET /api/payments/report/defaulted. */
export const defaultedFilter = input('DefaultedFilter', {
  period: inQuery.month({ about: 'Mês de referência' }),
  contractId: inQuery.guid({ about: 'Identificador do contrato' }),
})

export type DefaultedFilter = InputOf<typeof defaultedFilter>

/** What is overdue, and how much; the payments are read while they are sent. */
export interface Defaulted {
  readonly totalDefaulted: number
  readonly totalValueCents: number
  readonly payments: AsyncIterable<Payment>
}

export const defaultedView = view(
  'DefaultedReport',
  {
    totalDefaulted: output.count({ about: 'Pagamentos em atraso' }),
    totalValueCents: output.money({ wire: 'totalValue', about: 'Valor em atraso' }),
    payments: output.stream(paymentView, { about: 'Os pagamentos, do mais novo ao mais antigo' }),
  },
  (of: Defaulted) => of,
)

const defaulted = eq<PaymentField>('status', 'Defaulted')
/** Pending, and past the business day to which its due date moves. */
const late = (today: Day) => all<PaymentField>(eq('status', 'Pending'), lte('dueDate', previousBusinessDay(today)))

type Narrowed = (...parts: readonly Where<PaymentField>[]) => Where<PaymentField>

/** How many are overdue, and how much: of those that are marked a tally knows it, the late ones stand together in an index. */
const totalsOf = async (store: Store, narrowed: Narrowed, today: Day) => {
  const total = { by: [], sum: ['valueCents'] } as const
  const rows = await store.read({
    defaulted: groupOf(payments, { where: narrowed(defaulted), when: 'live', ...total }),
    late: groupOf(payments, { where: narrowed(late(today)), when: 'pending', ...total }),
  })
  const all = [...rows.defaulted, ...rows.late]
  return {
    totalDefaulted: all.reduce((sum, { count }) => sum + count, 0),
    totalValueCents: all.reduce((sum, { sums }) => sum + (sums.valueCents ?? 0), 0),
  }
}

async function* every(store: Store, of: { readonly where: Where<PaymentField>; readonly when: string }) {
  for await (const slice of scanNewestFirst(store, { from: payments, ...of })) yield* slice
}

/**
 * What is overdue: marked as defaulted, or pending past its due date. Values are cents.
 * Fails: `fields`.
 * Source: 03-real-estate.md, Payments; decisions.md §6, Payments.
 */
export const reportDefaulted =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, given: DefaultedFilter = {}) =>
    withValidInput(ports, defaultedFilter, given, ({ period, contractId }) =>
      useCaseOf<Defaulted>()(async () => {
        const { store, clock } = ports
        const narrowed: Narrowed = (...parts) =>
          all(
            eq<PaymentField>('companyId', companyId),
            ...parts,
            ...(period === undefined ? [] : [eq<PaymentField>('period', period)]),
            ...(contractId === undefined ? [] : [eq<PaymentField>('contractId', contractId)]),
          )
        const today = dayOf(clock.steady())
        // A company has few that are open among all of its years, a contract has few at all.
        const listed = {
          where: narrowed(any(defaulted, late(today))),
          when: contractId === undefined ? 'open' : 'live',
        }
        return right({ ...(await totalsOf(store, narrowed, today)), payments: every(store, listed) })
      }),
    )
