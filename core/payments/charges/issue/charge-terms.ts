import type { BoletoConfigs } from '../../accounts/settings.ts'
import { discountIssues } from '../../terms/charge-rules.ts'
import type { Charge } from '../charge.ts'

type Terms = Pick<Charge, 'amountRateHundredths' | 'typeRate' | 'discountHundredths' | 'typeDiscount' | 'daysDiscount'>
type GivenTerms = { readonly [K in keyof Terms]?: Terms[K] } & Pick<Charge, 'valueCents'>

/**
 * Interest and discount of a charge: its own words, else the account's; 0 asks for none. A discount of the account's that
 * would leave nothing to be paid is none: nobody asked for it here. Source: decisions.md §3, `boleto_configs`.
 */
export const chargeTerms = (asked: GivenTerms, configs: BoletoConfigs | null): Terms => ({
  ...interestOf(asked, configs),
  ...discountOf(asked, configs),
})

const interestOf = ({ amountRateHundredths = null, typeRate }: GivenTerms, configs: BoletoConfigs | null) => {
  const isOwn = amountRateHundredths !== null
  return {
    amountRateHundredths: isOwn ? amountRateHundredths : (configs?.rateHundredths ?? null),
    typeRate: (isOwn ? typeRate : (configs?.typeRate ?? typeRate)) ?? 'PERCENTAGE',
  }
}

const discountOf = (asked: GivenTerms, configs: BoletoConfigs | null) => {
  const { valueCents, discountHundredths = null, daysDiscount = null } = asked
  const own = { discountHundredths, typeDiscount: asked.typeDiscount ?? 'PERCENTAGE', daysDiscount }
  const hundredths = configs?.discountHundredths ?? null
  if (discountHundredths !== null || hundredths === null) return own
  const typeDiscount = configs?.typeDiscount ?? 'PERCENTAGE'
  const fits = discountIssues(valueCents, hundredths, typeDiscount).length === 0
  return fits ? { discountHundredths: hundredths, typeDiscount, daysDiscount } : own
}
