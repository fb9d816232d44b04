import { type Either, left, right } from '../../fp.ts'
import type { Day } from '../../kernel/values/day.ts'
import { barcodeCheckDigit, modulo10 } from './check-digits.ts'
import { dueFactor } from './due-factor.ts'

/** What ten digits hold: R$ 99,999,999.99. */
export const MAX_BOLETO_CENTS = 9_999_999_999

const REAL = '9'
const COMPE = /^\d{3}$/
const FREE_FIELD = /^\d{25}$/
/** How a collection bill of a utility or an authority begins: another arrangement, which no bank registers for us. */
const COLLECTION_BILL = '8'
const BARCODE_DIGITS = 44
const LINE_DIGITS = 47
const COLLECTION_LINE_DIGITS = 48

/** What a bar code is made of: `freeField` is the 25 digits that each bank fills by its own rules. */
export interface BarcodeParts {
  readonly compe: string
  readonly dueDate: Day
  readonly valueCents: number
  readonly freeField: string
}

/**
 * The 44 digits of a boleto's bar code.
 * Fails: throws a RangeError on what no bar code can hold (it is checked where it enters).
 * Source: pix-boleto.md §3.1.
 */
export const barcodeOf = ({ compe, dueDate, valueCents, freeField }: BarcodeParts): string => {
  if (!(COMPE.test(compe) && FREE_FIELD.test(freeField)))
    throw new RangeError('Bank of 3 and free field of 25 expected')
  if (!(Number.isInteger(valueCents) && valueCents > 0 && valueCents <= MAX_BOLETO_CENTS))
    throw new RangeError(`Boleto of 1 to ${MAX_BOLETO_CENTS} cents expected`)
  const head = compe + REAL
  const tail = dueFactor(dueDate) + String(valueCents).padStart(10, '0') + freeField
  return head + barcodeCheckDigit(head + tail) + tail
}

const checked = (digits: string): string => digits + modulo10(digits)

/** The 47 digits of the linha digitável: the bar code in another order, each field with a check digit. */
export const digitableLineOf = (barcode: string): string => {
  const free = barcode.slice(19)
  const fields = [barcode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)]
  return fields.map(checked).join('') + barcode.slice(4, 19)
}

const barcodeOfLine = (line: string): string =>
  line.slice(0, 4) + line.slice(32) + line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31)

const LINE = /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/

/** `AAAAA.AAAAA BBBBB.BBBBBB CCCCC.CCCCCC D EEEEEEEEEEEEEE`, as it is printed. */
export const formatDigitableLine = (line: string): string => line.replace(LINE, '$1.$2 $3.$4 $5.$6 $7 $8')

/** A boleto as its digits tell it. */
export interface ReadBoleto {
  readonly barcode: string
  readonly digitableLine: string
  readonly compe: string
  /** `0000` where it names no due day. */
  readonly factor: string
  /** 0 where the payer fills it in. */
  readonly valueCents: number
  readonly freeField: string
}

/** Why a text is no boleto: not its digits, a check digit that is wrong, or a collection bill (convênio). */
export type BoletoFault = 'form' | 'check-digit' | 'collection-bill'

/** The digits of a printed number, without its marks. */
export const unmarked = (text: string): string => text.replace(/[\s./-]+/g, '')

/**
 * Reads the bar code or the linha digitável of a boleto, with or without the marks of print.
 * Fails: `collection-bill` for a convênio's, which begins with 8; `form`; `check-digit`.
 * Source: pix-boleto.md §3.1 and §3.6.
 */
export const readBoleto = (text: string): Either<BoletoFault, ReadBoleto> => {
  const digits = unmarked(text)
  if (!/^\d+$/.test(digits)) return left('form')
  const isCollection = digits.startsWith(COLLECTION_BILL)
  if (isCollection && [BARCODE_DIGITS, COLLECTION_LINE_DIGITS].includes(digits.length)) return left('collection-bill')
  if (![BARCODE_DIGITS, LINE_DIGITS].includes(digits.length) || digits.charAt(3) !== REAL) return left('form')
  const barcode = digits.length === LINE_DIGITS ? barcodeOfLine(digits) : digits
  const digitableLine = digitableLineOf(barcode)
  const isRight = barcode.charAt(4) === String(barcodeCheckDigit(barcode.slice(0, 4) + barcode.slice(5)))
  if (!isRight || (digits.length === LINE_DIGITS && digits !== digitableLine)) return left('check-digit')
  return right({
    barcode,
    digitableLine,
    compe: barcode.slice(0, 3),
    factor: barcode.slice(5, 9),
    valueCents: Number(barcode.slice(9, 19)),
    freeField: barcode.slice(19),
  })
}
