import test from 'ava'
import type { Charge } from '../../../../../core/payments/charges/charge.ts'
import { instructionsOf } from '../../../../../core/payments/charges/invoice.ts'
import { aCharge } from '../billing-fixtures.ts'

const boleto = { nossoNumero: '1', barcode: '1', digitableLine: '1' }

const BOTH = {
  discountHundredths: 500,
  typeDiscount: 'ABSOLUTE',
  amountRateHundredths: 100,
  typeRate: 'PERCENTAGE',
} as const

const cases: readonly (readonly [name: string, over: Partial<Charge>, told: readonly string[]])[] = [
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
    'interest after a Saturday, from Monday',
    { dueDate: '2026-12-12', amountRateHundredths: 200, typeRate: 'ABSOLUTE' },
    ['APÓS 14/12/2026, JUROS DE R$ 2,00 POR DIA DE ATRASO'],
  ],
  [
    'the last day of a boleto, and what its issuer says',
    { boleto, lapsesAt: '2026-12-31T03:00:00.000Z', instructions: 'Obrigado\npela preferência' },
    ['NÃO RECEBER APÓS 30/12/2026', 'Obrigado\npela preferência'],
  ],
  [
    'of a Pix due on a Saturday its discount and last day, on Monday, and no interest that can never be asked',
    { dueDate: '2026-12-19', lapsesAt: '2026-12-22T03:00:00.000Z', ...BOTH },
    ['DESCONTO DE R$ 5,00 ATÉ 21/12/2026', 'PAGÁVEL ATÉ 21/12/2026'],
  ],
  [
    'no discount until after the last day of a Pix that an earlier release let expire on a Saturday',
    { dueDate: '2026-12-19', lapsesAt: '2026-12-20T03:00:00.000Z', ...BOTH },
    ['DESCONTO DE R$ 5,00 ATÉ 19/12/2026'],
  ],
]
for (const [name, over, told] of cases)
  test(`it says ${name}`, (t) => t.deepEqual(instructionsOf(aCharge({ lapsesAt: null, ...over })), told))
