import test from 'ava'
import { MAX_AMOUNT_CENTS, percentHalfUp } from '../../../../core/kernel/values/money.ts'
import type { Fees } from '../../../../core/payments/accounts/account.ts'
import { payableCents } from '../../../../core/payments/checkout/open-link.ts'

const FEES: Fees = {
  pixInCents: 99,
  pixOutCents: 7,
  boletoInCents: 150,
  boletoCents: 200,
  bolepixCents: 30,
  feeHundredths: 299,
}
const bearing = { passTransactionFeeToCustomer: true }
const not = { passTransactionFeeToCustomer: false }

test('charges the amount if the payer does not bear the fee', (t) => {
  for (const method of ['PIX', 'BOLETO', 'CARD'] as const) t.is(payableCents(not, method, 10_000, FEES), 10_000)
})

test('adds the fee of the method', (t) => {
  t.is(payableCents(bearing, 'PIX', 10_000, FEES), 10_099)
  t.is(payableCents(bearing, 'BOLETO', 10_000, FEES), 10_350)
  t.is(payableCents(bearing, 'CARD', 10_000, FEES), 10_308)
})

test('charges a card the least value that nets the amount', (t) => {
  for (const cents of [1, 2, 49, 50, 99, 100, 10_000, 12_345, 999_999_999, 999_999_999_999])
    for (const feeHundredths of [0, 1, 50, 299, 3_333, 5_000, 9_900, 9_999]) {
      const gross = payableCents(bearing, 'CARD', cents, { ...FEES, feeHundredths })
      if (gross > MAX_AMOUNT_CENTS) {
        t.true(percentHalfUp(MAX_AMOUNT_CENTS, 10_000 - feeHundredths) <= cents, `${cents} at ${feeHundredths}`)
        continue
      }
      const netOf = (value: number) => percentHalfUp(value, 10_000 - feeHundredths)
      t.true(netOf(gross) >= cents, `${cents} at ${feeHundredths}`)
      t.true(gross === 1 || netOf(gross - 1) < cents, `${cents} at ${feeHundredths}`)
    }
})

test('exceeds the limit of a charge if no value nets the amount', (t) => {
  t.true(payableCents(bearing, 'CARD', 1, { ...FEES, feeHundredths: 10_000 }) > MAX_AMOUNT_CENTS)
})
