import { type Merchant, type TestApi, worked } from '../../payments/test-api.ts'
import type { KnownCharge } from '../known.ts'
import { issuing, newest } from './money.ts'

type Known = Readonly<Record<string, KnownCharge>>

const METHODS = { boleto: 'BOLETO', bolepix: 'BOLEPIX' } as const

/** What a month before was due then: nobody has paid it when its time is over. */
export const monthBefore = async (api: TestApi, owner: Merchant, due_date: string): Promise<Known> => {
  const issue = issuing(api, owner)
  return {
    boletoExpired: await issue({ value: 201, payment_method: METHODS.boleto, due_date }),
    bolepixExpired: await issue({ value: 202, payment_method: METHODS.bolepix, due_date }),
  }
}

/** Charges with a boleto in every state, and one with another title than it had. */
export const boletos = async (api: TestApi, owner: Merchant): Promise<Known> => {
  const { token } = owner
  // What is spent on boletos was there before.
  worked(await api.ask('PUT', `/fake-bank/accounts/${owner.id}`, { body: { taxes: { boleto: 2.5 } } }))
  const all: Record<string, KnownCharge> = {}
  for (const [name, payment_method] of Object.entries(METHODS)) {
    const issue = issuing(api, owner)
    const named = async (state: string, value: number): Promise<KnownCharge> => {
      const charge = await issue({ value, payment_method, description: `${name} ${state}` })
      all[`${name}${state}`] = charge
      return charge
    }
    await named('Pending', 210)
    const paid = await named('Paid', 211)
    const cancelled = await named('Cancelled', 212)
    const deleted = await named('Deleted', 213)
    const replaced = await named('Replaced', 214)
    worked(await api.pay(paid.txid, { method: 'boleto' }))
    worked(await api.ask('POST', '/fake-bank/cancellations', { body: { txid: cancelled.txid } }))
    await remove(api, owner, deleted)
    worked(await api.ask('PUT', `/invoices/${replaced.id}`, { token, body: { value: 215 } }))
    await api.fail('create_boleto', 'refuse')
    await named('Refused', 216)
  }
  const paidWithPix = await issuing(api, owner)({ value: 217, payment_method: METHODS.bolepix })
  worked(await api.pay(paidWithPix.txid, { method: 'pix' }))
  return { ...all, paidWithPix }
}

export const remove = async (api: TestApi, { token }: Merchant, { id }: KnownCharge): Promise<void> => {
  worked(await api.ask('DELETE', `/invoices/${id}`, { token }))
}

/** What is about to be changed and deleted when the last process dies. */
export const changing = async (api: TestApi, owner: Merchant): Promise<Known> => {
  const issue = issuing(api, owner)
  const payment_method = METHODS.boleto
  return {
    changeTimedOut: await issue({ value: 31 }),
    changeLost: await issue({ value: 32, payment_method }),
    changeHeld: await issue({ value: 34, payment_method }),
    deletionTimedOut: await issue({ value: 35 }),
    deletionLost: await issue({ value: 36, payment_method }),
  }
}

/** Boletos that the bank has made, or was not asked for, and changes and deletions of which it has said nothing yet. */
export const unanswered = async (api: TestApi, owner: Merchant, known: Known): Promise<Known> => {
  const { token } = owner
  const issue = issuing(api, owner)
  const change = async (name: string): Promise<void> => {
    worked(await api.ask('PUT', `/invoices/${known[name]?.id}`, { token, body: { value: 99 } }))
  }
  const erase = async (name: string): Promise<void> => {
    worked(await api.ask('DELETE', `/invoices/${known[name]?.id}`, { token }))
  }
  const all: Record<string, KnownCharge> = {}
  for (const [mode, word] of [
    ['timeout', 'TimedOut'],
    ['timeout_lost', 'Lost'],
  ] as const) {
    await api.fail('create_boleto', mode)
    all[`boleto${word}`] = await issue({ value: 26, payment_method: METHODS.boleto })
    await api.fail(mode === 'timeout' ? 'create_pix' : 'create_boleto', mode)
    await change(`change${word}`)
    await api.fail('cancel_title', mode)
    await erase(`deletion${word}`)
  }
  return all
}

/** Asks for a change while the bank holds its answers: the request, and the charge as it was. */
export const holdsChange = (api: TestApi, { token }: Merchant, { changeHeld }: Known) =>
  api.ask('PUT', `/invoices/${changeHeld?.id}`, { token, body: { value: 99 } })

/** Asks for a boleto so, whose fee is kept for it. */
export const holdsBoleto = async (api: TestApi, { token }: Merchant, body: object, held: () => Promise<void>) => {
  const asked = api.ask('POST', '/invoices', { token, body: { ...body, payment_method: METHODS.boleto } })
  await held()
  return { asked, charge: await newest(api) }
}
