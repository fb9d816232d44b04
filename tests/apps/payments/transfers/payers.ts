import { ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import type { Answer, Merchant, TestApi } from '../test-api.ts'
import { worked } from '../test-api.ts'

/** An account that sends and gets. */
export interface Holder extends Merchant {
  readonly key: string
}

/** A merchant whose account is active and has so much, with its API key. */
export const holder = async (api: TestApi, reais: number): Promise<Holder> => {
  const merchant = await api.merchant()
  await api.setStatus(merchant, 'ACTIVE')
  const { account } = worked(await api.ask('GET', '/access/account', { token: merchant.token }))
  const made = { ...merchant, key: account.token as string }
  if (reais > 0) await pay(api, made, reais)
  return made
}

const pay = async (api: TestApi, to: Merchant, reais: number): Promise<void> => {
  const { pix } = await api.charge(to, { value: reais })
  worked(await api.pay(pix.txid))
}

/** Asks for a transfer. */
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

/** What is in an account's main book: the balance, and what of it may be spent. */
export const bookOf = async (api: TestApi, { id }: Merchant): Promise<readonly unknown[]> => {
  const book = (await api.every(ledgerAccounts)).find((each) => each.id === `${id}:main`)
  return [book?.balanceCents, book?.availableCents]
}

/** What the bank really paid out. */
export const paidOut = async (api: TestApi): Promise<readonly { readonly txid: string; readonly value: number }[]> =>
  (await api.ask('GET', '/fake-bank/payouts')).body

/** An answer in short: its status, its code. */
export const inShort = ({ status, body }: Answer): readonly unknown[] => [status, body.error_code ?? body.data.status]
