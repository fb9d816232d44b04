import type { ExecutionContext } from 'ava'
import { findings } from '../../../../apps/audit/findings.ts'
import { collectionsOf } from '../../../../apps/host/host.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { type LedgerAccount, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { payOutSums } from '../../../../core/payments/withdrawals/limits.ts'
import { type Answer, type Merchant, openTestApi, PIN, type TestApi, worked } from '../test-api.ts'

export const KEY = 'maria@example.com'
export const BANK = {
  bank_code: '341',
  agency: '0001',
  account: '12345-6',
  beneficiary_name: 'Maria da Silva',
  beneficiary_document: '123.456.789-09',
  pin: PIN,
}

type Options = NonNullable<Parameters<typeof openTestApi>[1]>

export interface Withdrawing {
  readonly api: TestApi
  readonly merchant: Merchant
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer>
  /** Signs in again, since a token is valid for an hour. */
  renew(): Promise<void>
  lookUp(body?: object): Promise<Answer>
  /** Looks up a key and pays it; returns the reply of the payment. */
  withdraw(value: number, key?: string): Promise<Answer>
  book(): Promise<LedgerAccount>
  waiting(): Promise<number>
  paidOut(): Promise<Answer['body']>
  terms(body: object): Promise<void>
  /** Returns the findings of `npm run audit`: ledger, reserves, tallies, keys and trail. */
  isWhole(): Promise<readonly string[]>
}

export const openWithdrawals = async (
  t: Pick<ExecutionContext, 'teardown'>,
  reais = 1_000,
  options: Options = {},
): Promise<Withdrawing> => {
  const api = await openTestApi(t, options)
  const merchant = await api.fund(await api.merchant(), reais)
  const { id } = merchant
  let { token } = merchant
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    api.ask('POST', path, { token, body, headers })
  const lookUp = (body: object = {}) => post('/legacypay/withdraws', { keypix: KEY, ...body })
  return {
    api,
    merchant,
    post,
    get: (path) => api.ask('GET', path, { token }),
    async renew() {
      token = (await api.again(merchant)).token
    },
    lookUp,
    async withdraw(value, key = KEY) {
      const looked = await lookUp({ keypix: key, value })
      if (looked.status !== 200) return looked
      const { data } = looked.body
      return post('/legacypay/withdraws/confirm', { internal_id: data.internal_id, keypix: key, value, pin: PIN })
    },
    async book() {
      const book = (await api.every(ledgerAccounts)).find((each) => each.id === `${id}:main`)
      if (!book) throw new Error('no book')
      return book
    },
    async waiting() {
      return (await api.every(payOutSums)).find((each) => each.id === `${id}|waiting`)?.amount ?? 0
    },
    paidOut: async () => worked(await api.ask('GET', '/fake-bank/payouts')),
    terms: async (body) => {
      worked({ ...(await api.ask('PUT', `/fake-bank/accounts/${id}`, { body })), status: 200 })
    },
    async isWhole() {
      const found: string[] = []
      for await (const { area, faults } of findings(api.host, collectionsOf([payments])))
        found.push(...faults.map((fault) => `${area}: ${fault}`))
      return found
    },
  }
}
