import test from 'ava'
import type { Account } from '../../../../../core/payments/accounts/account.ts'
import { sicrediBoleto } from '../../../../../core/payments/boleto.ts'
import { CHARGE_STATUSES, type Charge } from '../../../../../core/payments/charges/charge.ts'
import { instructionsOf, invoiceOf } from '../../../../../core/payments/charges/queries/invoice.ts'
import type { Client } from '../../../../../core/payments/customers/client.ts'
import { aCharge, aClient, anAccount, aPix, detailOf } from '../../records.ts'

const number = { agency: '0165', posto: '02', beneficiary: '00623', year: '26', byte: '2', sequence: 42 }
const boleto = sicrediBoleto({ ...number, valueCents: 15_050, dueDate: '2026-11-30' })
const bolepix = { paymentMethod: 'BOLEPIX', boleto, lapsesAt: '2026-12-31T03:00:00.000Z' } as const

test('prints the boleto in the form of its bank', (t) => {
  const invoice = invoiceOf(detailOf(bolepix), anAccount(), null)
  t.deepEqual(invoice.boleto, {
    bankName: 'Sicredi',
    bankCode: '748-X',
    agencyAndCode: '0165.02.00623',
    portfolio: '1',
    nossoNumero: '26/200042-3',
    barcode: boleto.barcode,
    digitableLine: '74891.12628 00042.301655 02006.231027 6 16460000015050',
  })
  t.regex(invoice.pixCode ?? '', /^000201/)
})

test('prints account and bank name for a bank with other nosso números', (t) => {
  const account = anAccount({ agency: '0001', account: '12345-6' })
  const of = (compe: string) =>
    invoiceOf(detailOf({ boleto: { ...boleto, barcode: compe + boleto.barcode.slice(3) } }), account, null).boleto
  t.like(of('341'), { bankName: 'Itaú', bankCode: '341-7', agencyAndCode: '0001 / 12345-6', nossoNumero: '262000423' })
  t.like(of('085'), { bankCode: '085', bankName: 'COOPCENTRAL AILOS' })
  t.like(of('999'), { bankCode: '999', bankName: '999' })
})

test('prints boleto and Pix code for pending charges only', (t) => {
  for (const status of CHARGE_STATUSES) {
    const { boleto: printed, pixCode, instructions } = invoiceOf(detailOf({ ...bolepix, status }), anAccount(), null)
    t.deepEqual(
      [printed !== null, pixCode !== null, instructions.length > 0],
      Array(3).fill(status === 'pending'),
      status,
    )
  }
  const late = { ...detailOf(bolepix), asOf: '2026-12-31T03:00:00.000Z' }
  t.like(invoiceOf(late, anAccount(), null), { status: 'expired', boleto: null, pixCode: null })
})

test('prints the amount due of the API on the day', (t) => {
  const terms = { amountRateHundredths: 200, typeRate: 'ABSOLUTE', fineHundredths: 301, typeFine: 'ABSOLUTE' } as const
  const late = { ...detailOf({ ...bolepix, ...terms }), asOf: '2026-12-03T12:00:00.000Z' }
  t.like(invoiceOf(late, anAccount(), null), { day: '2026-12-03', valueCents: 15_050, dueCents: 15_951 })
})

const addresses: readonly (readonly [string, Partial<Client>, object | null, string | null])[] = [
  ['none', {}, null, null],
  [
    'of a legacy client',
    { address: '{"street":"Rua A","number":null,"city":"Natal","state":"RN","zip":"59000-000"}' },
    null,
    'Rua A, Natal - RN, 59000-000',
  ],
  ['of another form', { address: '"Rua A"' }, null, null],
  ['of a list', { address: '[1]' }, null, null],
  ['of other types', { address: '{"street":{"a":1},"number":7,"city":"Natal"}' }, null, 'Natal'],
  [
    'of the charge, before the client’s',
    { address: '{"street":"Rua A"}' },
    { street: 'Rua B', number: '2', district: 'Sé', city: 'São Paulo', state: 'SP', zipcode: '01001000' },
    'Rua B, 2, Sé, São Paulo - SP, 01001000',
  ],
]
for (const [name, client, address, line] of addresses)
  test(`prints an address ${name}`, (t) => {
    const charge = { ...aCharge(), ...(address === null ? {} : { address }) } as ReturnType<typeof aCharge>
    const detail = { ...detailOf(), charge, client: { ...aClient, ...client } }
    t.is(invoiceOf(detail, anAccount(), null).payer.address, line)
  })

test('formats names, documents and the card', (t) => {
  const account: Account = anAccount({ document: '12ABC34501DE35' })
  const card = {
    brand: 'visa',
    last4: '1111',
    holder: 'ANA',
    installments: 2,
    valueCents: 3,
    token: 't',
    feeCents: 1,
    netCents: 2,
  } as const
  const paid = { status: 'paid', amountPaidCents: 15_050, paymentDate: '2026-11-23', pix: null, card } as const
  const invoice = invoiceOf(detailOf({ ...paid, paymentMethod: 'CREDIT_CARD' }), account, new Uint8Array([1]))
  t.like(invoice, {
    status: 'paid',
    paid: { cents: 15_050, day: '2026-11-23' },
    payee: { document: '12.ABC.345/01DE-35' },
    payer: { name: 'Maria da Silva', document: '123.456.789-09' },
    card: { brand: 'Visa', last4: '1111', holder: 'ANA', installments: 2 },
  })
  t.false(JSON.stringify(invoice.card).includes('"t"'))
})

test('prints a dynamic code unchanged', (t) => {
  const pix = { ...aPix, dynamicCode: '000201dinamico' }
  t.is(invoiceOf(detailOf({ pix }), anAccount(), null).pixCode, '000201dinamico')
})

const stubBoleto = { nossoNumero: '1', barcode: '1', digitableLine: '1' }

const FINE = { fineHundredths: 200, typeFine: 'PERCENTAGE' } as const
const BOTH = {
  discountHundredths: 500,
  typeDiscount: 'ABSOLUTE',
  amountRateHundredths: 100,
  typeRate: 'PERCENTAGE',
} as const

const cases: readonly (readonly [name: string, over: Partial<Charge>, lines: readonly string[]])[] = [
  ['nothing', {}, []],
  [
    'a discount in reais to the due day',
    { discountHundredths: 1_000, typeDiscount: 'ABSOLUTE' },
    ['DESCONTO DE R$ 10,00 ATÉ 30/11/2026'],
  ],
  [
    'a discount in percent to three days before, in reais and as a day',
    { discountHundredths: 1_000, typeDiscount: 'PERCENTAGE', daysDiscount: 3 },
    ['DESCONTO DE R$ 15,05 ATÉ 27/11/2026'],
  ],
  [
    'a discount to a Saturday, to Monday',
    { dueDate: '2026-12-15', discountHundredths: 500, typeDiscount: 'ABSOLUTE', daysDiscount: 3 },
    ['DESCONTO DE R$ 5,00 ATÉ 14/12/2026'],
  ],
  ['a discount of no cent', { valueCents: 5, discountHundredths: 1_000, typeDiscount: 'PERCENTAGE' }, []],
  [
    'interest in reais a day',
    { amountRateHundredths: 200, typeRate: 'ABSOLUTE' },
    ['APÓS 30/11/2026, JUROS DE R$ 2,00 POR DIA DE ATRASO'],
  ],
  [
    'interest in percent a month, of the first day and of thirty',
    { valueCents: 10_000, amountRateHundredths: 100, typeRate: 'PERCENTAGE' },
    ['APÓS 30/11/2026, JUROS DE R$ 0,03 POR DIA DE ATRASO (R$ 1,00 EM 30 DIAS)'],
  ],
  [
    'interest of less than a cent a day',
    { valueCents: 1_000, amountRateHundredths: 100, typeRate: 'PERCENTAGE' },
    ['APÓS 30/11/2026, JUROS DE R$ 0,10 A CADA 30 DIAS DE ATRASO'],
  ],
  ['interest of no cent', { valueCents: 10, amountRateHundredths: 100, typeRate: 'PERCENTAGE' }, []],
  [
    'a fine in percent, in reais, and interest',
    { valueCents: 10_000, ...FINE, amountRateHundredths: 100, typeRate: 'PERCENTAGE' },
    ['APÓS 30/11/2026, MULTA DE R$ 2,00', 'APÓS 30/11/2026, JUROS DE R$ 0,03 POR DIA DE ATRASO (R$ 1,00 EM 30 DIAS)'],
  ],
  [
    'a fine in reais after a Saturday, from Monday',
    { dueDate: '2026-12-12', fineHundredths: 150, typeFine: 'ABSOLUTE' },
    ['APÓS 14/12/2026, MULTA DE R$ 1,50'],
  ],
  ['a fine of no cent', { valueCents: 49, ...FINE }, []],
  [
    'interest after a Saturday, from Monday',
    { dueDate: '2026-12-12', amountRateHundredths: 200, typeRate: 'ABSOLUTE' },
    ['APÓS 14/12/2026, JUROS DE R$ 2,00 POR DIA DE ATRASO'],
  ],
  [
    'the last day of a boleto and the instructions of its issuer',
    { boleto: stubBoleto, lapsesAt: '2026-12-31T03:00:00.000Z', instructions: 'Obrigado\npela preferência' },
    ['NÃO RECEBER APÓS 30/12/2026', 'Obrigado\npela preferência'],
  ],
  [
    'discount and last day of a Pix due on a Saturday, both on Monday, without a fine or interest that can never apply',
    { dueDate: '2026-12-19', lapsesAt: '2026-12-22T03:00:00.000Z', ...BOTH, ...FINE },
    ['DESCONTO DE R$ 5,00 ATÉ 21/12/2026', 'PAGÁVEL ATÉ 21/12/2026'],
  ],
  [
    'the discount at most until the last day of a Pix that an earlier release let expire on a Saturday',
    { dueDate: '2026-12-19', lapsesAt: '2026-12-20T03:00:00.000Z', ...BOTH },
    ['DESCONTO DE R$ 5,00 ATÉ 19/12/2026'],
  ],
]
for (const [name, over, lines] of cases)
  test(`prints ${name}`, (t) => t.deepEqual(instructionsOf(aCharge({ lapsesAt: null, ...over })), lines))
