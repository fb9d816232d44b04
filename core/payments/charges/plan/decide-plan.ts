import { failure, invalid, issue } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept } from '../../../kernel/running/use-case.ts'
import { reaisFromCents, splitRemainderFirst } from '../../../kernel/values/money.ts'
import type { TitleOrder } from '../../../ports/bank.ts'
import { type Account, takesWrites } from '../../accounts/account.ts'
import type { BegunOperation } from '../../bank/run-operation.ts'
import { installmentDays, latestDueDay } from '../../payment-plans/installment-days.ts'
import type { PaymentPlan } from '../../payment-plans/payment-plan.ts'
import { discountIssues, latestDueDate } from '../../terms/charge-rules.ts'
import { type ChargeFacts, chargeOf, clientOf, type Issuer, payerOf } from '../issue/decide-charge.ts'
import { amountIssues, isOffered } from '../issue/offered.ts'
import { referenceIssues } from '../issue/references.ts'
import { issueFeeOf } from '../titles/issue-fee.ts'
import type { AskedPlan } from './new-plan-charges.ts'

type DecidingPorts = Parameters<typeof chargeOf>[0]

/** What was begun: the titles of all charges, and the ids of these as one text, by which they are carried on. */
export interface BegunPlan {
  readonly intent: string
  readonly titles: readonly BegunOperation<TitleOrder>[]
}

const BETWEEN = ','

/** The charges of a plan that was begun, in the order of their due days. */
export const idsIn = (intent: string): readonly number[] => intent.split(BETWEEN).map(Number)

/** Pending charges, one for each part of the plan, and the operations by which the bank is asked for their titles. */
export const decidePlan = (
  ports: DecidingPorts,
  facts: ChargeFacts,
  issuer: Issuer,
  asked: AskedPlan,
  fresh: Fresh,
) => {
  const { account, plan } = facts
  if (!account) return left(failure('not-found', 'account.unknown'))
  if (!takesWrites(account)) return left(failure('forbidden', 'organization.inactive'))
  const payer = payerOf(facts, account, asked)
  const issues = [
    ...(plan ? partIssues(facts, account, asked, plan, fresh) : []),
    ...referenceIssues(facts, asked),
    ...(payer ? [] : [issue('payer.clientId', 'unknown')]),
  ]
  if (!payer || !plan || issues.length > 0) return left(invalid(issues))
  const { paymentMethod } = asked
  if (!isOffered(ports.bank, paymentMethod)) return left(failure('refused', 'bank.unsupported'))
  const { record: client, changes } = clientOf(account, payer, fresh)
  const values = splitRemainderFirst(asked.valueCents, plan.installmentsCount)
  const made = installmentDays(plan, asked.dueDate).map((dueDate, part) =>
    chargeOf(
      ports,
      { account, client },
      issuer,
      { ...asked, paymentMethod, card: null, dueDate, valueCents: values[part] ?? 0 },
      fresh,
    ),
  )
  const intent = made.map(({ charge }) => charge.id).join(BETWEEN)
  return accept<BegunPlan>(
    { intent, titles: made.map(({ begun }) => begun) },
    ...changes,
    ...made.flatMap((each) => each.changes),
  )
}

/** What is wrong with the parts: none is less than a cent, and each is within what a charge may be. */
const partIssues = (
  { book }: ChargeFacts,
  account: Account,
  { valueCents, paymentMethod, dueDate, ...terms }: AskedPlan,
  plan: PaymentPlan,
  { today }: Fresh,
) => {
  const { installmentsCount: count } = plan
  const [most = 0, least = most] = splitRemainderFirst(valueCents, count)
  const latest = latestDueDate(paymentMethod, today) ?? latestDueDay(today)
  const last = installmentDays(plan, dueDate).at(-1) ?? dueDate
  const beyond = last > latest ? [issue('dueDate', 'plan.reach', { latest })] : []
  if (least < 1) return [issue('valueCents', 'money.min', { min: reaisFromCents(count) }), ...beyond]
  const fee = issueFeeOf(paymentMethod, account)
  // Those of all parts are reserved together.
  const issueFee = fee && { ...fee, cents: fee.cents * count }
  const ofLeast = amountIssues(account, book, { valueCents: least, paymentMethod, issueFee })
  const ofMost = most === least ? [] : amountIssues(account, null, { valueCents: most, paymentMethod, issueFee: null })
  return [
    ...ofLeast,
    ...ofMost.filter(({ code }) => ofLeast.every((other) => other.code !== code)),
    ...discountIssues(least, terms.discountHundredths, terms.typeDiscount),
    ...beyond,
  ]
}
