import type { ExecutionContext } from 'ava'
import { type Fault, fakeBankConsole, fakeBankPart } from '../../../adapters/bank/fake/mod.ts'
import { chargingPart } from '../../../adapters/charging/charged-orders.ts'
import { scryptHasher } from '../../../adapters/crypto/hasher.ts'
import { memoryLog } from '../../../adapters/telemetry/log.ts'
import { portsOf, publicUrlOf } from '../../../apps/bank/payments-ports.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { type Payments, payments } from '../../../core/payments/payments.ts'
import { type Givens, givens, right } from '../../core/payments/world.ts'
import { type EstateTestApi, openEstateApi, type Person, worked } from './test-api.ts'

/** Opens the payments app on an agency's store: its core, its worker and the console of its fake bank. */
export const paymentsOf = async ({ host }: Pick<EstateTestApi, 'host'>) => {
  const ports = await portsOf(host, publicUrlOf(host.settings), memoryLog())
  const pay = payments({ ...ports, hasher: scryptHasher({ logN: 4 }) })
  const worker = pay.worker({ parts: [fakeBankPart(pay.bank), chargingPart] })
  const console = fakeBankConsole(pay.ports, pay.bank)
  return {
    pay,
    drain: () => worker.drain(),
    fail: async (id: Fault['id'], mode: Fault['mode'], times = 1) => right(await console.fail({ id, mode, times })()),
    /** Makes the bank end a title. */
    endTitle: async (txid: string) => right(await console.cancel(txid)()),
    /** Pays a title. */
    payTitle: async (txid: string, more: Readonly<{ valueCents?: number; method?: 'pix' | 'boleto' }> = {}) =>
      right(await console.pay({ txid, ...more })()),
  }
}

/** Opens a payment account and returns its API key. */
export const anApiKey = async (pay: Payments, over: Parameters<Givens['activeMerchant']>[0] = {}): Promise<string> =>
  (await givens(pay).activeMerchant({ name: 'Padaria Central', ...over })).apiKey

/** Sets the payment account of an agency. */
export const payInto = async (api: EstateTestApi, { token }: Pick<Person, 'token'>, apiKey: string): Promise<void> => {
  worked(await api.ask('PUT', '/api/company/payment-account', { token, body: { apiKey } }))
}

type Options = Parameters<typeof openEstateApi>[1]

/** Opens the API with an agency whose payments are received in an account of the payments core, on the same store. */
export const openCharging = async (t: Pick<ExecutionContext, 'teardown'>, options: Options = {}) => {
  const api = await openEstateApi(t, options)
  const admin = await api.agency()
  const bank = await paymentsOf(api)
  const apiKey = await anApiKey(bank.pay)
  await payInto(api, admin, apiKey)
  const tokenNow = () => api.sign({ sub: admin.uid, email: admin.email, email_verified: true })
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    api.ask(method, path, { token: await tokenNow(), body, headers })
  return {
    api,
    admin,
    bank,
    apiKey,
    ask,
    charge: (id: string, method = 'Pix', headers: Record<string, string> = {}) =>
      ask('POST', `/api/payments/${id}/charge`, { method }, headers),
    show: async (id: string) => worked(await ask('GET', `/api/payments/${id}`)),
    payByHand: (id: string) =>
      ask('PATCH', `/api/payments/${id}/pay`, { method: 'Cash', paidAt: '2026-11-23T12:00:00Z', paidValue: 2500 }),
    /** Drains both workers. */
    async work() {
      await bank.drain()
      await api.drain()
    },
    /** Returns the charges of the payments core, oldest first. */
    issued: async () => (await api.every(charges)).sort((a, b) => a.id - b.id),
  }
}
