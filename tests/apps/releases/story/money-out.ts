import { anyDocument, PIN } from '../../given/basics.ts'
import { type Merchant, type TestApi, worked } from '../../payments/test-api.ts'
import type { KnownCharge, KnownMoneyOut } from '../fixtures.ts'
import { issuing } from './charges.ts'

type Known = Readonly<Record<string, KnownCharge>>

const PAID_KEY = 'maria@example.com'
const AWAITED_KEY = 'ana@example.com'
const PENDING_KEY = 'joao@example.com'

/** Returns functions that send requests of the owner and fail unless they succeed. */
const asks = (api: TestApi, { token }: Merchant) => ({
  post: async (path: string, body: object) => worked(await api.ask('POST', path, { token, body })),
  get: async (path: string) => worked(await api.ask('GET', path, { token })),
})

const exporting = async (api: TestApi, owner: Merchant): Promise<string> => {
  const { id } = await asks(api, owner).post('/consolidation/transactions/export-document', { format: 'csv' })
  return `/consolidation/exports/download/${id}`
}

const lookUp = async (api: TestApi, owner: Merchant, keypix: string, value: number) => {
  const { data } = await asks(api, owner).post('/recipients', { keypix, value })
  return { internal_id: data.internal_id as number, keypix, value }
}

const withdraw = async (api: TestApi, owner: Merchant, keypix: string, value: number): Promise<number> => {
  const looked = await lookUp(api, owner, keypix, value)
  await asks(api, owner).post('/api/pix/withdraw', { ...looked, pin: PIN })
  return looked.internal_id
}

const transfer = (api: TestApi, owner: Merchant, token: string, amount: number) =>
  asks(api, owner).post('/transfers/internal', { token, amount })

const activate = async (api: TestApi, { id, token }: Merchant): Promise<void> => {
  worked(await api.ask('PUT', `/v1/organizations/${id}`, { token, body: { status: 'ACTIVE' } }))
}

/** Makes outgoing payments of every kind, and a simulated payment that the bank does not know. */
export const moneyOut = async (api: TestApi, owner: Merchant, { paid }: Known): Promise<KnownMoneyOut> => {
  const { post, get } = asks(api, owner)
  await activate(api, owner)
  await post(`/invoices/${paid?.id}/refund`, { value: 10, reason: 'Desistência' })
  const withdrawn = await withdraw(api, owner, PAID_KEY, 12)
  const other = await api.merchant('carla@boreal.example', anyDocument())
  await activate(api, other)
  const { account } = await asks(api, other).get('/access/account')
  const key: string = account.token
  await transfer(api, owner, key, 13)
  const simulated = await issuing(api, owner)({ value: 14 })
  await post(`/billing/simulate-payment/${simulated.id}/charges`, {})
  const written = await exporting(api, owner)
  const { data } = await get('/recipients/frequent')
  return { withdrawals: { withdrawn }, exports: { written }, recipientId: data[0].id, receiverKey: key }
}

/** Leaves an unconfirmed look-up, and pay-outs and refunds whose bank operation is unanswered, executed or not. */
export const moneyOutUnderWay = async (
  api: TestApi,
  owner: Merchant,
  { paid }: Known,
  known: KnownMoneyOut,
): Promise<KnownMoneyOut> => {
  const awaited = await lookUp(api, owner, AWAITED_KEY, 15)
  await transfer(api, owner, known.receiverKey, 16)
  const withdrawn = await withdraw(api, owner, PAID_KEY, 17)
  const pending: Record<string, number> = {}
  for (const [mode, word, cents] of [
    ['timeout', 'timedOut', 0.01],
    ['timeout_lost', 'lost', 0.02],
  ] as const) {
    await api.fail('pay_out', mode)
    pending[word] = await withdraw(api, owner, PENDING_KEY, 18 + cents)
    await api.fail('pay_out', mode)
    await transfer(api, owner, known.receiverKey, 19 + cents)
    await api.fail('refund', mode)
    await asks(api, owner).post(`/invoices/${paid?.id}/refund`, { value: 20 + cents })
  }
  const waiting = await exporting(api, owner)
  return {
    ...known,
    awaited,
    withdrawals: { ...known.withdrawals, again: withdrawn, ...pending },
    exports: { ...known.exports, waiting },
  }
}
