import { anyDocument, PIN } from '../given/basics.ts'
import { type Merchant, PASSWORD, type TestApi, worked } from '../payments/test-api.ts'
import type { KnownShare } from './fixtures.ts'
import { issuing } from './story/charges.ts'
import type { Survivor } from './survivor.ts'

const VALUE = 100
const FIRST_PART = 40

const active = async (api: TestApi, email: string): Promise<Merchant> => {
  const merchant = await api.merchant(email, anyDocument())
  await api.setStatus(merchant, 'ACTIVE')
  return merchant
}

/** Pays a part of a charge that another account shares. */
export const share = async (api: TestApi): Promise<KnownShare> => {
  const issuer = await active(api, 'parcelada@example.com')
  const receiver = await active(api, 'parceira@example.com')
  const { split_receiver: key } = worked(
    await api.ask('POST', '/v1/split-receivers', { token: receiver.token, body: { name: 'Loja' } }),
  )
  const { token } = issuer
  worked(await api.ask('POST', '/access/account/pin', { token, body: { pin: PIN, confirm_pin: PIN } }))
  worked(await api.ask('PUT', '/access/account', { token, body: { pin: PIN, accept_partial: true } }))
  const charge = await issuing(api, issuer)({ value: VALUE, splits: [{ account: key.key, percent: 10 }] })
  worked(await api.pay(charge.txid, { value: FIRST_PART }))
  return {
    issuer: { email: issuer.email, password: PASSWORD },
    charge,
    receiver: { email: receiver.email, password: PASSWORD, keyId: key.id },
  }
}

/** Refunds a part of the payment, whose share is taken back, and revokes the key. Stores of releases without splits have none. */
export const usesShare = async ({ api, known, signIn }: Survivor): Promise<void> => {
  if (!known.share) return
  const { issuer, charge, receiver } = known.share
  const token = await signIn(issuer)
  worked(await api.ask('POST', `/invoices/${charge.id}/refund`, { token, body: { value: FIRST_PART / 2 } }))
  const path = `/v1/split-receivers/${receiver.keyId}`
  worked(await api.ask('DELETE', path, { token: await signIn(receiver) }))
}
