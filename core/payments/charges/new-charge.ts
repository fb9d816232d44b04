import { type Issue, issue } from '../../failure.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, either, type InputOf, input } from '../../kernel/input/input.ts'
import { requiredWhen } from '../../kernel/input/rules.ts'
import { type Decoded, pick } from '../../kernel/input/table.ts'
import { MAX_AMOUNT_CENTS, reaisFromCents } from '../../kernel/values/money.ts'
import type { BankAbility, TitleMethod } from '../../ports/bank.ts'
import type { Account } from '../accounts/account.ts'
import type { BoletoConfigs } from '../accounts/settings.ts'
import { MAX_BOLETO_CENTS } from '../boleto/barcode.ts'
import { card, noCardDigits, notExpired } from '../cards/card.ts'
import { payerFields } from '../customers/client.ts'
import type { LedgerAccount } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { chargeRules, discountIssues } from '../terms/charge-rules.ts'
import { type Charge, chargeFields, type PaymentMethod } from './charge.ts'

/** What a charge is asked for with; the payer is an existing client, or who is to become one. */
export const newChargeFields = {
  ...pick(chargeFields, 'valueCents', 'paymentMethod', 'dueDate'),
  payer: either(pick(chargeFields, 'clientId'), payerFields),
  ...pick(chargeFields, 'webhook', 'description', 'details', 'instructions', 'amountRateHundredths', 'typeRate'),
  ...pick(chargeFields, 'discountHundredths', 'typeDiscount', 'daysDiscount', 'installments', 'address'),
  card: nullIfAbsent(card({ about: 'Cartão; obrigatório com CREDIT_CARD' })),
  ...pick(chargeFields, 'chargeGroupId', 'paymentPlanId'),
}

/** The most that is asked by each method. Source: decisions.md §9. */
export const MOST_CENTS: Readonly<Record<PaymentMethod, number>> = {
  PIX: MAX_AMOUNT_CENTS,
  BOLETO: MAX_BOLETO_CENTS,
  BOLEPIX: MAX_BOLETO_CENTS,
  CREDIT_CARD: MAX_AMOUNT_CENTS,
}

type CardFields = Pick<Decoded<typeof newChargeFields>, 'paymentMethod' | 'card' | 'address'>

/** What whoever reads a new charge asks of it: a card is charged with the address of who pays. */
export const newChargeRules = [
  ...chargeRules,
  requiredWhen<CardFields, 'paymentMethod'>(['card', 'address'], 'paymentMethod', 'CREDIT_CARD'),
  notExpired,
  noCardDigits,
]

/** Source: 02-billing.md, Charge creation body. */
export const newCharge = input('NewCharge', newChargeFields, ...newChargeRules)

export type NewCharge = InputOf<typeof newCharge>

export type DecodedCharge = DecodedOf<typeof newCharge>

type Terms = Pick<Charge, 'amountRateHundredths' | 'typeRate' | 'discountHundredths' | 'typeDiscount' | 'daysDiscount'>
type RequestedTerms = { readonly [K in keyof Terms]?: Terms[K] } & Pick<Charge, 'valueCents'>

/**
 * Interest and discount of a charge: its own words, else the account's; 0 asks for none. A discount of the account's that
 * would leave nothing to be paid is none: nobody asked for it here. Source: decisions.md §3, `boleto_configs`.
 */
export const chargeTerms = (asked: RequestedTerms, configs: BoletoConfigs | null): Terms => ({
  ...interestOf(asked, configs),
  ...discountOf(asked, configs),
})

const interestOf = ({ amountRateHundredths = null, typeRate }: RequestedTerms, configs: BoletoConfigs | null) => {
  const isOwn = amountRateHundredths !== null
  return {
    amountRateHundredths: isOwn ? amountRateHundredths : (configs?.rateHundredths ?? null),
    typeRate: (isOwn ? typeRate : (configs?.typeRate ?? typeRate)) ?? 'PERCENTAGE',
  }
}

const discountOf = (asked: RequestedTerms, configs: BoletoConfigs | null) => {
  const { valueCents, discountHundredths = null, daysDiscount = null } = asked
  const own = { discountHundredths, typeDiscount: asked.typeDiscount ?? 'PERCENTAGE', daysDiscount }
  const hundredths = configs?.discountHundredths ?? null
  if (discountHundredths !== null || hundredths === null) return own
  const typeDiscount = configs?.typeDiscount ?? 'PERCENTAGE'
  const fits = discountIssues(valueCents, hundredths, typeDiscount).length === 0
  return fits ? { discountHundredths: hundredths, typeDiscount, daysDiscount } : own
}

const ABILITY: Readonly<Record<TitleMethod, BankAbility>> = { PIX: 'pix', BOLETO: 'boleto', BOLEPIX: 'bolepix' }

/** Whether the bank can make what a charge of this method is paid by. Source: decisions.md §7. */
export const bankSupports = (
  { can }: Pick<PaymentsPorts['bank'], 'can'>,
  method: PaymentMethod,
): method is TitleMethod => method !== 'CREDIT_CARD' && can.includes(ABILITY[method])

/** What is wrong with what is asked: outside the account's limits or its method's, or more than the account can issue. */
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
