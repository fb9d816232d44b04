import { fakeAcquirerConsole } from '../../../../adapters/bank/fake/acquirer.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { CARDS, cardBody } from '../../given/cards.ts'
import { type Merchant, type TestApi, worked } from '../../payments/test-api.ts'
import type { KnownCard } from '../known.ts'
import { nobodyThere } from './outside.ts'

type Known = Readonly<Record<string, KnownCard>>

/** Charges cards, whatever their acquirer makes of them. */
const charging =
  (api: TestApi, { token }: Merchant) =>
  async (number: string, value: number): Promise<KnownCard> => {
    const answer = await api.ask('POST', '/invoices', { token, body: cardBody(number, { value }) })
    if (number !== CARDS.declined) worked(answer)
    return newestCard(api)
  }

const newestCard = async (api: TestApi): Promise<KnownCard> => {
  const ofCards = (await api.every(charges)).filter(({ card }) => card !== null)
  const { id, code } = ofCards.toSorted((a, b) => b.id - a.id)[0] ?? {}
  if (id === undefined || code === undefined) throw new Error('no card was charged')
  return { id, code }
}

/** Cards in every state: what their acquirer has decided, now or later, and what it has not. */
export const cards = async (api: TestApi, owner: Merchant): Promise<Known> => {
  const charge = charging(api, owner)
  const approved = await charge(CARDS.visa, 301)
  const declined = await charge(CARDS.declined, 302)
  const pending = await charge(CARDS.pending, 303)
  const approvedLater = await charge(CARDS.pending, 304)
  const given = await charge(CARDS.pending, 305)
  worked(await api.ask('POST', '/fake-bank/cards', { body: { code: approvedLater.code, outcome: 'approve' } }))
  // What is not decided yet is given back.
  worked(await api.ask('DELETE', `/invoices/${given.id}`, { token: owner.token }))
  return { approved, declined, pending, approvedLater, given, untold: await charge(CARDS.pending, 306) }
}

/** A card that was decided while the platform was away, and cards of whose charges nobody was told what became. */
export const cardsUnderWay = async (api: TestApi, owner: Merchant, { untold }: Known): Promise<Known> => {
  const { store, ids, clock, random } = api.host
  const console = fakeAcquirerConsole({ store, ids, clock, random }, { decided: nobodyThere })
  await console.decide({ code: untold?.code ?? '', outcome: 'approve' })()
  const charge = charging(api, owner)
  await api.fail('charge_card', 'timeout')
  const timedOut = await charge(CARDS.visa, 307)
  await api.fail('charge_card', 'timeout_lost')
  return { timedOut, lost: await charge(CARDS.mastercard, 308) }
}
