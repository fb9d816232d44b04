import { type Issue, issue } from '../../failure.ts'
import {
  type Decoded,
  type DecodedOf,
  either,
  type InputOf,
  input,
  nullIfAbsent,
  pick,
  requiredWhen,
} from '../../kernel/input/mod.ts'
import { MAX_AMOUNT_CENTS, reaisFromCents } from '../../kernel/values/money.ts'
import type { BankAbility, TitleMethod } from '../../ports/bank.ts'
import type { Account, BoletoConfigs } from '../accounts/account.ts'
import { MAX_BOLETO_CENTS } from '../boleto.ts'
import { card, noCardDigits, notExpired } from '../cards/card.ts'
import { payerFields } from '../customers/client.ts'
import type { LedgerAccount } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
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

const interestOf = ({ amountRateHundredths = null, typeRate }: RequestedTerms, configs: BoletoConfigs | null) => {
  const isOwn = amountRateHundredths !== null
  return {
    amountRateHundredths: isOwn ? amountRateHundredths : (configs?.rateHundredths ?? null),
    typeRate: (isOwn ? typeRate : (configs?.typeRate ?? typeRate)) ?? 'PERCENTAGE',
  }
}

const fineOf = (request: RequestedTerms, configs: BoletoConfigs | null, isConsumer: boolean) => {
  const { valueCents, fineHundredths = null, typeFine } = request
  if (fineHundredths !== null) return typedFine({ fineHundredths, typeFine })
  const ofAccount = { fineHundredths: configs?.fineHundredths ?? null, typeFine: configs?.typeFine }
  return lawfulFine({ valueCents, ...typedFine(ofAccount) }, isConsumer)
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
