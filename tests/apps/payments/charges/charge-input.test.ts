import test from 'ava'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { beforeAll } from '../before-all.ts'
import { cardBody } from '../given/cards.ts'
import { MARIA, type Merchant, openTestApi, type TestApi } from '../test-api.ts'

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
  ['value', { value: 0 }, 'Deve ser no mínimo 0.01.'],
  ['value', { value: 0.011 }, 'Deve ter no máximo 2 casas decimais.'],
  ['value', { value: 10_000_000_000 }, 'Deve ser no máximo 9999999999.99.'],
  ['value', { value: 1e9, payment_method: 'BOLETO' }, 'Deve ser no máximo 99999999.99.'],
  ['value', { value: undefined, amount: 0 }, 'Deve ser no mínimo 0.01.'],
  ['payment_method', { payment_method: 'pix' }, 'Deve ser um destes valores: PIX, BOLETO, BOLEPIX, CREDIT_CARD.'],
  ['due_date', { due_date: '2026-11-22' }, 'Não pode ser anterior a hoje.'],
  ['due_date', { due_date: '2041-12-15', payment_method: 'BOLETO' }, 'Um boleto pode vencer no máximo em 2041-12-14.'],
  ['due_date', { due_date: '2060-01-01', payment_method: 'BOLEPIX' }, 'Um boleto pode vencer no máximo em 2041-12-14.'],
  ['client_id', { client_id: 99_999 }, 'O registro informado não existe.'],
  ['name', { name: undefined }, 'O campo é obrigatório.'],
  ['name', { name: 'ã'.repeat(256) }, 'Deve ter no máximo 255 caracteres.'],
  ['document', { document: '123.456.789-00' }, 'Deve ser um CPF ou CNPJ válido.'],
  ['phone', { phone: '1'.repeat(21) }, 'Deve ter no máximo 20 caracteres.'],
  ['description', { description: '😀'.repeat(501) }, 'Deve ter no máximo 500 caracteres.'],
  ['details', { details: 'x'.repeat(2_001) }, 'Deve ter no máximo 2000 caracteres.'],
  ['amount_rate', { amount_rate: -0.01 }, 'Deve ser no mínimo 0.'],
  ['discount', { discount: 150.5, type_discount: 'ABSOLUTE' }, 'O desconto deve ser menor que o valor da cobrança.'],
  ['discount', { discount: 100, type_discount: 'PERCENTAGE' }, 'O desconto deve ser menor que o valor da cobrança.'],
  ['discount', { discount: 100 }, 'O desconto deve ser menor que o valor da cobrança.'],
  ['fine', { fine: -0.01 }, 'Deve ser no mínimo 0.'],
  ['fine', { fine: 2.01 }, CONSUMER_FINE],
  ['fine', { fine: 3.02, type_fine: 'ABSOLUTE' }, CONSUMER_FINE],
  ['fine', { fine: 100.01, document: '11.222.333/0001-81' }, 'A multa não pode passar do valor da cobrança.'],
  ['days_discount', { days_discount: 8 }, 'Não pode ser anterior a hoje.'],
  ['days_discount', { days_discount: -1 }, 'Deve ser no mínimo 0.'],
  ['installments', { installments: 121 }, 'Deve ser no máximo 120.'],
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

test.serial('names every wrong field in one reply', async (t) => {
  const body = {
    value: 0,
    payment_method: 'CHEQUE',
    due_date: 'amanhã',
    email: { $gt: '' },
    document: '1',
    phone: [],
    webhook: 'nowhere',
    description: 'x'.repeat(501),
    amount_rate: -1,
    type_rate: 'X',
    discount: '1',
    type_discount: {},
    days_discount: 366,
    installments: 121,
    tag_id: 1,
  }
  const shaped = await api.ask('POST', '/invoices', { token: merchant.token, body })
  t.is(shaped.status, 422)
  t.deepEqual(Object.keys(shaped.body.errors).sort(), [...Object.keys(body), 'name'].sort())

  const judged = await issue({
    due_date: '2026-11-20',
    days_discount: 2,
    discount: 200,
    type_discount: 'ABSOLUTE',
    installments: 0,
  })
  t.is(judged.status, 422)
  t.deepEqual(Object.keys(judged.body.errors).sort(), ['days_discount', 'discount', 'due_date', 'installments'])

  const elo = cardBody('4011780000000006')
  const looked = await issue({
    payment_method: 'CREDIT_CARD',
    client_id: 471_100_329,
    card: elo.card,
    address: elo.address,
  })
  t.is(looked.status, 422)
  t.deepEqual(Object.keys(looked.body.errors).sort(), ['card.card_number', 'client_id'])
})

test.serial('does not name absent optional fields', async (t) => {
  const { body } = await issue({ due_date: '2026-11-22' })
  t.deepEqual(Object.keys(body.errors), ['due_date'])
  const { status, body: nothing } = await api.ask('POST', '/invoices', { token: merchant.token, body: {} })
  t.is(status, 422)
  t.deepEqual(Object.keys(nothing.errors).sort(), ['document', 'due_date', 'email', 'name', 'payment_method', 'value'])
})

const fine: readonly (readonly [over: Record<string, unknown>, stored: Record<string, unknown>])[] = [
  [{ value: 0.01 }, { valueCents: 1 }],
  [{ value: 9_999_999_999.99 }, { valueCents: 999_999_999_999 }],
  [{ value: 0.29 }, { valueCents: 29 }],
  [{ value: undefined, amount: 1.1 }, { valueCents: 110 }],
  [{ value: 2, amount: 'ignored' }, { valueCents: 200 }],
  [{ due_date: '2026-11-23' }, { dueDate: '2026-11-23', lapsesAt: '2026-11-24T03:00:00.000Z' }],
  [{ due_date: '9999-12-31' }, { dueDate: '9999-12-31' }],
  [{ due_date: '2041-12-14', payment_method: 'BOLETO' }, { dueDate: '2041-12-14' }],
  [{ description: '😀'.repeat(500) }, { description: '😀'.repeat(500) }],
  [{ description: 'Cafe\u0301\r\nda manhã ' }, { description: 'Café\nda manhã' }],
  [
    { description: '', details: null },
    { description: null, details: null },
  ],
  [{ installments: 1 }, { installments: 1 }],
  [{ installments: 120 }, { installments: 120 }],
  [
    { days_discount: 7, discount: 1 },
    { daysDiscount: 7, discountHundredths: 100, typeDiscount: 'PERCENTAGE' },
  ],
  [
    { discount: 150.49, type_discount: 'ABSOLUTE' },
    { discountHundredths: 15_049, typeDiscount: 'ABSOLUTE' },
  ],
  [{ discount: 99.99, type_discount: 'PERCENTAGE' }, { discountHundredths: 9_999 }],
  [{ discount: 0, type_discount: 'ABSOLUTE' }, { discountHundredths: 0 }],
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

test('names a past due day together with a malformed field', async (t) => {
  const { status, body } = await issue({ value: 0, due_date: '2026-11-22' })
  t.is(status, 422)
  t.deepEqual(Object.keys(body.errors).sort(), ['due_date', 'value'])
})
