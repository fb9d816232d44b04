import test from 'ava'
import { quoteOf } from '../../../../core/real-estate/terms/quote.ts'

const OWED = { id: 'p', type: 'Rent', valueCents: 250_000, dueDate: '2026-11-10', receivedCents: null } as const
const TERMS = { finePercentage: 10, interestPercentage: 1, discountValueCents: 10_000 }

test('the largest payment at the largest interest is exact up to the last quoted day', (t) => {
  const most = { ...OWED, valueCents: 999_999_999_999, dueDate: '1900-01-01' }
  const { totalCents } = quoteOf(most, { ...TERMS, finePercentage: 100, interestPercentage: 100 }, '2199-12-31')
  t.true(Number.isSafeInteger(totalCents))
})

type Quoted = Parameters<typeof quoteOf>

const centsOf = (on: string, owed: Quoted[0] = OWED, terms: Quoted[1] = TERMS) => {
  const { fine, interest, discount, totalCents } = quoteOf(owed, terms, on)
  return [fine.cents, interest.cents, discount.cents, totalCents]
}

test('up to the due date the discount applies, without fine and interest', (t) => {
  for (const on of ['2026-01-01', '2026-11-09', '2026-11-10']) t.deepEqual(centsOf(on), [0, 0, 10_000, 240_000])
  t.is(quoteOf(OWED, TERMS, '2026-11-10').daysLate, 0)
})

test('a due date on a weekend or bank holiday moves to the next business day, with the discount and the late days', (t) => {
  const terms = { finePercentage: 10, interestPercentage: 1, discountValueCents: 5_000 }
  const totals = (dueDate: string, ...days: readonly string[]) =>
    days.map((on) => quoteOf({ ...OWED, valueCents: 150_000, dueDate }, terms, on).totalCents)
  t.deepEqual(totals('2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01'), [145_000, 145_000, 165_050])
  t.deepEqual(totals('2026-11-21', '2026-11-27'), [165_200])
  // Carnival Monday and Tuesday, Good Friday, Corpus Christi, New Year's Day on a Friday; 31 December is a business
  // day.
  t.deepEqual(totals('2026-02-16', '2026-02-18', '2026-02-19'), [145_000, 165_050])
  t.deepEqual(totals('2026-04-03', '2026-04-06', '2026-04-07'), [145_000, 165_050])
  t.deepEqual(totals('2026-06-04', '2026-06-05', '2026-06-08'), [145_000, 165_150])
  t.deepEqual(totals('2027-01-01', '2027-01-04', '2027-01-05'), [145_000, 165_050])
  t.deepEqual(totals('2026-12-31', '2026-12-31', '2027-01-01'), [145_000, 165_050])
  const reason = 'Valor do pagamento, com vencimento em 28/11/2026, prorrogado para 30/11/2026, o próximo dia útil.'
  const late = quoteOf({ ...OWED, dueDate: '2026-11-28' }, terms, '2026-12-01')
  t.like(late, { value: { reason }, discount: { reason: 'Sem desconto: valia até 30/11/2026.' } })
})

test('after the due date the fine is owed once, and interest by the day, at 30 days a month', (t) => {
  // 1% of 2,500.00 over 30 days is 83.333… cents a day.
  t.deepEqual(centsOf('2026-11-11'), [25_000, 83, 0, 275_083])
  t.deepEqual(centsOf('2026-11-16'), [25_000, 500, 0, 275_500])
  t.deepEqual(centsOf('2026-12-10'), [25_000, 2_500, 0, 277_500])
  t.deepEqual(centsOf('2027-11-10'), [25_000, 30_417, 0, 305_417])
})

test('fine and interest are each rounded half up', (t) => {
  const owed = { ...OWED, valueCents: 5 }
  t.deepEqual(centsOf('2026-11-11', owed, { ...TERMS, discountValueCents: null }), [1, 0, 0, 6])
  t.deepEqual(centsOf('2027-09-06', owed, { ...TERMS, finePercentage: 0.0001 }), [0, 1, 0, 6])
})

test('a part without a term in the contract is 0, with its reason', (t) => {
  const none = { finePercentage: null, interestPercentage: null, discountValueCents: null }
  t.deepEqual(centsOf('2026-12-10', OWED, none), [0, 0, 0, 250_000])
  t.like(quoteOf(OWED, none, '2026-12-10'), {
    value: { reason: 'Valor do pagamento, com vencimento em 10/11/2026.' },
    fine: { reason: 'Sem multa: o contrato não a prevê.' },
    interest: { reason: 'Sem juros: o contrato não os prevê.' },
    discount: { reason: 'Sem desconto: o contrato não o prevê.' },
  })
  const late = quoteOf(OWED, { ...TERMS, finePercentage: 2.5 }, '2026-11-11')
  t.is(late.fine.reason, 'Multa por atraso de 2,5% do valor.')
  t.is(late.interest.reason, 'Juros de 1% ao mês sobre o valor, por 1 dia de atraso (mês de 30 dias).')
  t.is(late.discount.reason, 'Sem desconto: valia até 10/11/2026.')
})

test('a discount applies only to rents, up to their value', (t) => {
  t.deepEqual(centsOf('2026-11-10', { ...OWED, type: 'Condo' }), [0, 0, 0, 250_000])
  t.deepEqual(centsOf('2026-11-10', { ...OWED, valueCents: 4_000 }), [0, 0, 4_000, 0])
})
