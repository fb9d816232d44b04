import { isLeft } from '../../fp.ts'
import type { Day } from '../../kernel/values/day.ts'
import { type BarcodeParts, type BoletoFault, barcodeOf, digitableLineOf, readBoleto, unmarked } from './barcode.ts'
import { dueFactor } from './due-factor.ts'
import { carriesNossoNumero, SICREDI, type SicrediNumber, sicrediNumbers } from './sicredi.ts'

/** A registered boleto, all of it digits without marks. */
export interface Boleto {
  readonly nossoNumero: string
  readonly barcode: string
  readonly digitableLine: string
}

/** The boleto of a bank that numbers it so. Fails: throws a RangeError on what no bar code can hold. */
export const boletoOf = ({ nossoNumero, ...parts }: BarcodeParts & Pick<Boleto, 'nossoNumero'>): Boleto => {
  const barcode = barcodeOf(parts)
  return { nossoNumero, barcode, digitableLine: digitableLineOf(barcode) }
}

/** A boleto by Sicredi's rules. Fails: throws a RangeError on what its digits cannot hold. Source: pix-boleto.md §3.3. */
export const sicrediBoleto = ({
  valueCents,
  dueDate,
  ...number
}: SicrediNumber & Omit<BarcodeParts, 'compe' | 'freeField'>) =>
  boletoOf({ compe: SICREDI, valueCents, dueDate, ...sicrediNumbers(number) })

/** What a boleto must be: of this bank, over this value, due on this day. */
export interface BoletoAsked {
  readonly compe: string
  readonly valueCents: number
  readonly dueDate: Day
}

/** In what a bank's boleto is not what was asked, or not one at all. */
export type BoletoMismatch = BoletoFault | 'bank' | 'value' | 'due-date' | 'nosso-numero' | 'digitable-line'

/**
 * What is wrong with a boleto that a bank gave, by our own computation of its digits; null where it is what was asked.
 * Only such a boleto may be shown: who pays goes by its digits. Source: pix-boleto.md §0.
 */
export const boletoMismatch = (
  asked: BoletoAsked,
  { barcode, digitableLine, nossoNumero }: Boleto,
): BoletoMismatch | null => {
  const read = readBoleto(barcode)
  if (isLeft(read)) return read.left
  const { compe, valueCents, factor, freeField } = read.right
  if (compe !== asked.compe) return 'bank'
  if (valueCents !== asked.valueCents) return 'value'
  if (factor !== dueFactor(asked.dueDate)) return 'due-date'
  if (compe === SICREDI && !carriesNossoNumero(freeField, unmarked(nossoNumero))) return 'nosso-numero'
  return unmarked(digitableLine) === read.right.digitableLine ? null : 'digitable-line'
}
