import { type Issue, issue } from '../../failure.ts'
import {
  type Decoded,
  type DecodedOf,
  either,
  type InputOf,
  input,
  integer,
  jsonText,
  line,
  nullIfAbsent,
  oneOf,
  pick,
  requiredWhen,
  rule,
  text,
} from '../../kernel/input/mod.ts'
import type { RecordOf } from '../../kernel/resources/resource.ts'
import { addDays, addMonths, type Day } from '../../kernel/values/day.ts'
import { MAX_AMOUNT_CENTS, reaisFromCents } from '../../kernel/values/money.ts'
import type { BankAbility, TitleMethod } from '../../ports/bank.ts'
import type { Store } from '../../ports/store.ts'
import type { Account, BoletoConfigs } from '../accounts/account.ts'
import { MAX_BOLETO_CENTS } from '../boleto.ts'
import { card, noCardDigits, notExpired } from '../cards/card.ts'
import { payerFields } from '../customers/client.ts'
import type { LedgerAccount } from '../ledger/ledger.ts'
import { type PaymentsPorts, uncodedResource } from '../payments-ports.ts'
import { splitsField } from '../splits/split.ts'
import { chargeRules, discountIssues, lawfulFine, typedFine } from '../terms.ts'
import { type Charge, chargeFields, type PaymentMethod } from './charge.ts'
import type { ChargeTerms } from './detail.ts'

/** The input of a new charge; the payer is an existing client, or the data of a client to create. */
export const newChargeFields = {
  ...pick(chargeFields, 'valueCents', 'paymentMethod', 'dueDate'),
  payer: either(pick(chargeFields, 'clientId'), payerFields),
  ...pick(chargeFields, 'webhook', 'description', 'details', 'instructions', 'amountRateHundredths', 'typeRate'),
  ...pick(chargeFields, 'fineHundredths', 'typeFine', 'discountHundredths', 'typeDiscount', 'daysDiscount'),
  ...pick(chargeFields, 'installments', 'address'),
  card: nullIfAbsent(card({ about: 'Cartão; obrigatório com CREDIT_CARD' })),
  splits: splitsField,
  ...pick(chargeFields, 'chargeGroupId', 'paymentPlanId'),
}

/** The maximum value by payment method. */
const MOST_CENTS: Readonly<Record<PaymentMethod, number>> = {
  PIX: MAX_AMOUNT_CENTS,
  BOLETO: MAX_BOLETO_CENTS,
  BOLEPIX: MAX_BOLETO_CENTS,
  CREDIT_CARD: MAX_AMOUNT_CENTS,
}

type CardFields = Pick<Decoded<typeof newChargeFields>, 'paymentMethod' | 'card' | 'address'>

/** The rules of the input: among them, a card requires the payer's address. */
export const newChargeRules = [
  ...chargeRules,
  requiredWhen<CardFields, 'paymentMethod'>(['card', 'address'], 'paymentMethod', 'CREDIT_CARD'),
  notExpired,
  noCardDigits,
]

export const newCharge = input('NewCharge', newChargeFields, ...newChargeRules)
export type NewCharge = InputOf<typeof newCharge>

export type DecodedCharge = DecodedOf<typeof newCharge>

type Terms = Omit<ChargeTerms, 'valueCents' | 'dueDate'>
type RequestedTerms = { readonly [K in keyof Terms]?: Terms[K] } & Pick<Charge, 'valueCents'>

/**
 * Returns the interest, late fine and discount of a charge: those of the request, else of the account; 0 means none.
 * The account's discount does not apply if it would leave nothing to pay; its fine is at most the legal maximum.
 */
export const chargeTerms = (request: RequestedTerms, configs: BoletoConfigs | null, isConsumer: boolean): Terms => ({
  ...interestOf(request, configs),
  ...fineOf(request, configs, isConsumer),
  ...discountOf(request, configs),
})

const fineOf = (request: RequestedTerms, configs: BoletoConfigs | null, isConsumer: boolean) => {
  const { valueCents, fineHundredths: own = null, typeFine } = request
  const rate = own ?? configs?.fineHundredths ?? null
  if (own !== null) return typedFine({ fineHundredths: own, typeFine })
  return lawfulFine({ valueCents, ...typedFine({ fineHundredths: rate, typeFine: configs?.typeFine }) }, isConsumer)
}

const interestOf = ({ amountRateHundredths = null, typeRate }: RequestedTerms, configs: BoletoConfigs | null) => {
  const isOwn = amountRateHundredths !== null
  return {
    amountRateHundredths: isOwn ? amountRateHundredths : (configs?.rateHundredths ?? null),
    typeRate: (isOwn ? typeRate : (configs?.typeRate ?? typeRate)) ?? 'PERCENTAGE',
  }
}

const discountOf = (request: RequestedTerms, configs: BoletoConfigs | null) => {
  const { valueCents, discountHundredths = null, daysDiscount = null } = request
  const own = { discountHundredths, typeDiscount: request.typeDiscount ?? 'PERCENTAGE', daysDiscount }
  const hundredths = configs?.discountHundredths ?? null
  if (discountHundredths !== null || hundredths === null) return own
  const typeDiscount = configs?.typeDiscount ?? 'PERCENTAGE'
  const fits = discountIssues(valueCents, hundredths, typeDiscount).length === 0
  return fits ? { discountHundredths: hundredths, typeDiscount, daysDiscount } : own
}

const ABILITY: Readonly<Record<TitleMethod, BankAbility>> = { PIX: 'pix', BOLETO: 'boleto', BOLEPIX: 'bolepix' }

/** Reports whether the bank can issue titles of a payment method. */
export const bankSupports = (
  { can }: Pick<PaymentsPorts['bank'], 'can'>,
  method: PaymentMethod,
): method is TitleMethod => method !== 'CREDIT_CARD' && can.includes(ABILITY[method])

/** Returns the issues of an amount: outside the limits of account or method, or a balance below the issue fee. */
export const amountIssues = (
  { limits }: Pick<Account, 'limits'>,
  book: Pick<LedgerAccount, 'availableCents'> | null,
  { valueCents, paymentMethod, issueFee }: Pick<Charge, 'valueCents' | 'paymentMethod' | 'issueFee'>,
) => {
  const { chargeMinCents: min, chargeMaxCents: max } = limits
  const most = MOST_CENTS[paymentMethod]
  const isShort = issueFee?.state === 'reserved' && (book?.availableCents ?? 0) < issueFee.cents
  const wrong = [
    [min !== null && valueCents < min, issue('valueCents', 'money.min', { min: reaisFromCents(min ?? 0) })],
    [max !== null && valueCents > max, issue('valueCents', 'money.max', { max: reaisFromCents(max ?? 0) })],
    [valueCents > most, issue('valueCents', 'money.max', { max: reaisFromCents(most) })],
    [isShort, issue('valueCents', 'balance.fee')],
  ] satisfies readonly (readonly [boolean, Issue])[]
  return wrong.flatMap(([isWrong, found]) => (isWrong ? [found] : []))
}

const groupFields = {
  name: line({ max: 255, about: 'Nome' }),
  slug: nullIfAbsent(line({ max: 255, about: 'Nome curto, único entre os grupos da conta' })),
  description: nullIfAbsent(text({ max: 2_000, about: 'Descrição' })),
  json: nullIfAbsent(jsonText({ about: 'Dados livres: um objeto, ou um texto em JSON' })),
  code: nullIfAbsent(line({ max: 50, about: 'Código de quem cadastra, único entre os grupos da conta' })),
}

/** A group of charges. A charge keeps the id of its group after the group is removed. */
export const chargeGroup = uncodedResource({
  one: 'charge-group',
  many: 'charge-groups',
  input: groupFields,
  internal: {},
  unique: ['slug', 'code'],
  search: ['name'],
})

export type ChargeGroup = RecordOf<typeof chargeGroup>

export type NewChargeGroup = InputOf<typeof chargeGroup.createInput>
export type ChargeGroupChange = InputOf<typeof chargeGroup.updateInput>

const INTERVAL_TYPES = ['months', 'weeks', 'days'] as const
type IntervalType = (typeof INTERVAL_TYPES)[number]

/** The due days of a plan's installments, relative to the first. */
export interface Schedule {
  readonly interval: number
  readonly intervalType: IntervalType
  readonly installmentsCount: number
}

const MAX_MONTHS = 360
/** The days of thirty years, at most. */
const MAX_DAYS = 10_958
const DAYS_A_WEEK = 7

const MAX_PLAN_INSTALLMENTS = 120

const later: Readonly<Record<IntervalType, (day: Day, n: number) => Day>> = {
  months: addMonths,
  weeks: (day, n) => addDays(day, n * DAYS_A_WEEK),
  days: addDays,
}

/** Returns the due days of a plan's installments: monthly ones on the day of the first, or the last of the month. */
export const installmentDays = ({ interval, intervalType, installmentsCount }: Schedule, first: Day): readonly Day[] =>
  Array.from({ length: installmentsCount }, (_, index) => later[intervalType](first, index * interval))

/** Returns the latest due day of an installment: thirty years from today. */
export const latestDueDay = (today: Day): Day => addMonths(today, MAX_MONTHS)

/** The longest interval, by its unit: thirty years. */
const longestInterval: Readonly<Record<IntervalType, number>> = {
  months: MAX_MONTHS,
  weeks: Math.floor(MAX_DAYS / DAYS_A_WEEK),
  days: MAX_DAYS,
}

/** Returns the maximum number of installments with an interval, for any first due day. */
export const mostInstallments = ({ interval, intervalType }: Omit<Schedule, 'installmentsCount'>): number =>
  Math.floor(longestInterval[intervalType] / interval) + 1

const planFields = {
  description: line({ max: 255, about: 'Descrição' }),
  interval: integer({ min: 1, about: 'De quantos em quantos meses, semanas ou dias vence uma parcela' }),
  intervalType: oneOf(INTERVAL_TYPES, { about: 'Em que se conta o intervalo' }),
  installmentsCount: integer({ min: 1, max: MAX_PLAN_INSTALLMENTS, about: 'Parcelas' }),
}

/** A plan that splits an amount into charges with regular due days. */
const plan = uncodedResource({ one: 'payment-plan', many: 'payment-plans', input: planFields, internal: {} })

/** Rejects plans longer than thirty years. The due days of one plan are checked again when its charges are issued. */
const withinReach = rule<Decoded<typeof planFields>, keyof typeof planFields, 'integer.max'>(
  ['interval', 'intervalType', 'installmentsCount'],
  (schedule) => {
    const longest = longestInterval[schedule.intervalType]
    if (schedule.interval > longest) return [issue('interval', 'integer.max', { max: longest })]
    const max = mostInstallments(schedule)
    return schedule.installmentsCount > max ? [issue('installmentsCount', 'integer.max', { max })] : []
  },
)

export const paymentPlan: typeof plan = { ...plan, createInput: input('NewPaymentPlan', planFields, withinReach) }

export type PaymentPlan = RecordOf<typeof paymentPlan>

export type NewPaymentPlan = InputOf<typeof paymentPlan.createInput>

type Named = Pick<Charge, 'chargeGroupId' | 'paymentPlanId'>

/** The records that a charge references; null without a reference, and if the account has no such record. */
export interface References {
  readonly group: ChargeGroup | null
  readonly plan: PaymentPlan | null
}

export const readReferences = async (
  store: Store,
  accountId: number,
  { chargeGroupId = null, paymentPlanId = null }: Partial<Named>,
): Promise<References> => ({
  group: chargeGroupId === null ? null : await chargeGroup.find(store, accountId, chargeGroupId),
  plan: paymentPlanId === null ? null : await paymentPlan.find(store, accountId, paymentPlanId),
})

/** Returns `unknown` for each reference without a record. */
export const referenceIssues = (
  { group, plan }: References,
  { chargeGroupId = null, paymentPlanId = null }: Partial<Named>,
) => [
  ...(chargeGroupId !== null && !group ? [issue('chargeGroupId', 'unknown')] : []),
  ...(paymentPlanId !== null && !plan ? [issue('paymentPlanId', 'unknown')] : []),
]
