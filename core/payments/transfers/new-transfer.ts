import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { money } from '../../kernel/input/scalars.ts'
import { secret, text } from '../../kernel/input/texts.ts'

/** Source: 02-billing.md, Internal transfer. */
export const newTransfer = input('NewTransfer', {
  /** Of the account that gets it. */
  apiKey: secret({ max: 255, wire: 'token', about: 'Chave de API da conta de destino' }),
  valueCents: money({ wire: 'amount', minCents: 1, about: 'Valor' }),
  description: nullIfAbsent(text({ max: 255, about: 'Descrição, nos extratos das duas contas' })),
})

export type NewTransfer = InputOf<typeof newTransfer>

export type AskedTransfer = DecodedOf<typeof newTransfer>
