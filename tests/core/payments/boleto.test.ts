import { isValidBoleto } from '@brazilian-utils/brazilian-utils'
import test from 'ava'
import fc from 'fast-check'
import { isLeft, left, right } from '../../../core/failure.ts'
import { addDays, daysBetween } from '../../../core/kernel/values/day.ts'
import {
  barcodeCheckDigit,
  barcodeOf,
  boletoMismatch,
  boletoOf,
  digitableLineOf,
  dueDayOf,
  dueFactor,
  formatDigitableLine,
  formatNossoNumero,
  itfWidths,
  MAX_BOLETO_CENTS,
  modulo10,
  readBoleto,
  sicrediBoleto,
  sicrediCheckDigit,
} from '../../../core/payments/boleto.ts'
import vectors from '../../fixtures/vectors.json' with { type: 'json' }

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

const { boleto, fatorVencimento } = vectors

for (const { input, dv } of vectors.modulo10) test(`modulo 10 of ${input} is ${dv}`, (t) => t.is(modulo10(input), dv))
for (const { input43, dv } of vectors.modulo11Geral)
  test(`the check digit of bar code ${input43} is ${dv}`, (t) => t.is(barcodeCheckDigit(input43), dv))
for (const { first24, dv } of vectors.sicrediCampoLivre)
  test(`the check digit of free field ${first24} is ${dv}`, (t) => t.is(sicrediCheckDigit(first24), dv))
for (const { base, dv } of vectors.sicrediNossoNumero)
  test(`the check digit of nosso número ${base} is ${dv}`, (t) => t.is(sicrediCheckDigit(base), dv))

for (const { date, fator } of fatorVencimento.encode)
  test(`factor of ${date} is ${fator}`, (t) => t.is(dueFactor(date), fator))
for (const [date, fator] of [
  ['1997-10-07', '0000'],
  ['2000-07-02', '0999'],
  ['2025-02-21', '9999'],
  ['2025-02-22', '1000'],
  ['2028-02-29', '2102'],
  ['2049-10-13', '9999'],
  ['2049-10-14', '1000'],
] as const)
  test(`at a turn, factor of ${date} is ${fator}`, (t) => t.is(dueFactor(date), fator))
test('throws for a day before the first factor', (t) => {
  t.throws(() => dueFactor('1997-10-06'), { instanceOf: RangeError })
})

for (const { fator, today, date } of fatorVencimento.decode)
  test(`factor ${fator} on ${today} is ${date}`, (t) => t.is(dueDayOf(fator, today), date))
test('reads factors below 1000 only in their own years', (t) => {
  t.is(dueDayOf('0000', '2026-11-21'), null)
  t.is(dueDayOf('0999', '2026-11-21'), null)
  t.is(dueDayOf('0999', '2000-07-02'), '2000-07-02')
})
test('reads a factor within the window as its day', (t) => {
  const [first, today] = ['2000-07-03', fc.integer({ min: 0, max: 20_000 })]
  const ahead = fc.integer({ min: -3_000, max: 5_500 })
  fc.assert(
    fc.property(today, ahead, (n, days) => {
      const day = addDays(first, n)
      const due = addDays(day, days)
      if (due >= first) t.is(dueDayOf(dueFactor(due), day), due)
    }),
  )
})
for (const [ahead, isRead] of [
  [-3_001, false],
  [-3_000, true],
  [5_500, true],
  [5_501, false],
] as const)
  test(`a boleto due ${ahead} days from now ${isRead ? 'is' : 'is not'} read`, (t) => {
    const due = addDays('2036-01-01', ahead)
    t.is(dueDayOf(dueFactor(due), '2036-01-01'), isRead ? due : null)
  })

for (const { barcode, linha, linhaFormatted, bank, fator, due, valueCents, campoLivre } of boleto.valid) {
  test(`${barcode} is made of its parts`, (t) => {
    t.is(barcodeOf({ compe: bank, dueDate: due, valueCents, freeField: campoLivre }), barcode)
    t.is(digitableLineOf(barcode), linha)
    t.is(formatDigitableLine(linha), linhaFormatted)
  })
  for (const text of [barcode, linha, linhaFormatted, ` ${linhaFormatted}\n`])
    test(`"${text}" is read as ${linha}`, (t) => {
      const parts = { barcode, digitableLine: linha, compe: bank, factor: fator, valueCents, freeField: campoLivre }
      t.deepEqual(readBoleto(text), right(parts))
    })
}
for (const { barcode, linha } of boleto.noFator)
  test(`${linha} names no due day and no value`, (t) => {
    for (const text of [barcode, linha]) {
      const read = readBoleto(text)
      t.deepEqual(!isLeft(read) && [read.right.factor, read.right.valueCents], ['0000', 0])
    }
  })

const refused = [
  ...boleto.invalidLinha.map(({ value, reason }) => [reason, value] as const),
  ...boleto.invalidBarcode.map(({ value, reason }) => [reason, value] as const),
  ['nothing', ''],
  ['no digits', '.- '],
  ['48 digits', `${boleto.valid[0]?.linha}0`],
  ['another currency', '74801372600000150351107200003101650200623108'],
  ['full-width digits', '７4891372600000150351107200003101650200623108'],
] as const
for (const [reason, text] of refused)
  test(`"${text}" is refused: ${reason}`, (t) => {
    const fault = /check digit|changed/.test(reason) ? 'check-digit' : 'form'
    t.deepEqual(readBoleto(text), left(fault))
  })
for (const { barcode, linha } of boleto.arrecadacao)
  test(`${linha} is a collection bill`, (t) => {
    for (const text of [barcode, linha]) t.deepEqual(readBoleto(text), left('collection-bill'))
  })

const parts = fc.record({
  compe: fc.stringMatching(/^[0-79]\d{2}$/),
  dueDate: fc.integer({ min: 0, max: 20_000 }).map((n) => addDays('2000-07-03', n)),
  valueCents: fc.integer({ min: 1, max: MAX_BOLETO_CENTS }),
  freeField: fc.stringMatching(/^\d{25}$/),
})
test('reads a built boleto as built, like another reader', (t) => {
  fc.assert(
    fc.property(parts, (made) => {
      const barcode = barcodeOf(made)
      const line = digitableLineOf(barcode)
      const read = readBoleto(line)
      t.true(isValidBoleto(line), line)
      t.is(daysBetween('1997-10-07', made.dueDate) > 0 && !isLeft(read) && read.right.barcode, barcode)
      t.deepEqual(readBoleto(barcode), read)
    }),
  )
})
test('detects any mistyped digit of a line', (t) => {
  const line = boleto.valid[8]?.linha ?? ''
  for (let place = 0; place < line.length; place += 1)
    for (let step = 1; step < 10; step += 1) {
      const wrong = line.slice(0, place) + ((Number(line.charAt(place)) + step) % 10) + line.slice(place + 1)
      t.true(isLeft(readBoleto(wrong)), wrong)
    }
})
for (const wrong of [
  { valueCents: 0 },
  { valueCents: 0.5 },
  { valueCents: MAX_BOLETO_CENTS + 1 },
  { compe: '74' },
  { freeField: '1' },
])
  test(`a bar code of ${JSON.stringify(wrong)} cannot be`, (t) => {
    const right = { compe: '748', dueDate: '2026-12-10', valueCents: 1, freeField: '1'.repeat(25) }
    t.throws(() => barcodeOf({ ...right, ...wrong }), { instanceOf: RangeError })
  })

for (const { digits, widths } of vectors.itf.cases)
  test(`the bars of ${digits} are ${widths}`, (t) => t.is(itfWidths(digits).join(''), widths))

for (const [digit, widths] of Object.entries(vectors.itf.symbols))
  test(`${digit} is encoded as ${widths} in bars and in spaces`, (t) => {
    const encoded = itfWidths(digit + digit).slice(4, -3)
    const inModules = widths.replaceAll('1', '3').replaceAll('0', '1')
    t.is(encoded.filter((_, index) => index % 2 === 0).join(''), inModules)
    t.is(encoded.filter((_, index) => index % 2 === 1).join(''), inModules)
  })

test('encodes a bar code in 405 modules', (t) => {
  t.is(
    itfWidths('7'.repeat(44)).reduce((sum, width) => sum + width, 0),
    405,
  )
})
