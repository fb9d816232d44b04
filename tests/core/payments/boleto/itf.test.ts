import test from 'ava'
import { itfWidths } from '../../../../core/payments/boleto/barcode.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }

for (const { digits, widths } of vectors.itf.cases)
  test(`the bars of ${digits} are ${widths}`, (t) => t.is(itfWidths(digits).join(''), widths))

for (const [digit, widths] of Object.entries(vectors.itf.symbols))
  test(`${digit} is told as ${widths} in bars and in spaces`, (t) => {
    const told = itfWidths(digit + digit).slice(4, -3)
    const inModules = widths.replaceAll('1', '3').replaceAll('0', '1')
    t.is(told.filter((_, index) => index % 2 === 0).join(''), inModules)
    t.is(told.filter((_, index) => index % 2 === 1).join(''), inModules)
  })

test('a whole bar code is 405 modules wide', (t) => {
  t.is(
    itfWidths('7'.repeat(44)).reduce((sum, width) => sum + width, 0),
    405,
  )
})
