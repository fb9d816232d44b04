import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { type DecodedOf, type InputOf, id, input, type Rule, rule } from '../../kernel/input/mod.ts'
import {
  accept,
  type Fresh,
  finishOperation,
  operationUseCase,
  startOperation,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import type { Day } from '../../kernel/values/day.ts'
import { reaisFromCents, splitRemainderFirst } from '../../kernel/values/money.ts'
import type { TitleOrder } from '../../ports/bank.ts'
import { listByIds } from '../../ports/store.ts'
import { type Account, writableAccount } from '../accounts/account.ts'
import type { StartedBankOperation } from '../bank/operation.ts'
import { noCardDigits } from '../cards/card.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { promiseShares, splitIssues, splitsOfParts } from '../splits/split.ts'
import { chargeRules, discountIssues, type FineTerms, fineIssues, isConsumerOf, latestDueDate } from '../terms.ts'
import { type Charge, charges, issuingOperationId, type PaymentMethod } from './charge.ts'
import { type ChargeDetail, NO_CHARGE, withClients } from './detail.ts'
import {
  buildClient,
  buildTitleCharge,
  type ChargeFacts,
  findPayer,
  type Issuer,
  readChargeFacts,
  splitsOfRequest,
} from './issue.ts'
import {
  amountIssues,
  bankSupports,
  installmentDays,
  latestDueDay,
  newChargeFields,
  type PaymentPlan,
  referenceIssues,
} from './new-charge.ts'
import { createTitle, issueFeeOf, sendTitle, titleResult } from './titles.ts'
import { inBatches } from './write.ts'

const { card: _, ...fieldsWithoutCard } = newChargeFields

/** The input of the charges of a plan: `valueCents` is their sum, `dueDate` the due day of the first. */
export const planChargesFields = { ...fieldsWithoutCard, paymentPlanId: id({ about: 'Plano de pagamento' }) }

/** Rejects cards: card data exist only in one request. Fails: `charge.method`. */
const noCards: Rule<{ readonly paymentMethod: PaymentMethod }, 'charge.method'> = rule(
  ['paymentMethod'],
  ({ paymentMethod }) => (paymentMethod === 'CREDIT_CARD' ? [issue('paymentMethod', 'charge.method')] : []),
)

export const planChargesRules = [...chargeRules, noCards, noCardDigits]

export const newPlanCharges = input('NewPlanCharges', planChargesFields, ...planChargesRules)
export type NewPlanCharges = InputOf<typeof newPlanCharges>
export type PlanRequest = DecodedOf<typeof newPlanCharges>

/** Issues the charges of a plan in one commit, and registers their titles at the bank, `MAX_BANK_CALLS` at once. */
export const issueWithPlan = (ports: PaymentsPorts) => (actor: Issuer, sent: NewPlanCharges) =>
  withValidInput(ports, newPlanCharges, sent, (request) =>
    operationUseCase(
      startOperation(
        ports,
        (store) => readChargeFacts(ports, store, actor, request),
        (facts, fresh) => decidePlan(ports, facts, actor, request, fresh),
      ),
      (started) => sendTitles(ports, started),
      resumePlan(ports),
    ),
  )

const sendTitles = (ports: PaymentsPorts, { intent, titles }: StartedPlan) =>
  useCaseOf<readonly ChargeDetail[]>()(async (hooks) => {
    const operations = createTitle(ports)
    await inBatches(titles, (started) => operations.send(started, sendTitle(ports))())
    return outcomeOf(ports, idsIn(intent))(hooks)
  })

export const resumePlan = (ports: PaymentsPorts) => (intent: string) =>
  useCaseOf<readonly ChargeDetail[]>()(async (hooks) => {
    const operations = createTitle(ports)
    const ids = idsIn(intent)
    const asking = (await readInOrder(ports, ids)).flatMap((charge) => issuingOperationId(charge) ?? [])
    await inBatches(asking, (id) => operations.repeat(id)())
    return outcomeOf(ports, ids)(hooks)
  })

const readInOrder = async (
  { store }: Pick<PaymentsPorts, 'store'>,
  ids: readonly number[],
): Promise<readonly Charge[]> => {
  const found = await listByIds(store, charges, ids)
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Returns the charges with their current statuses; a charge that the bank refused is among them as failed. */
const outcomeOf = (ports: PaymentsPorts, ids: readonly number[]) =>
  finishOperation(
    ports,
    async () => withClients(ports, await readInOrder(ports, ids), ports.clock.steady()),
    (details) => (details.length === 0 ? left(NO_CHARGE) : accept(planResult(details))),
  )

const planResult = (details: readonly ChargeDetail[]) => {
  const refusals = details.map(titleResult).filter(isLeft)
  const [refusal] = refusals
  return refusal && refusals.length === details.length ? refusal : right(details)
}

type DecidingPorts = Parameters<typeof buildTitleCharge>[0]

/** A started plan: the titles of its charges, and the ids of the charges with commas, by which it is resumed. */
export interface StartedPlan {
  readonly intent: string
  readonly titles: readonly StartedBankOperation<TitleOrder, Charge>[]
}

const BETWEEN = ','

/** Returns the ids of the charges of a started plan, by due day. */
const idsIn = (intent: string): readonly number[] => intent.split(BETWEEN).map(Number)

/** Decides on one pending charge for each installment, and on the operations that request their titles. */
const decidePlan = (ports: DecidingPorts, facts: ChargeFacts, issuer: Issuer, request: PlanRequest, fresh: Fresh) => {
  const writable = writableAccount(facts.account)
  if (isLeft(writable)) return writable
  const account = writable.right
  const { plan } = facts
  const payer = findPayer(facts, account, request)
  const values = splitRemainderFirst(request.valueCents, plan?.installmentsCount ?? 1)
  const splits = splitsOfParts(request.splits, values.length)
  // Installments differ by cents: the issue of the first invalid one is enough.
  const ofSplits = values.map((cents, part) => splitIssues(account, facts.splits, splits[part], cents))
  const issues = [
    ...(plan ? installmentIssues(facts.book, account, request, plan, fresh.today) : []),
    ...(plan ? installmentFineIssues(request, plan, isConsumerOf(account, payer?.document ?? null)) : []),
    ...referenceIssues(facts, request),
    ...(ofSplits.find((wrong) => wrong.length > 0) ?? []),
    ...(payer ? [] : [issue('payer.clientId', 'unknown')]),
  ]
  if (!payer || !plan || issues.length > 0) return left(invalid(issues))
  const { paymentMethod } = request
  if (!bankSupports(ports.bank, paymentMethod)) return left(failure('refused', 'bank.unsupported'))
  const promised = promiseShares(facts, issuer, fresh)
  if (isLeft(promised)) return promised
  const { record: client, changes } = buildClient(account, payer, fresh)
  const made = installmentDays(plan, request.dueDate).map((dueDate, part) =>
    buildTitleCharge(
      ports,
      { account, client },
      issuer,
      {
        ...{ ...request, paymentMethod, card: null, dueDate, valueCents: values[part] ?? 0 },
        promised: splitsOfRequest(facts, { splits: splits[part] ?? null }),
      },
      fresh,
    ),
  )
  const intent = made.map(({ charge }) => charge.id).join(BETWEEN)
  return accept<StartedPlan>(
    { intent, titles: made.map(({ started }) => started) },
    ...changes,
    ...promised.right,
    ...made.flatMap((each) => each.changes),
  )
}

/** A fine in reais is limited by the least installment. */
export const installmentFineIssues = (terms: FineTerms, { installmentsCount }: PaymentPlan, isConsumer: boolean) => {
  const least = splitRemainderFirst(terms.valueCents, installmentsCount).at(-1) ?? terms.valueCents
  return fineIssues({ ...terms, valueCents: least }, isConsumer)
}

type PartTerms = Pick<PlanRequest, 'valueCents' | 'paymentMethod' | 'dueDate' | 'discountHundredths' | 'typeDiscount'>

/** Returns the issues of the installments: each is at least one cent and within the limits of a charge. */
export const installmentIssues = (
  book: ChargeFacts['book'],
  account: Account,
  { valueCents, paymentMethod, dueDate, ...terms }: PartTerms,
  plan: PaymentPlan,
  today: Day,
) => {
  const { installmentsCount: count } = plan
  const [most = 0, least = most] = splitRemainderFirst(valueCents, count)
  const latest = latestDueDate(paymentMethod, today) ?? latestDueDay(today)
  const last = installmentDays(plan, dueDate).at(-1) ?? dueDate
  const beyond = last > latest ? [issue('dueDate', 'plan.reach', { latest })] : []
  if (least < 1) return [issue('valueCents', 'money.min', { min: reaisFromCents(count) }), ...beyond]
  const fee = issueFeeOf(paymentMethod, account)
  // The fees of all installments are reserved together.
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
