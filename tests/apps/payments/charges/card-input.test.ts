import test from 'ava'
import { beforeAll } from '../before-all.ts'
import { CARDS, cardBody } from '../given/cards.ts'
import { type Merchant, openTestApi, type TestApi } from '../test-api.ts'

const REFUSED = 'Os dados fornecidos são inválidos.'
const UNSUPPORTED = 'Bandeira não suportada'
const ELO = '4011780000000006'

let api: TestApi
let merchant: Merchant

beforeAll(test, async (t) => {
  api = await openTestApi(t)
  merchant = await api.merchant()
})

const issue = (over: Readonly<Record<string, unknown>>) =>
  api.ask('POST', '/invoices', { token: merchant.token, body: cardBody(CARDS.visa, over) })

const card = (over: Readonly<Record<string, unknown>>) => ({ card: { ...cardBody().card, ...over } })

type Case = readonly [field: string, over: Readonly<Record<string, unknown>>, said: string]

const wrong: readonly Case[] = [
  ['card', { card: undefined }, 'O campo é obrigatório.'],
  ['address', { address: undefined }, 'O campo é obrigatório.'],
  ['card.card_number', card({ card_number: '4111111111111112' }), 'Deve ser um número de cartão válido.'],
  ['card.brand', card({ brand: 'mastercard' }), 'Não é a bandeira deste cartão.'],
  ['card.cvv', card({ cvv: '12' }), 'Deve ter os 3 dígitos do verso do cartão.'],
  ['card.expiry_month', card({ expiry_month: 13 }), 'Deve ser um mês de 1 a 12.'],
  ['card.expiry_year', card({ expiry_year: '999' }), 'Deve ser um ano de 2 ou 4 dígitos.'],
  ['card.expiry_month', card({ expiry_month: 10, expiry_year: 26 }), 'O cartão está vencido.'],
  [
    'card.cardholder_name',
    card({ cardholder_name: '4111 1111 1111 1111' }),
    'Deve ser o nome impresso no cartão, e não o número.',
  ],
]

test.serial('returns 422 for each wrong field of a card, and writes nothing', async (t) => {
  const before = await api.everything()
  for (const [field, over, said] of wrong) {
    const { status, body } = await issue(over)
    t.like([status, body], [422, { message: REFUSED, error_code: 'fields' }], JSON.stringify(over))
    t.deepEqual(body.errors, { [field]: [said] }, JSON.stringify(over))
  }
  t.deepEqual(await api.everything(), before)
})

test.serial('returns the message of an unsupported brand, and names its field', async (t) => {
  const before = await api.everything()
  const cases: readonly (readonly [string, object])[] = [
    ['card.card_number', card({ card_number: ELO })],
    ['card.card_number', card({ card_number: ELO, brand: 'elo' })],
    ['card.card_number', card({ card_number: '378282246310005', brand: 'visa' })],
    ['card.brand', card({ brand: 'amex' })],
  ]
  for (const [field, over] of cases) {
    const { status, body } = await issue({ ...over })
    t.like([status, body], [422, { message: UNSUPPORTED, error_code: 'fields' }])
    t.deepEqual(body.errors, { [field]: [UNSUPPORTED] })
    t.deepEqual(body.error_codes, { [field]: ['card.unsupported'] })
  }
  t.deepEqual(await api.everything(), before)
})

test.serial('returns 422 for a card without an acquirer, before anything is stored', async (t) => {
  const none = await openTestApi(t, { instead: () => ({ acquirer: null }) })
  const { token } = await none.merchant()
  const before = await none.everything()
  const { status, body } = await none.ask('POST', '/invoices', { token, body: cardBody() })
  t.like([status, body], [422, { message: 'Operação não disponível neste banco.', error_code: 'bank.unsupported' }])
  t.deepEqual(await none.everything(), before)
})
