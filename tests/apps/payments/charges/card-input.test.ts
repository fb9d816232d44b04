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
const address = (over: Readonly<Record<string, unknown>>) => ({ address: { ...cardBody().address, ...over } })

type Case = readonly [field: string, over: Readonly<Record<string, unknown>>, said: string]

const wrong: readonly Case[] = [
  ['card', { card: undefined }, 'O campo é obrigatório.'],
  ['card', { card: null }, 'O campo é obrigatório.'],
  ['card', { card: CARDS.visa }, 'Deve ser um objeto.'],
  ['address', { address: undefined }, 'O campo é obrigatório.'],
  ['address.state', address({ state: 'São Paulo' }), 'Deve ter no máximo 2 caracteres.'],
  ['address.zipcode', address({ zipcode: '' }), 'O campo é obrigatório.'],
  ['card.card_number', card({ card_number: '4111111111111112' }), 'Deve ser um número de cartão válido.'],
  ['card.card_number', card({ card_number: undefined }), 'O campo é obrigatório.'],
  ['card.card_number', card({ card_number: { $ne: '' } }), 'Deve ser um texto.'],
  ['card.brand', card({ brand: 'mastercard' }), 'Não é a bandeira deste cartão.'],
  ['card.cvv', card({ cvv: '12' }), 'Deve ter os 3 dígitos do verso do cartão.'],
  ['card.cvv', card({ cvv: 123 }), 'Deve ser um texto.'],
  ['card.expiry_month', card({ expiry_month: 13 }), 'Deve ser um mês de 1 a 12.'],
  ['card.expiry_year', card({ expiry_year: '999' }), 'Deve ser um ano de 2 ou 4 dígitos.'],
  ['card.expiry_month', card({ expiry_month: 10, expiry_year: 26 }), 'O cartão está vencido.'],
  ['card.cardholder_name', card({ cardholder_name: ' ' }), 'O campo é obrigatório.'],
  [
    'card.cardholder_name',
    card({ cardholder_name: '4111 1111 1111 1111' }),
    'Deve ser o nome impresso no cartão, e não o número.',
  ],
  ['installments', { installments: 121 }, 'Deve ser no máximo 120.'],
  ['value', { value: 0 }, 'Deve ser no mínimo 0.01.'],
  ['value', { value: 0.001 }, 'Deve ser no mínimo 0.01.'],
  ['value', { value: 10_000_000_000 }, 'Deve ser no máximo 9999999999.99.'],
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

test.serial('names every wrong field of a card at once', async (t) => {
  const { body } = await issue({
    address: {},
    card: { card_number: '1', cvv: 'x', expiry_month: 0, expiry_year: 0, cardholder_name: '' },
  })
  const parts = ['card_number', 'cardholder_name', 'cvv', 'expiry_month', 'expiry_year'].map((part) => `card.${part}`)
  const lines = ['city', 'district', 'number', 'state', 'street', 'zipcode'].map((part) => `address.${part}`)
  t.deepEqual(Object.keys(body.errors).sort(), [...lines, ...parts].sort())
})

test.serial('accepts a card through the last day of its month in São Paulo, in several notations', async (t) => {
  const ways = [
    { expiry_month: '11', expiry_year: '26' },
    { expiry_month: 11, expiry_year: 2026 },
    { card_number: '4111 1111 1111 1111', brand: 'VISA' },
    { card_number: '5555-5555-5555-4444', brand: 'mastercard' },
    { card_number: '2223003122003222', brand: null, document: null },
  ]
  for (const way of ways) t.is((await issue(card(way))).status, 200, JSON.stringify(way))
  // The first of December in UTC, still November in São Paulo.
  const late = await openTestApi(t, { now: '2026-12-01T02:59:59.000Z' })
  const { token } = await late.merchant()
  const ask = (over: object) => late.ask('POST', '/invoices', { token, body: cardBody(CARDS.visa, { ...over }) })
  t.is((await ask(card({ expiry_month: 11, expiry_year: 26 }))).status, 200)
  late.clock.advance(1)
  t.is((await ask(card({ expiry_month: 11, expiry_year: 26 }))).status, 422)
  t.is((await ask(card({ expiry_month: 12, expiry_year: 26 }))).status, 200)
})

test.serial('applies the limits of the account to cards', async (t) => {
  const limits = { charge_min: 10, charge_max: 20 }
  t.is((await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { limits } })).status, 204)
  const values: readonly (readonly [number, number])[] = [
    [9.99, 422],
    [10, 200],
    [20, 200],
    [20.01, 422],
  ]
  for (const [value, status] of values) t.is((await issue({ value })).status, status, `${value}`)
})

test.serial('returns 422 for a card without an acquirer, before anything is stored', async (t) => {
  const none = await openTestApi(t, { instead: () => ({ acquirer: null }) })
  const { token } = await none.merchant()
  const before = await none.everything()
  const { status, body } = await none.ask('POST', '/invoices', { token, body: cardBody() })
  t.like([status, body], [422, { message: 'Operação não disponível neste banco.', error_code: 'bank.unsupported' }])
  t.deepEqual(await none.everything(), before)
})
