import test from 'ava'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { beforeAll } from '../before-all.ts'
import { CARDS, cardBody } from '../given/cards.ts'
import { MARIA, type Merchant, openTestApi, type TestApi, wrongFields } from '../test-api.ts'

let api: TestApi
let merchant: Merchant

beforeAll(test, async (t) => {
  api = await openTestApi(t)
  merchant = await api.merchant()
})

const issue = (over: Record<string, unknown>) =>
  api.ask('POST', '/invoices', { token: merchant.token, body: { ...MARIA, ...over } })

const REFUSED = 'Os dados fornecidos são inválidos.'

const CONSUMER_FINE =
  'A multa de uma relação de consumo é de no máximo 2% do valor da cobrança (Lei 8.078/90, art. 52, § 1º).'

const wrong: readonly (readonly [field: string, over: Record<string, unknown>, message: string])[] = [
  ['value', { value: undefined, amount: 0 }, 'Deve ser no mínimo 0.01.'],
  ['due_date', { due_date: '2026-11-22' }, 'Não pode ser anterior a hoje.'],
  ['due_date', { due_date: '2041-12-15', payment_method: 'BOLETO' }, 'Um boleto pode vencer no máximo em 2041-12-14.'],
  ['discount', { discount: 150.5, type_discount: 'ABSOLUTE' }, 'O desconto deve ser menor que o valor da cobrança.'],
  ['fine', { fine: 2.01 }, CONSUMER_FINE],
  ['fine', { fine: 3.02, type_fine: 'ABSOLUTE' }, CONSUMER_FINE],
  ['fine', { fine: 100.01, document: '11.222.333/0001-81' }, 'A multa não pode passar do valor da cobrança.'],
  ['days_discount', { days_discount: 8 }, 'Não pode ser anterior a hoje.'],
  ...['tag', 'tag_id', 'establishment_id', 'charge_group_id', 'payment_plan_id'].map(
    (field) => [field, { [field]: 1 }, 'O registro informado não existe.'] as const,
  ),
]

test.serial('returns 422 for each wrong field, and writes nothing', async (t) => {
  const before = await api.everything()
  for (const [field, over, message] of wrong) {
    const { status, body } = await issue(over)
    const { error_codes: codes, ...rest } = body
    const told = { code: 422, success: false, message: REFUSED, error_code: 'fields', errors: { [field]: [message] } }
    t.deepEqual([status, rest], [422, told], JSON.stringify(over))
    t.deepEqual(Object.keys(codes), [field])
    t.regex(codes[field].join(), /^[a-z.-]+$/)
  }
  t.deepEqual(await api.everything(), before)
})

test.serial('names every wrong field in one reply, and no absent optional one', async (t) => {
  const elo = cardBody('4011780000000006')
  const card = { payment_method: 'CREDIT_CARD', card: elo.card, address: elo.address }
  const judged = { due_date: '2026-11-20', days_discount: 2, discount: 200, type_discount: 'ABSOLUTE', installments: 0 }
  const replies = [judged, { value: 0, due_date: '2026-11-22' }, { ...card, client_id: 471_100_329 }].map(issue)
  t.deepEqual(
    (await Promise.all(replies)).map(wrongFields).map((names) => names.toSorted()),
    [
      ['days_discount', 'discount', 'due_date', 'installments'],
      ['due_date', 'value'],
      ['card.card_number', 'client_id'],
    ],
  )
})

const fine: readonly (readonly [over: Record<string, unknown>, stored: Record<string, unknown>])[] = [
  [{ value: undefined, amount: 1.1 }, { valueCents: 110 }],
  [{ value: 2, amount: 'ignored' }, { valueCents: 200 }],
  [{ due_date: '2026-11-23' }, { dueDate: '2026-11-23', lapsesAt: '2026-11-24T03:00:00.000Z' }],
  [{ due_date: '2041-12-14', payment_method: 'BOLETO' }, { dueDate: '2041-12-14' }],
  [
    { days_discount: 7, discount: 1 },
    { daysDiscount: 7, discountHundredths: 100, typeDiscount: 'PERCENTAGE' },
  ],
  [
    { amount_rate: 0.33, type_rate: 'ABSOLUTE' },
    { amountRateHundredths: 33, typeRate: 'ABSOLUTE' },
  ],
  [{ fine: 2 }, { fineHundredths: 200, typeFine: 'PERCENTAGE' }],
  [
    { fine: 3.01, type_fine: 'ABSOLUTE' },
    { fineHundredths: 301, typeFine: 'ABSOLUTE' },
  ],
  [
    { fine: 100, document: '11.222.333/0001-81' },
    { fineHundredths: 10_000, typeFine: 'PERCENTAGE' },
  ],
  [{ type_fine: 'ABSOLUTE' }, { fineHundredths: null, typeFine: null }],
  [{ webhook: 'https://loja.example/ç?a=1#b' }, { webhook: 'https://loja.example/ç?a=1#b' }],
  [{ tag: null, tag_id: null, payment_plan_id: null }, { status: 'pending' }],
]

test.serial('accepts each field at its limit, and stores it as sent', async (t) => {
  for (const [over, stored] of fine) {
    const { status, body } = await issue(over)
    t.is(status, 200, JSON.stringify(over))
    const charge = (await api.every(charges)).find(({ id }) => id === body.data.id)
    t.like(charge, stored, JSON.stringify(over))
  }
})

const UNSUPPORTED = 'Bandeira não suportada'
const ELO = '4011780000000006'

beforeAll(test, async (t) => {
  api = await openTestApi(t)
  merchant = await api.merchant()
})

const issueByCard = (over: Readonly<Record<string, unknown>>) =>
  api.ask('POST', '/invoices', { token: merchant.token, body: cardBody(CARDS.visa, over) })

const card = (over: Readonly<Record<string, unknown>>) => ({ card: { ...cardBody().card, ...over } })

type Case = readonly [field: string, over: Readonly<Record<string, unknown>>, said: string]

const wrongCards: readonly Case[] = [
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

test.serial('returns 422 for each wrongCards field of a card, and writes nothing', async (t) => {
  const before = await api.everything()
  for (const [field, over, said] of wrongCards) {
    const { status, body } = await issueByCard(over)
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
    const { status, body } = await issueByCard({ ...over })
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
