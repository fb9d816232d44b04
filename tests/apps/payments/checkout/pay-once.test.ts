import test, { type ExecutionContext } from 'ava'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { CARDS, CVV } from '../../given/cards.ts'
import { type Answer, openTestApi } from '../test-api.ts'
import { type Known, linkOf, MARIA, shownTo } from './payer.ts'

const HOME = { zipcode: '01310-100', street: 'Avenida Paulista', number: '1000', district: 'Bela Vista' }
const CARD = { card_number: CARDS.visa, cardholder_name: 'MARIA DA SILVA', expiry: '12/30', cvv: CVV }
const BY_CARD = { payment_method: 'CARD', ...MARIA, ...CARD, ...HOME, city: 'São Paulo', state: 'SP' }
const BY_PIX = { payment_method: 'PIX', ...MARIA }

const open = async (t: ExecutionContext, more: object = {}) => {
  const api = await openTestApi(t)
  const owner = await api.merchant()
  const link = await linkOf(api, owner, more)
  const show = ({ id, token }: Known = link) => api.ask('GET', `/pay/${id}?token=${token}`)
  const post = (fields: Record<string, string>, { id, token }: Known = link) =>
    api.ask('POST', `/pay/${id}?token=${token}`, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  return { ...api, owner, link, show, post }
}

const keyIn = ({ text }: Answer): string => /<input type="hidden" name="key" value="([^"]+)"/.exec(text)?.[1] ?? ''
const alertIn = ({ text }: Answer): string => /role="alert"><p>([^<]*)/.exec(text)?.[1] ?? ''
const leadsTo = ({ status, headers }: Answer) => [status, headers.get('location')]

test('a form that is sent twice, at once or later, pays once and leads to the one charge', async (t) => {
  const { show, post, every, owner, link, ...api } = await open(t)
  for (const body of [BY_CARD, { ...BY_CARD, card_number: CARDS.pending }, BY_PIX]) {
    const before = (await every(charges)).length
    const sent = { ...body, key: keyIn(await show()) }
    const [first, ...more] = [...(await Promise.all([post(sent), post(sent), post(sent)])), await post(sent)].map(
      leadsTo,
    )
    t.is(first?.[0], 303)
    for (const other of more) t.deepEqual(other, first)
    t.is((await every(charges)).length, before + 1)
  }
  t.is((await shownTo({ ...api, every }, owner, link)).uses_count, 1)
})

test('whoever paid by a link last and sends the form again is led to what they paid', async (t) => {
  const { show, post } = await open(t, { max_uses: 1 })
  const sent = { ...BY_CARD, key: keyIn(await show()) }
  const first = leadsTo(await post(sent))
  t.deepEqual(leadsTo(await post(sent)), first)
  for (const other of [BY_CARD, { ...sent, key: 'another' }, { key: sent.key }, {}])
    t.is((await post(other)).status, 410)
})

test('a form is one until it has paid, whatever was tried before; after that another one pays', async (t) => {
  const { show, post, every } = await open(t)
  const page = await show()
  const key = keyIn(page)
  t.not(keyIn(await show()), key)
  const tried = { ...BY_CARD, card_number: CARDS.declined, key }
  for (const [sent, status] of [
    [tried, 400],
    [{ ...tried, name: '' }, 422],
  ] as const) {
    const refused = await post(sent)
    t.deepEqual([refused.status, keyIn(refused)], [status, key])
  }
  t.is((await post({ ...BY_CARD, key })).status, 303)
  // Whoever goes back and sends the first card again, which may be approved by now.
  const used = await post({ ...tried, card_number: CARDS.mastercard })
  t.is(used.status, 400)
  t.regex(alertIn(used), /já foi enviado por esta página, com outros dados/)
  t.is((await every(charges)).length, 2)
  t.not(keyIn(used), key)
  t.is((await post({ ...BY_CARD, name: 'Rui Costa', key: keyIn(used) })).status, 303)
})

test('while nobody knows what became of the first, the same form may be sent again', async (t) => {
  const { show, post, every, fail } = await open(t)
  const sent = { ...BY_PIX, key: keyIn(await show()) }
  await fail('create_pix', 'timeout')
  const waiting = leadsTo(await post(sent))
  t.is(waiting[0], 303)
  t.deepEqual(leadsTo(await post(sent)), waiting)
  t.is((await every(charges)).length, 1)
})

test('what is known of a form tells nothing of its card', async (t) => {
  const { show, post, everything } = await open(t)
  const key = keyIn(await show())
  await post({ ...BY_CARD, key })
  const kept = JSON.stringify(await everything())
  for (const secret of [CARDS.visa, `"${CVV}"`, key]) t.false(kept.includes(secret))
})

test('a key of a form counts for its link alone, and is no text that breaks the page', async (t) => {
  const { show, post, every, ...api } = await open(t)
  const other = await linkOf({ ...api, every }, api.owner)
  const sent = { ...BY_PIX, key: keyIn(await show()) }
  t.notDeepEqual(leadsTo(await post(sent)), leadsTo(await post(sent, other)))
  t.is((await every(charges)).length, 2)
  const long = await post({ ...BY_PIX, key: 'k'.repeat(300) })
  t.is(long.status, 422)
  t.is((await every(charges)).length, 2)
})
