import { list, nullIfAbsent, withDefault } from '../../../kernel/input/field.ts'
import { flag, integer, money, oneOf } from '../../../kernel/input/scalars.ts'
import { line, text, url } from '../../../kernel/input/texts.ts'
import { expiryField } from './expiry.ts'

/** By what a link can be paid. */
export const LINK_METHODS = ['PIX', 'BOLETO', 'CARD'] as const
export type LinkMethod = (typeof LINK_METHODS)[number]

export const MAX_LINK_INSTALLMENTS = 12
const MAX_DESCRIPTION = 2_000
const MAX_USES = 1_000_000_000

/** What a link is. Source: 02-billing.md, Payment link and Payment links. */
export const linkFields = {
  title: line({ max: 255, about: 'Título' }),
  description: nullIfAbsent(text({ max: MAX_DESCRIPTION, about: 'Descrição' })),
  amountCents: nullIfAbsent(
    money({ wire: 'amount', minCents: 1, about: 'Valor; onde quem paga o escolhe, não obriga' }),
  ),
  currency: withDefault(oneOf(['BRL'], { about: 'Moeda' }), 'BRL'),
  isVariableAmount: withDefault(flag({ about: 'Se quem paga escolhe o valor' }), false),
  minAmountCents: nullIfAbsent(money({ wire: 'min_amount', about: 'Menor valor que quem paga pode escolher' })),
  maxAmountCents: nullIfAbsent(money({ wire: 'max_amount', about: 'Maior valor que quem paga pode escolher' })),
  paymentMethods: list(oneOf(LINK_METHODS), {
    min: 1,
    max: LINK_METHODS.length,
    about: 'Meios de pagamento',
  }),
  expiresAt: nullIfAbsent(expiryField({ about: 'Até quando vale: um dia, até o seu fim, ou um instante' })),
  maxUses: nullIfAbsent(integer({ min: 1, max: MAX_USES, about: 'Quantas vezes pode ser pago; null sem limite' })),
  successUrl: nullIfAbsent(url({ about: 'Aonde vai quem pagou' })),
  cancelUrl: nullIfAbsent(url({ about: 'Aonde vai quem desiste' })),
  webhookUrl: nullIfAbsent(url({ about: 'URL avisada do que acontece com os pagamentos' })),
  passTransactionFeeToCustomer: withDefault(flag({ about: 'Se quem paga arca com a tarifa' }), false),
  sendClientId: withDefault(flag({ about: 'Se `success_url` leva `client_id`' }), false),
  referenceCode: nullIfAbsent(line({ max: 255, about: 'Código de referência de quem cobra' })),
  installments: withDefault(
    integer({ min: 1, max: MAX_LINK_INSTALLMENTS, about: 'Parcelas que o cartão pode ter' }),
    1,
  ),
}
