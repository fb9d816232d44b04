import { ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { apiKeyOf } from '../given/merchants.ts'
import type { Answer, Merchant, TestApi } from '../test-api.ts'

/** A merchant with the API key of its account. */
export interface Holder extends Merchant {
  readonly key: string
}

/** Creates a merchant with an active account and a balance. */
export const holder = async (api: TestApi, reais: number): Promise<Holder> => {
  const merchant = await api.merchant()
  await api.setStatus(merchant, 'ACTIVE')
  if (reais > 0) await api.paid(merchant, { value: reais })
  return { ...merchant, key: await apiKeyOf(api, merchant) }
}

/** Sends a transfer. */
export const transfer = (
  api: TestApi,
  from: Merchant,
  to: Holder,
  amount: unknown,
  more: { readonly body?: object; readonly headers?: Record<string, string> } = {},
): Promise<Answer> =>
  api.ask('POST', '/transfers/internal', {
    token: from.token,
    body: { token: to.key, amount, ...more.body },
    ...(more.headers ? { headers: more.headers } : {}),
  })

/** Returns balance and available balance of an account. */
export const bookOf = async (api: TestApi, { id }: Merchant): Promise<readonly unknown[]> => {
  const book = (await api.every(ledgerAccounts)).find((each) => each.id === `${id}:main`)
  return [book?.balanceCents, book?.availableCents]
}

/** Returns the pay-outs of the bank. */
export const paidOut = async (api: TestApi): Promise<readonly { readonly txid: string; readonly value: number }[]> =>
  (await api.ask('GET', '/fake-bank/payouts')).body

/** Returns the status of an answer, with its error code or the status of the transfer. */
export const inShort = ({ status, body }: Answer): readonly unknown[] => [status, body.error_code ?? body.data.status]
