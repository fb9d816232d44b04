import { nullIfAbsent } from '../../kernel/input/codec.ts'
import { oneOf } from '../../kernel/input/fields/choices.ts'
import { day, timestamp } from '../../kernel/input/fields/days.ts'
import { hundredths, id, integer, money } from '../../kernel/input/fields/numbers.ts'
import { text, url } from '../../kernel/input/fields/texts.ts'
import { RATE_TYPES } from '../terms/amount-due.ts'

export const PAYMENT_METHODS = ['PIX', 'BOLETO', 'BOLEPIX', 'CREDIT_CARD'] as const
type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** Those by which a charge can be paid: no others are offered. */
export const SERVED_METHODS: readonly PaymentMethod[] = ['PIX']

const MAX_RATE = 100_000
const MAX_DAYS_DISCOUNT = 365
const MAX_NOTE = 2_000

/** What a charge is. Source: 02-billing.md, Charge and Charge creation body. */
export const chargeFields = {
  id: id({ about: 'Identificador' }),
  valueCents: money({ wire: 'value', also: ['amount'], minCents: 1, about: 'Valor' }),
  paymentMethod: oneOf(PAYMENT_METHODS, { offered: SERVED_METHODS, about: 'Meio de pagamento' }),
  dueDate: day({ about: 'Vencimento' }),
  paymentDate: nullIfAbsent(day({ about: 'Dia do pagamento' })),
  clientId: id({ about: 'Cliente existente' }),
  webhook: nullIfAbsent(url({ about: 'URL avisada do que acontece com a cobrança' })),
  description: nullIfAbsent(text({ max: 500, about: 'Descrição' })),
  details: nullIfAbsent(text({ max: MAX_NOTE, about: 'Detalhes' })),
  instructions: nullIfAbsent(text({ max: MAX_NOTE, about: 'Instruções' })),
  /** Percent a month, or reais a day, in hundredths. */
  amountRateHundredths: nullIfAbsent(
    hundredths({ wire: 'amount_rate', min: 0, max: MAX_RATE, about: 'Juros: percentual ao mês ou reais ao dia' }),
  ),
  typeRate: nullIfAbsent(oneOf(RATE_TYPES, { about: 'Tipo dos juros' })),
  /** Percent, or reais, in hundredths. */
  discountHundredths: nullIfAbsent(
    hundredths({ wire: 'discount', min: 0, max: MAX_RATE, about: 'Desconto: percentual ou reais' }),
  ),
  typeDiscount: nullIfAbsent(oneOf(RATE_TYPES, { about: 'Tipo do desconto' })),
  daysDiscount: nullIfAbsent(
    integer({ min: 0, max: MAX_DAYS_DISCOUNT, about: 'Até quantos dias antes do vencimento o desconto vale' }),
  ),
  installments: nullIfAbsent(integer({ min: 1, max: 120, about: 'Parcelas' })),
  createdBy: id({ about: 'Quem emitiu' }),
  createdAt: timestamp({ about: 'Quando foi emitida' }),
}
