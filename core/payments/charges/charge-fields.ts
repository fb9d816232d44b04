import { nullIfAbsent } from '../../kernel/input/field.ts'
import { input, object } from '../../kernel/input/input.ts'
import { day, hundredths, id, integer, money, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { alphanumeric, line, text, url } from '../../kernel/input/texts.ts'
import { RATE_TYPES } from '../terms/amount-due.ts'

export const PAYMENT_METHODS = ['PIX', 'BOLETO', 'BOLEPIX', 'CREDIT_CARD'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

const MAX_RATE = 100_000
const MAX_DAYS_DISCOUNT = 365
const MAX_NOTE = 2_000

/** Where who pays lives: on a boleto, and asked for by a card's acquirer. */
export const payerAddressFields = {
  street: line({ max: 255, about: 'Logradouro' }),
  number: line({ max: 20, about: 'Número' }),
  district: line({ max: 100, about: 'Bairro' }),
  city: line({ max: 100, about: 'Cidade' }),
  state: text({
    max: 2,
    pattern: { regex: /^[A-Za-z]{2}$/, code: 'state' },
    casing: 'upper',
    about: 'Sigla do estado, com 2 letras',
  }),
  zipcode: alphanumeric({ max: 20, about: 'CEP, guardado sem pontuação' }),
}

export const payerAddress = input('PayerAddress', payerAddressFields)

/** What a charge is. Source: 02-billing.md, Charge and Charge creation body. */
export const chargeFields = {
  id: id({ about: 'Identificador' }),
  valueCents: money({ wire: 'value', aliases: ['amount'], minCents: 1, about: 'Valor' }),
  paymentMethod: oneOf(PAYMENT_METHODS, { about: 'Meio de pagamento' }),
  dueDate: day({ about: 'Vencimento; de um boleto ou bolepix, no máximo 5.500 dias à frente' }),
  paymentDate: nullIfAbsent(day({ about: 'Dia do pagamento' })),
  clientId: id({ about: 'Cliente existente, no lugar de `name`, `email` e `document`' }),
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
  address: nullIfAbsent(object(payerAddress, { about: 'Endereço de quem paga; obrigatório com CREDIT_CARD' })),
  chargeGroupId: nullIfAbsent(id({ about: 'Grupo de cobranças' })),
  paymentPlanId: nullIfAbsent(id({ about: 'Plano de pagamento' })),
  installments: nullIfAbsent(integer({ min: 1, max: 120, about: 'Parcelas' })),
  createdBy: id({ about: 'Quem emitiu' }),
  createdAt: timestamp({ about: 'Quando foi emitida' }),
}
