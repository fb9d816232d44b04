import { body, type Decoded, object } from '../../../core/kernel/input/body.ts'
import { optional, orNull } from '../../../core/kernel/input/codec.ts'
import { hundredths, reais } from '../../../core/kernel/input/fields/numbers.ts'
import { text } from '../../../core/kernel/input/fields/texts.ts'
import type { Terms } from '../../../core/payments/accounts/settings/set-terms.ts'

const taxes = body({
  pix_in: optional(reais()),
  pix_out: optional(reais()),
  boleto_in: optional(reais()),
  boleto: optional(reais()),
  bolepix: optional(reais()),
  fee: optional(hundredths({ min: 0, max: 100 })),
})

const limits = body({
  pix_out_per_transaction: orNull(reais()),
  pix_out_daily: orNull(reais()),
  pix_out_nightly: orNull(reais()),
  charge_min: orNull(reais()),
  charge_max: orNull(reais()),
})

const fields = {
  taxes: optional(object(taxes)),
  limits: optional(object(limits)),
  bank_code: optional(text({ max: 3 })),
  pix_key: orNull(text({ max: 77 })),
}

/** What a bank's back office sets, in reais and percent. Source: decisions.md §8. */
export const termsBody = body(fields)

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** Only what was given: what is left out stays as it is. */
const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>

export const termsOf = ({ taxes, limits, bank_code, pix_key }: Decoded<typeof fields>): Terms =>
  given({
    taxes:
      taxes &&
      given({
        pixInCents: taxes.pix_in,
        pixOutCents: taxes.pix_out,
        boletoInCents: taxes.boleto_in,
        boletoCents: taxes.boleto,
        bolepixCents: taxes.bolepix,
        feeHundredths: taxes.fee,
      }),
    limits:
      limits &&
      given({
        pixOutPerTransactionCents: limits.pix_out_per_transaction,
        pixOutDailyCents: limits.pix_out_daily,
        pixOutNightlyCents: limits.pix_out_nightly,
        chargeMinCents: limits.charge_min,
        chargeMaxCents: limits.charge_max,
      }),
    bankCode: bank_code,
    pixKey: pix_key,
  })
