import type { ExecutionContext } from 'ava'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { anApiKey, payInto, paymentsOf } from '../payments-of.ts'
import { openEstateApi, worked } from '../test-api.ts'

type Options = Parameters<typeof openEstateApi>[1]

/** An agency that is paid into an account of the payments core, on its store. */
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
    /** Both workers do all that they have to do. */
    async work() {
      await bank.drain()
      await api.drain()
    },
    /** The charges of the payments core, the oldest first. */
    issued: async () => (await api.every(charges)).sort((a, b) => a.id - b.id),
  }
}
