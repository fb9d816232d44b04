import { failure, invalid, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { type Rule, rule } from '../../kernel/input/rules.ts'
import { id } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { isIn } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import {
  accept,
  finishOperation,
  operationUseCase,
  startOperation,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { reaisFromCents, splitRemainderFirst } from '../../kernel/values/money.ts'
import { MAX_BANK_CALLS } from '../../limits.ts'
import type { TitleOrder } from '../../ports/bank.ts'
import { listOf } from '../../ports/store.ts'
import { type Account, takesWrites } from '../accounts/account.ts'
import type { StartedBankOperation } from '../bank/run-operation.ts'
import { noCardDigits } from '../cards/card.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { chargeRules, discountIssues, latestDueDate } from '../terms/charge-rules.ts'
import { type Charge, chargeFields, charges, issuingOperationId, type PaymentMethod } from './charge.ts'
import { type ChargeDetail, NO_CHARGE, withClients } from './detail.ts'
import { buildClient, buildTitleCharge, type ChargeFacts, findPayer, type Issuer, readChargeFacts } from './issue.ts'
import { issueFeeOf } from './issue-fee.ts'
import { amountIssues, bankSupports, newChargeFields } from './new-charge.ts'
import { installmentDays, latestDueDay, type PaymentPlan, referenceIssues } from './references.ts'
import { createTitle, sendTitle, titleResult } from './titles.ts'

/** What the charges of a plan are asked for with: `valueCents` is all of them together, the first is due on `dueDate`. */
export const planChargesFields = {
  ...pick(newChargeFields, 'valueCents', 'paymentMethod', 'dueDate', 'payer'),
  ...pick(chargeFields, 'webhook', 'description', 'details', 'instructions', 'amountRateHundredths', 'typeRate'),
  ...pick(chargeFields, 'discountHundredths', 'typeDiscount', 'daysDiscount', 'installments', 'address'),
  ...pick(chargeFields, 'chargeGroupId'),
  paymentPlanId: id({ about: 'Plano de pagamento' }),
}

/** A card is charged once, and by nobody but who has it. Fails: `charge.method`. Source: decisions.md §9, Edges. */
const noCards: Rule<{ readonly paymentMethod: PaymentMethod }, 'charge.method'> = rule(
  ['paymentMethod'],
  ({ paymentMethod }) => (paymentMethod === 'CREDIT_CARD' ? [issue('paymentMethod', 'charge.method')] : []),
)

export const planChargesRules = [...chargeRules, noCards, noCardDigits]

/** Source: 02-billing.md, Charges: with-plan. */
export const newPlanCharges = input('NewPlanCharges', planChargesFields, ...planChargesRules)

export type NewPlanCharges = InputOf<typeof newPlanCharges>
export type PlanRequest = DecodedOf<typeof newPlanCharges>

/**
 * Issues the charges of a plan in one commit, and registers their titles at the bank, eight at once; those of which the bank
 * says nothing are carried on by the worker.
 * Fails: `fields`, `account.unknown`, `organization.inactive`, `bank.unsupported`, `bank.refused` and `bank.unavailable`
 * (only where it makes none of them: failed charges are kept).
 * Source: 02-billing.md, Charges; decisions.md §9.
 */
export const issueWithPlan = (ports: PaymentsPorts) => (actor: Issuer, given: NewPlanCharges) =>
  withValidInput(ports, newPlanCharges, given, (asked) =>
    operationUseCase(
      startOperation(
        ports,
        (store) => readChargeFacts(store, actor, asked),
        (facts, fresh) => decidePlan(ports, facts, actor, asked, fresh),
      ),
      (begun) => sendTitles(ports, begun),
      resumePlan(ports),
    ),
  )

const sendTitles = (ports: PaymentsPorts, { intent, titles }: BegunPlan) =>
  useCaseOf<readonly ChargeDetail[]>()(async (hooks) => {
    const operations = createTitle(ports)
    await inBatches(titles, (begun) => operations.send(begun, sendTitle(ports))())
    return outcomeOf(ports, idsIn(intent))(hooks)
  })

/**
 * Carries on the charges of a plan, by the ids that their begin gave as one text, of whose titles the bank has said nothing yet.
 * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`. Source: decisions.md §9.
 */
export const resumePlan = (ports: PaymentsPorts) => (intent: string) =>
  useCaseOf<readonly ChargeDetail[]>()(async (hooks) => {
    const operations = createTitle(ports)
    const ids = idsIn(intent)
    const asking = (await inOrder(ports, ids)).flatMap((charge) => issuingOperationId(charge) ?? [])
    await inBatches(asking, (id) => operations.repeat(id)())
    return outcomeOf(ports, ids)(hooks)
  })

const inBatches = async <A>(items: readonly A[], ask: (item: A) => Promise<unknown>): Promise<void> => {
  for (let first = 0; first < items.length; first += MAX_BANK_CALLS)
    await Promise.all(items.slice(first, first + MAX_BANK_CALLS).map(ask))
}

const inOrder = async ({ store }: Pick<PaymentsPorts, 'store'>, ids: readonly number[]): Promise<readonly Charge[]> => {
  const { records } = await store.list(listOf(charges, { where: isIn('id', ids), limit: ids.length }))
  const byId = new Map(records.map((charge) => [charge.id, charge]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** What became of them all, each as it stands: what the bank refused is a failed charge among the others. */
const outcomeOf = (ports: PaymentsPorts, ids: readonly number[]) =>
  finishOperation(
    ports,
    async () => withClients(ports, await inOrder(ports, ids), ports.clock.steady()),
    (details) => (details.length === 0 ? left(NO_CHARGE) : accept(planResult(details))),
  )

const planResult = (details: readonly ChargeDetail[]) => {
  const refusals = details.map(titleResult).filter(isLeft)
  const [refusal] = refusals
  return refusal && refusals.length === details.length ? refusal : right(details)
}

type DecidingPorts = Parameters<typeof buildTitleCharge>[0]

/** What was begun: the titles of all charges, and the ids of these as one text, by which they are carried on. */
export interface BegunPlan {
  readonly intent: string
  readonly titles: readonly StartedBankOperation<TitleOrder>[]
}

const BETWEEN = ','

/** The charges of a plan that was begun, in the order of their due days. */
export const idsIn = (intent: string): readonly number[] => intent.split(BETWEEN).map(Number)

/** Pending charges, one for each part of the plan, and the operations by which the bank is asked for their titles. */
export const decidePlan = (
  ports: DecidingPorts,
  facts: ChargeFacts,
  issuer: Issuer,
  asked: PlanRequest,
  fresh: Fresh,
) => {
  const { account, plan } = facts
  if (!account) return left(failure('not-found', 'account.unknown'))
  if (!takesWrites(account)) return left(failure('forbidden', 'organization.inactive'))
  const payer = findPayer(facts, account, asked)
  const issues = [
    ...(plan ? partIssues(facts, account, asked, plan, fresh) : []),
    ...referenceIssues(facts, asked),
    ...(payer ? [] : [issue('payer.clientId', 'unknown')]),
  ]
  if (!payer || !plan || issues.length > 0) return left(invalid(issues))
  const { paymentMethod } = asked
  if (!bankSupports(ports.bank, paymentMethod)) return left(failure('refused', 'bank.unsupported'))
  const { record: client, changes } = buildClient(account, payer, fresh)
  const values = splitRemainderFirst(asked.valueCents, plan.installmentsCount)
  const made = installmentDays(plan, asked.dueDate).map((dueDate, part) =>
    buildTitleCharge(
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
  { valueCents, paymentMethod, dueDate, ...terms }: PlanRequest,
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
