import { nullIfAbsent } from '../../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { money } from '../../../kernel/input/scalars.ts'
import { line, text } from '../../../kernel/input/texts.ts'

const MAX_REASON = 140
const MAX_ID = 100

/** What is given back of a charge, and of which Pix: by default all that is left of the one that has something left. */
export const newRefund = input('NewRefund', {
  valueCents: nullIfAbsent(money({ wire: 'value', minCents: 1, about: 'Valor; sem ele, tudo o que resta do Pix' })),
  reason: nullIfAbsent(line({ max: MAX_REASON, about: 'O que o pagador lê' })),
  endToEndId: nullIfAbsent(
    text({ max: MAX_ID, about: 'endToEndId do Pix recebido; sem ele, o único de que resta algo a devolver' }),
  ),
})

export type NewRefund = InputOf<typeof newRefund>
export type AskedRefund = DecodedOf<typeof newRefund>
