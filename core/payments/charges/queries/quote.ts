import { invalid, issue, left, right } from '../../../failure.ts'
import {
  type DecodedOf,
  day,
  flag,
  type InputOf,
  input,
  nullable,
  nullIfAbsent,
  output,
  pick,
  view,
} from '../../../kernel/input/mod.ts'
import { useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import { type Day, dayOf } from '../../../kernel/values/day.ts'
import { splitRemainderFirst } from '../../../kernel/values/money.ts'
import { byId } from '../../../ports/store.ts'
import { type Account, accounts, isExisting, UNKNOWN_ACCOUNT } from '../../accounts/account.ts'
import { bookOf } from '../../ledger/ledger.ts'
import { type Actor, accountRead, type PaymentsPorts } from '../../payments-ports.ts'
import { type AmountDue, amountDue, chargeRules, fineIssues, isConsumerOf } from '../../terms.ts'
import { type Charge, chargeFields, charges, lapsesAtOf, lastPayableDay, statusAt } from '../charge.ts'
import { type ChargeTerms, discountUntil, dueOn, termsOf } from '../detail.ts'
import { amountIssues, chargeTerms, installmentDays, type PaymentPlan, paymentPlan } from '../new-charge.ts'
import { partFineIssues, partIssues } from '../plan.ts'
import { issueFeeOf } from '../titles.ts'

/** The fields of a new charge, or of the charges of a plan, that determine the amounts due. */
export const dueQuote = input(
  'AmountDueQuote',
  {
    ...pick(chargeFields, 'valueCents', 'paymentMethod', 'dueDate', 'amountRateHundredths', 'typeRate'),
    ...pick(chargeFields, 'fineHundredths', 'typeFine', 'discountHundredths', 'typeDiscount', 'daysDiscount'),
    ...pick(chargeFields, 'paymentPlanId'),
    day: nullIfAbsent(day({ about: 'Dia do pagamento; sem ele, o vencimento de cada parcela' })),
  },
  ...chargeRules,
)
export type DueQuote = InputOf<typeof dueQuote>
type QuoteRequest = DecodedOf<typeof dueQuote>

/** The amount due of one charge on a day. */
export interface QuotedCharge extends AmountDue {
  readonly valueCents: number
  readonly dueDate: Day
  readonly day: Day
  /** The last day of the discount; null without a discount. */
  readonly discountUntil: Day | null
  /** The last day on which the charge accepts a payment; null for a card. */
  readonly payableUntil: Day | null
}

const UNKNOWN_PLAN = invalid([issue('paymentPlanId', 'unknown')])

export const quoteAmountDue =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, sent: DueQuote) =>
    withValidInput(ports, dueQuote, sent, (request) =>
      useCaseOf<readonly QuotedCharge[]>()(async () => {
        const { paymentPlanId, paymentMethod, valueCents } = request
        const { account, book } = await ports.store.read({
          account: byId(accounts, accountId),
          book: bookOf(accountId),
        })
        if (!isExisting(account)) return left(UNKNOWN_ACCOUNT)
        const plan = paymentPlanId === null ? null : await paymentPlan.find(ports.store, accountId, paymentPlanId)
        if (paymentPlanId !== null && !plan) return left(UNKNOWN_PLAN)
        const issueFee = issueFeeOf(paymentMethod, account)
        // The limit of a consumer's fine is checked with the payer, when the charge is issued.
        const issues = plan
          ? [
              ...partIssues(book, account, request, plan, dayOf(ports.clock.steady())),
              ...partFineIssues(request, plan, false),
            ]
          : [...amountIssues(account, book, { valueCents, paymentMethod, issueFee }), ...fineIssues(request, false)]
        return issues.length > 0 ? left(invalid(issues)) : right(quoteEach(account, request, plan))
      }),
    )

const quoteEach = (account: Account, request: QuoteRequest, plan: PaymentPlan | null): readonly QuotedCharge[] => {
  const { valueCents, dueDate: first } = request
  if (!plan) return [quoteOne(account, request, valueCents, first)]
  const values = splitRemainderFirst(valueCents, plan.installmentsCount)
  return installmentDays(plan, first).map((dueDate, part) => quoteOne(account, request, values[part] ?? 0, dueDate))
}

const quoteOne = (account: Account, request: QuoteRequest, valueCents: number, dueDate: Day): QuotedCharge => {
  const { paymentMethod, day: paidOn } = request
  // A quote has no payer: the fine of the account is that of a consumer.
  const terms = chargeTerms({ ...request, valueCents }, account.boletoConfigs, isConsumerOf(account, null))
  const charge = { valueCents, dueDate, ...terms, lapsesAt: lapsesAtOf({ paymentMethod, dueDate }) }
  return quoteOn(charge, paidOn ?? dueDate)
}

const quoteOn = (charge: ChargeTerms & Pick<Charge, 'lapsesAt'>, day: Day): QuotedCharge => ({
  ...pick(charge, 'valueCents', 'dueDate'),
  day,
  ...amountDue(termsOf(charge), day),
  dueCents: dueOn(charge, day),
  discountUntil: (charge.discountHundredths ?? 0) === 0 ? null : discountUntil(charge),
  payableUntil: lastPayableDay(charge),
})

const quotedChargeView = view(
  'QuotedCharge',
  {
    ...pick(chargeFields, 'valueCents', 'dueDate'),
    day: day({ about: 'Dia do pagamento' }),
    fineCents: output.money({ wire: 'fine', about: 'Multa por atraso nesse dia' }),
    interestCents: output.money({ wire: 'interest', about: 'Juros nesse dia' }),
    discountCents: output.money({ wire: 'discount', about: 'Desconto nesse dia' }),
    dueCents: output.money({ wire: 'amount_due', about: 'Quanto se paga nesse dia' }),
    discountUntil: nullable(day({ about: 'Último dia do desconto; null sem desconto' })),
    payableUntil: nullable(day({ about: 'Último dia em que se paga; null no cartão' })),
    isPayable: flag({ about: 'Se nesse dia ainda se paga' }),
  },
  (quoted: QuotedCharge) => ({
    ...quoted,
    isPayable: quoted.payableUntil === null || quoted.day <= quoted.payableUntil,
  }),
)

/** The quoted charges and their sum. */
export const amountDueView = view(
  'QuotedAmountDue',
  {
    dueCents: output.money({ wire: 'amount_due', about: 'Soma das parcelas nesses dias' }),
    charges: output.views(quotedChargeView, { wire: 'installments', about: 'Cada parcela; sem plano, uma' }),
  },
  (charges: readonly QuotedCharge[]) => ({
    dueCents: charges.reduce((sum, { dueCents }) => sum + dueCents, 0),
    charges,
  }),
)

/** The terms of an issued charge, and the amount due today. */
export interface IssuedTerms {
  readonly charge: Charge
  /** True if a partial payment keeps the charge open. */
  readonly acceptsPartial: boolean
  /** Null once the charge accepts no payment. */
  readonly today: QuotedCharge | null
}

export const readTerms = accountRead(
  'charge.unknown',
  async ({ store, clock }, accountId, id: number): Promise<IssuedTerms | null> => {
    const { charge, account } = await store.read({ charge: byId(charges, id), account: byId(accounts, accountId) })
    if (charge?.accountId !== accountId) return null
    const isPending = statusAt(charge, clock.now()) === 'pending'
    const today = isPending ? quoteOn(charge, dayOf(clock.steady())) : null
    return { charge, acceptsPartial: account?.acceptPartial ?? false, today }
  },
)

export const issuedTermsView = view(
  'IssuedTerms',
  {
    ...pick(chargeFields, 'amountRateHundredths', 'typeRate', 'fineHundredths', 'typeFine'),
    ...pick(chargeFields, 'discountHundredths', 'typeDiscount', 'daysDiscount'),
    acceptsPartial: flag({
      wire: 'accept_partial',
      about: 'Se um pagamento em parte deixa a cobrança aberta, como a conta escolheu',
    }),
    today: nullable(
      output.view(quotedChargeView, { about: 'Quanto se paga hoje; null se a cobrança não aceita mais pagamento' }),
    ),
  },
  ({ charge, acceptsPartial, today }: IssuedTerms) => ({
    ...charge,
    typeRate: charge.amountRateHundredths === null ? null : charge.typeRate,
    typeFine: charge.fineHundredths === null ? null : charge.typeFine,
    typeDiscount: charge.discountHundredths === null ? null : charge.typeDiscount,
    acceptsPartial,
    today,
  }),
)
