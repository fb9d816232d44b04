import test from 'ava'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { cardBody } from '../../given/cards.ts'
import { beforeAll } from '../before-all.ts'
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

const wrong: readonly (readonly [field: string, over: Record<string, unknown>, message: string])[] = [
  ['value', { value: 0 }, 'Deve ser no mínimo 0.01.'],
  ['value', { value: -1 }, 'Deve ser no mínimo 0.01.'],
  ['value', { value: 0.005 }, 'Deve ser no mínimo 0.01.'],
  ['value', { value: 0.011 }, 'Deve ter no máximo 2 casas decimais.'],
  ['value', { value: 10_000_000_000 }, 'Deve ser no máximo 9999999999.99.'],
  ['value', { value: 1e9, payment_method: 'BOLETO' }, 'Deve ser no máximo 99999999.99.'],
  ['value', { value: 1e308 }, 'Deve ser no máximo 9999999999.99.'],
  ['value', { value: '10' }, 'Deve ser um número em reais, como 150.5.'],
  ['value', { value: null }, 'O campo é obrigatório.'],
  ['value', { value: undefined }, 'O campo é obrigatório.'],
  ['value', { value: undefined, amount: 0 }, 'Deve ser no mínimo 0.01.'],
  ['payment_method', { payment_method: 'pix' }, 'Deve ser um destes valores: PIX, BOLETO, BOLEPIX, CREDIT_CARD.'],
  ['payment_method', { payment_method: undefined }, 'O campo é obrigatório.'],
  ['due_date', { due_date: '2026-11-22' }, 'Não pode ser anterior a hoje.'],
  ['due_date', { due_date: '2026-02-30' }, 'Deve ser uma data válida no formato AAAA-MM-DD.'],
  ['due_date', { due_date: '30/11/2026' }, 'Deve ser uma data válida no formato AAAA-MM-DD.'],
  ['due_date', { due_date: '2026-11-30T00:00:00Z' }, 'Deve ser uma data válida no formato AAAA-MM-DD.'],
  ['due_date', { due_date: '2041-12-15', payment_method: 'BOLETO' }, 'Um boleto pode vencer no máximo em 2041-12-14.'],
  ['due_date', { due_date: '2060-01-01', payment_method: 'BOLEPIX' }, 'Um boleto pode vencer no máximo em 2041-12-14.'],
  ['due_date', { due_date: undefined }, 'O campo é obrigatório.'],
  ['client_id', { client_id: 99_999 }, 'O registro informado não existe.'],
  ['client_id', { client_id: 0 }, 'Deve ser no mínimo 1.'],
  ['client_id', { client_id: '1' }, 'Deve ser um número inteiro.'],
  ['name', { name: undefined }, 'O campo é obrigatório.'],
  ['name', { name: '  ' }, 'O campo é obrigatório.'],
  ['name', { name: 'ã'.repeat(256) }, 'Deve ter no máximo 255 caracteres.'],
  ['email', { email: 'maria' }, 'Deve ser um e-mail válido.'],
  ['document', { document: '123.456.789-00' }, 'Deve ser um CPF ou CNPJ válido.'],
  ['phone', { phone: '1'.repeat(21) }, 'Deve ter no máximo 20 caracteres.'],
  ['webhook', { webhook: 'ftp://example.com' }, 'Deve ser uma URL http ou https válida.'],
  ['description', { description: '😀'.repeat(501) }, 'Deve ter no máximo 500 caracteres.'],
  ['description', { description: 'a\0b' }, 'Contém caracteres inválidos.'],
  ['description', { description: '\ud800' }, 'Contém caracteres inválidos.'],
  ['description', { description: `e${'\u0301'.repeat(40)}` }, 'Contém caracteres inválidos.'],
  ['details', { details: 'x'.repeat(2_001) }, 'Deve ter no máximo 2000 caracteres.'],
  ['instructions', { instructions: 7 }, 'Deve ser um texto.'],
  ['amount_rate', { amount_rate: -0.01 }, 'Deve ser no mínimo 0.'],
  ['amount_rate', { amount_rate: 1.005 }, 'Deve ter no máximo 2 casas decimais.'],
  ['type_rate', { type_rate: 'percentage' }, 'Deve ser um destes valores: ABSOLUTE, PERCENTAGE.'],
  ['discount', { discount: 150.5, type_discount: 'ABSOLUTE' }, 'O desconto deve ser menor que o valor da cobrança.'],
  ['discount', { discount: 100, type_discount: 'PERCENTAGE' }, 'O desconto deve ser menor que o valor da cobrança.'],
  ['discount', { discount: 100 }, 'O desconto deve ser menor que o valor da cobrança.'],
  ['type_discount', { type_discount: 1 }, 'Deve ser um destes valores: ABSOLUTE, PERCENTAGE.'],
  ['days_discount', { days_discount: 8 }, 'Não pode ser anterior a hoje.'],
  ['days_discount', { days_discount: -1 }, 'Deve ser no mínimo 0.'],
  ['days_discount', { days_discount: 1.5 }, 'Deve ser um número inteiro.'],
  ['installments', { installments: 0 }, 'Deve ser no mínimo 1.'],
  ['installments', { installments: 121 }, 'Deve ser no máximo 120.'],
  ['installments', { installments: '2' }, 'Deve ser um número inteiro.'],
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

test.serial('names operators, lists, booleans and huge numbers in other fields', async (t) => {
  const before = await api.everything()
  const strange: readonly unknown[] = [
    { $gt: '' },
    { $ne: null },
    [],
    [1],
    {},
    true,
    1e300,
    -1e300,
    '\u202e',
    { toString: 'x' },
  ]
  const fields = [...Object.keys(MARIA), 'client_id', 'phone', 'webhook', 'description', 'amount_rate', 'type_rate']
  fields.push('discount', 'type_discount', 'days_discount', 'installments', 'tag_id', 'details', 'instructions')
  for (const field of fields) {
    for (const value of strange) {
      const isFine =
        typeof value === 'string' && ['name', 'phone', 'description', 'details', 'instructions'].includes(field)
      if (isFine) continue
      const { status, body } = await issue({ [field]: value })
      t.deepEqual([status, Object.keys(body.errors ?? {})], [422, [field]], `${field} ${JSON.stringify(value)}`)
    }
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

test.serial('compares due days with the day in São Paulo', async (t) => {
  const status = async (due_date: string) => (await issue({ due_date })).status
  const days = [
    ['2026-11-24T02:59:59.999Z', '2026-11-23', 200],
    ['2026-11-24T02:59:59.999Z', '2026-11-22', 422],
    ['2026-11-24T03:00:00.000Z', '2026-11-23', 422],
    ['2026-11-24T03:00:00.000Z', '2026-11-24', 200],
  ] as const
  for (const [instant, day, expected] of days) {
    api.clock.set(instant)
    merchant = await api.again(merchant)
    t.is(await status(day), expected, `${day} at ${instant}`)
  }
})

test.serial('drops unknown keys', async (t) => {
  const intruders = {
    status: 'paid',
    id: 471_100_329,
    accountId: 471_100_329,
    amount_paid: 471_100_329,
    amountPaidCents: 471_100_329,
    created_by: 471_100_329,
    intruder: 'intruder',
    $set: { status: 'paid' },
    constructor: 'intruder',
  }
  const sent = `{"__proto__":{"intruder":1},${JSON.stringify({ ...MARIA, ...intruders, due_date: '2026-12-31' }).slice(1)}`
  const { status, body } = await api.ask('POST', '/invoices', { token: merchant.token, body: sent })
  t.is(status, 200)
  t.like(body.data, { status: { id: 1 }, amount_paid: null, created_by: 1 })
  const all = JSON.stringify(await api.everything())
  t.false(/intruder|\$set|471100329/.test(all))
})

test.serial('rejects the client of another account as unknown', async (t) => {
  const other = await api.merchant()
  const theirs = await api.charge(other, { due_date: '2026-12-31' })
  const { status, body } = await issue({ client_id: theirs.client.id, due_date: '2026-12-31' })
  t.is(status, 422)
  t.deepEqual(body.errors, { client_id: ['O registro informado não existe.'] })
  t.is((await api.every(clients)).filter(({ document }) => document === '12345678909').length, 2)
})

test.serial('rejects a body that is not a JSON object', async (t) => {
  const { token } = merchant
  const before = await api.everything()
  const sent = async (body: string, type = 'application/json') => {
    const answer = await api.ask('POST', '/invoices', { token, body, headers: { 'content-type': type } })
    return [answer.status, answer.body.message]
  }
  for (const text of ['{', '[]', '"x"', 'null', '{"value":NaN}', '{"value":01}'])
    t.deepEqual(await sent(text), [400, 'JSON inválido.'], text)
  t.is((await sent('value=1', 'application/x-www-form-urlencoded'))[0], 415)
  t.is((await sent(`{"description":"${'x'.repeat(1_100_000)}"}`))[0], 413)
  t.is((await sent(`{"value":1e999,"payment_method":"PIX"}`))[0], 422)
  t.deepEqual(await api.everything(), before)
})

test('names a past due day together with a malformed field', async (t) => {
  const { status, body } = await issue({ value: 0, due_date: '2026-11-22' })
  t.is(status, 422)
  t.deepEqual(Object.keys(body.errors).sort(), ['due_date', 'value'])
})
