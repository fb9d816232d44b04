import { body, type Decoded } from '../../../core/kernel/input/body.ts'
import { alsoAs, type Field, field, nullIfAbsent, wrong } from '../../../core/kernel/input/codec.ts'
import { oneOf } from '../../../core/kernel/input/fields/choices.ts'
import { day } from '../../../core/kernel/input/fields/days.ts'
import { hundredths, id, integer, reais } from '../../../core/kernel/input/fields/numbers.ts'
import { email, line, taxId, text, url } from '../../../core/kernel/input/fields/texts.ts'
import { requiredWithout, rule } from '../../../core/kernel/input/rules.ts'
import { PAYMENT_METHODS } from '../../../core/payments/charges/charge.ts'
import type { NewCharge } from '../../../core/payments/charges/issue-charge.ts'
import { RATE_TYPES } from '../../../core/payments/terms/amount-due.ts'
import { discountDayIssues, discountIssues, dueDateIssues } from '../../../core/payments/terms/charge-rules.ts'

const MAX_RATE = 100_000
const MAX_DAYS_DISCOUNT = 365
const MAX_NOTE = 2_000

/** A reference to something that no account has: whatever is named does not exist. */
const noSuch = (): Field<never> =>
  field<never>({
    name: 'reference',
    schema: { type: 'integer', minimum: 1 },
    is: (_value): _value is never => false,
    read: () => wrong('unknown'),
  })

const fields = {
  value: alsoAs(reais({ minCents: 1 }), 'amount'),
  payment_method: oneOf(PAYMENT_METHODS),
  due_date: day(),
  client_id: nullIfAbsent(id()),
  name: nullIfAbsent(line({ max: 255 })),
  email: nullIfAbsent(email({ max: 255 })),
  document: nullIfAbsent(taxId()),
  phone: nullIfAbsent(line({ max: 20 })),
  webhook: nullIfAbsent(url()),
  description: nullIfAbsent(text({ max: 500 })),
  details: nullIfAbsent(text({ max: MAX_NOTE })),
  instructions: nullIfAbsent(text({ max: MAX_NOTE })),
  amount_rate: nullIfAbsent(hundredths({ min: 0, max: MAX_RATE })),
  type_rate: nullIfAbsent(oneOf(RATE_TYPES)),
  discount: nullIfAbsent(hundredths({ min: 0, max: MAX_RATE })),
  type_discount: nullIfAbsent(oneOf(RATE_TYPES)),
  days_discount: nullIfAbsent(integer({ min: 0, max: MAX_DAYS_DISCOUNT })),
  installments: nullIfAbsent(integer({ min: 1, max: 120 })),
  tag: nullIfAbsent(noSuch()),
  tag_id: nullIfAbsent(noSuch()),
  establishment_id: nullIfAbsent(noSuch()),
  charge_group_id: nullIfAbsent(noSuch()),
  payment_plan_id: nullIfAbsent(noSuch()),
}

/** Source: 02-billing.md, Charge creation body. */
export const chargeBody = body(
  fields,
  requiredWithout(['name', 'email', 'document'], 'client_id'),
  rule(['due_date'], ({ due_date }, today) => (today ? dueDateIssues(due_date, today) : [])),
  rule(['due_date', 'days_discount'], ({ due_date, days_discount }, today) =>
    today ? discountDayIssues(due_date, days_discount, today) : [],
  ),
  rule(['value', 'discount', 'type_discount'], ({ value, discount, type_discount }) =>
    discountIssues(value, discount, type_discount),
  ),
)

/** What the core is asked for. */
export const newChargeOf = (sent: Decoded<typeof fields>): NewCharge => ({
  valueCents: sent.value,
  paymentMethod: sent.payment_method,
  dueDate: sent.due_date,
  payer:
    sent.client_id === null
      ? { name: sent.name ?? '', email: sent.email ?? '', document: sent.document ?? '', phone: sent.phone }
      : { clientId: sent.client_id },
  description: sent.description,
  details: sent.details,
  instructions: sent.instructions,
  webhook: sent.webhook,
  amountRateHundredths: sent.amount_rate,
  typeRate: sent.type_rate,
  discountHundredths: sent.discount,
  typeDiscount: sent.type_discount,
  daysDiscount: sent.days_discount,
  installments: sent.installments,
})
