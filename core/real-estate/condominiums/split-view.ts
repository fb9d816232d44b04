import { type AnyView, viewEach } from '../../kernel/input/view.ts'
import type { Json } from '../../kernel/records/record.ts'
import { paymentView } from '../rents/payment-view.ts'
import type { Split } from './expense-split.ts'

const eachPayment = viewEach(paymentView)

/** What an expense was split into: a plain list of payments. Source: decisions.md §6, Expense split. */
export const splitView: AnyView<Split, Json> = {
  name: null,
  on: (side) => {
    const { schema, encode } = eachPayment.on(side)
    return { schema, encode: ({ payments }) => encode(payments) }
  },
}
