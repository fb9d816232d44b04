import test from 'ava'
import { boletoMismatch, boletoOf, formatNossoNumero, sicrediBoleto } from '../../../../core/payments/boleto/boleto.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }

const sample = {
  agency: '0165',
  posto: '02',
  beneficiary: '00623',
  year: '26',
  byte: '2',
  sequence: 42,
  valueCents: 123_456,
  dueDate: '2026-12-10',
}
const made = sicrediBoleto(sample)
const asked = { compe: '748', valueCents: 123_456, dueDate: '2026-12-10' }

for (const { sicredi, barcode, linha, due, valueCents } of vectors.boleto.valid)
  if (sicredi)
    test(`Sicredi makes ${sicredi.nossoNumero} of its number`, (t) => {
      const { cooperativa: agency, posto, beneficiario: beneficiary, ano: year, byte, sequencial } = sicredi
      const number = { agency, posto, beneficiary, year, byte, sequence: Number(sequencial) }
      const boleto = sicrediBoleto({ ...number, valueCents, dueDate: due })
      t.deepEqual([boleto.barcode, boleto.digitableLine], [barcode, linha])
      t.is(formatNossoNumero(boleto.nossoNumero), sicredi.nossoNumero)
      t.is(boletoMismatch({ compe: '748', valueCents, dueDate: due }, boleto), null)
    })

test('keeps the year of the number for a due day in the next year', (t) => {
  const order = { valueCents: 15_035, dueDate: '2027-01-05' }
  const boleto = sicrediBoleto({ ...sample, ...order, sequence: 7 })
  t.is(formatNossoNumero(boleto.nossoNumero), '26/200007-5')
  t.is(boleto.barcode, '74891168200000150351126200007501650200623106')
  t.is(boleto.digitableLine, '74891126280000750165302006231068116820000015035')
  t.is(boletoMismatch({ compe: '748', ...order }, boleto), null)
})

test('accepts the last sequence of a byte', (t) => {
  const boleto = sicrediBoleto({ ...sample, sequence: 99_999 })
  t.is(formatNossoNumero(boleto.nossoNumero), '26/299999-4')
})

for (const wrong of [
  { agency: '165' },
  { posto: 'A1' },
  { beneficiary: '623' },
  { year: '2026' },
  { byte: '0' },
  { sequence: 100_000 },
  { sequence: -1 },
  { sequence: 1.5 },
])
  test(`Sicredi makes nothing of ${JSON.stringify(wrong)}`, (t) => {
    t.throws(() => sicrediBoleto({ ...sample, ...wrong }), { instanceOf: RangeError })
  })

const ofAnotherBank = (freeField: string) =>
  boletoOf({ compe: '341', valueCents: 1, dueDate: '2026-12-10', freeField, nossoNumero: '1' })
const withFreeField = (freeField: string) => boletoOf({ ...asked, freeField, nossoNumero: made.nossoNumero })

const answers = [
  ['what was asked', asked, made, null],
  [
    'printed marks',
    asked,
    { ...made, nossoNumero: '26/200042-3', digitableLine: '74891.12628 00042.301655 02006.231027 3 16560000123456' },
    null,
  ],
  [
    'another bank with numbers of its own',
    { ...asked, compe: '341', valueCents: 1 },
    ofAnotherBank('1'.repeat(25)),
    null,
  ],
  ['no digits', asked, { ...made, barcode: 'rubbish' }, 'form'],
  ['nothing', asked, { ...made, barcode: '' }, 'form'],
  ['a wrong check digit', asked, { ...made, barcode: made.barcode.replace(/^74893/, '74894') }, 'check-digit'],
  ['a collection bill', asked, { ...made, barcode: vectors.boleto.arrecadacao[0]?.barcode ?? '' }, 'collection-bill'],
  ['another bank', asked, ofAnotherBank('1'.repeat(25)), 'bank'],
  ['a cent more', asked, sicrediBoleto({ ...sample, valueCents: 123_457 }), 'value'],
  ['a day later', asked, sicrediBoleto({ ...sample, dueDate: '2026-12-11' }), 'due-date'],
  ['the number of another boleto', asked, { ...made, nossoNumero: '262000431' }, 'nosso-numero'],
  ['a free field without a number', asked, withFreeField('1'.repeat(25)), 'nosso-numero'],
  ['a free field whose last digit is wrong', asked, withFreeField(`${made.barcode.slice(19, 43)}3`), 'nosso-numero'],
  [
    'the line of another boleto',
    asked,
    { ...made, digitableLine: sicrediBoleto({ ...sample, sequence: 43 }).digitableLine },
    'digitable-line',
  ],
  ['no line', asked, { ...made, digitableLine: '' }, 'digitable-line'],
] as const
for (const [name, order, answer, mismatch] of answers)
  test(`of a bank that gives ${name}: ${mismatch}`, (t) => t.is(boletoMismatch(order, answer), mismatch))

test('rejects a number with a wrong check digit, even if the free field has it', (t) => {
  const free = '1126200042401650200623100'
  const forged = boletoOf({ ...asked, freeField: free, nossoNumero: '262000424' })
  t.is(boletoMismatch(asked, forged), 'nosso-numero')
})
