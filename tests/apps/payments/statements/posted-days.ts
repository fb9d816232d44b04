import type { ExecutionContext } from 'ava'
import { cardBody } from '../given/cards.ts'
import { type Answer, type Merchant, openMerchant, type TestApi, worked } from '../test-api.ts'

/** The day of the requests. */
export const TODAY = '2027-01-08'

/**
 * A merchant with eight lines on four days, the first of which is not told of by any range of 30 days:
 *
 * | id | day        | type       | value  | balance |
 * |----|------------|------------|--------|---------|
 * | 1  | 2026-11-23 | Pix        |  10.00 |   10.00 |
 * | 2  | 2026-11-23 | Pix fee    |  -1.00 |    9.00 |
 * | 3  | 2026-11-23 | card       | 150.50 |  150.50 | (of the card, status 5)
 * | 4  | 2026-11-24 | Pix        |  20.00 |   29.00 |
 * | 5  | 2026-11-24 | Pix fee    |  -1.00 |   28.00 |
 * | 6  | 2026-12-24 | boleto     |  30.00 |   58.00 |
 * | 7  | 2027-01-08 | Pix        |  40.00 |   98.00 |
 * | 8  | 2027-01-08 | Pix fee    |  -1.00 |   97.00 |
 */
export const postedDays = async (
  t: Pick<ExecutionContext, 'teardown'>,
): Promise<{ readonly api: TestApi; readonly merchant: Merchant; readonly get: (path: string) => Promise<Answer> }> => {
  const { api, merchant } = await openMerchant(t)
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { pix_in: 1 } } })
  const charge = (over: object) => api.charge(merchant, { due_date: '2027-01-30', ...over })
  const pix = []
  for (const value of [10, 20, 40]) pix.push((await charge({ value, description: `Cobrança de ${value}` })).pix.txid)
  const boleto = (await charge({ value: 30, payment_method: 'BOLETO', description: 'Boleto' })).boleto.txid
  worked(await api.pay(pix[0]))
  worked(await api.ask('POST', '/invoices', { token: merchant.token, body: cardBody() }))
  // Just after midnight in São Paulo.
  api.clock.set('2026-11-24T03:00:00.000Z')
  worked(await api.pay(pix[1], { payer: { name: 'João Conceição', document: '111.444.777-35' } }))
  api.clock.set('2026-12-25T02:59:59.999Z')
  worked(await api.pay(boleto))
  api.clock.set(`${TODAY}T12:00:00.000Z`)
  worked(await api.pay(pix[2]))
  const again = await api.again(merchant)
  return { api, merchant: again, get: (path) => api.ask('GET', `/consolidation/${path}`, { token: again.token }) }
}

export const idsOf = (lines: readonly { readonly id: number }[]): readonly number[] => lines.map(({ id }) => id)
