import { charges } from '../../../../core/payments/charges/charge.ts'
import { anyDocument } from '../../given/basics.ts'
import { MARIA, type Merchant, type TestApi, worked } from '../../payments/test-api.ts'
import type { KnownCharge } from '../known.ts'
import { HOOKS } from './outside.ts'

type Known = Readonly<Record<string, KnownCharge>>

const DUE_SOON = '2026-11-13'
const DUE_LATE = '2026-12-10'
const NOT_TAKEN = 400

/** Issues charges under names of their own, whatever the bank makes of them. */
export const issuing = (api: TestApi, owner: Merchant) => async (over: Readonly<Record<string, unknown>>) => {
  const body = { ...MARIA, due_date: DUE_LATE, ...over }
  const answer = await api.ask('POST', '/invoices', { token: owner.token, body })
  // What the bank did not take is kept, too, though nobody is told its id.
  if (answer.status !== NOT_TAKEN) worked(answer)
  return newest(api)
}

/** The charge that was issued last. */
export const newest = async (api: TestApi): Promise<KnownCharge> => {
  const { id, txid } = (await api.every(charges)).toSorted((a, b) => b.id - a.id)[0] ?? {}
  if (id === undefined || txid == null) throw new Error('no charge was issued')
  return { id, txid }
}

/** The first day: Pix charges in every state that a day can bring. */
export const firstDay = async (api: TestApi, owner: Merchant): Promise<Known> => {
  const issue = issuing(api, owner)
  const joao = { name: 'João Reis', email: 'joao@example.com', phone: '+55 51 99999-0002', document: anyDocument() }
  const paid = await issue({ description: 'Mensalidade de novembro', ...joao })
  const paidTwice = await issue({ value: 20, description: 'Uniforme' })
  const cancelled = await issue({ value: 30 })
  const paidThoughCancelled = await issue({ value: 40 })
  const expired = await issue({ value: 50, due_date: DUE_SOON })
  const late = await issue({ value: 60, due_date: DUE_SOON, amount_rate: 2, type_rate: 'PERCENTAGE' })
  const deleted = await issue({ value: 70 })
  const pending = await issue({ value: 90, discount: 5, type_discount: 'ABSOLUTE', days_discount: 3 })
  await api.fail('create_pix', 'refuse')
  const refused = await issue({ value: 11, webhook: HOOKS.gone })
  await api.fail('create_pix', 'unavailable')
  const unasked = await issue({ value: 12 })
  for (const { txid } of [paid, paidTwice, paidTwice]) worked(await api.pay(txid))
  for (const { txid } of [cancelled, paidThoughCancelled])
    worked(await api.ask('POST', '/fake-bank/cancellations', { body: { txid } }))
  worked(await api.pay(paidThoughCancelled.txid, { value: 40 }))
  worked(await api.ask('DELETE', `/invoices/${deleted.id}`, { token: owner.token }))
  await api.drain()
  return {
    paid,
    paidTwice,
    cancelled,
    paidThoughCancelled,
    expired,
    late,
    deleted,
    pending,
    refused,
    unasked,
  }
}

/** The next day: what was due has expired, and is paid all the same. */
export const secondDay = async (api: TestApi, { late }: Known): Promise<void> => {
  await api.drain()
  if (late) worked(await api.pay(late.txid, { value: 61.2 }))
  await api.drain()
}
