import { type Either, left, right } from '../../fp.ts'
import { addDays, type Day, daysBetween } from '../../kernel/values/day.ts'

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
export const withoutMarks = (text: string): string => text.replace(/[\s./-]+/g, '')

/**
 * Reads the bar code or the linha digitável of a boleto, with or without the marks of print.
 * Fails: `collection-bill` for a convênio's, which begins with 8; `form`; `check-digit`.
 * Source: pix-boleto.md §3.1 and §3.6.
 */
export const readBoleto = (text: string): Either<BoletoFault, ReadBoleto> => {
  const digits = withoutMarks(text)
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

const FIRST_DAY = '1997-10-07'
const LAST_FACTOR = 9_999
/** After 9999 (2025-02-21) the count began anew at 1000, and does so every 9,000 days. */
const CYCLE_DAYS = 9_000
const CYCLE_START = 1_000
/** How far a bar code's due day may lie before and after the day it is read: less than one cycle in all. */
const MAX_DAYS_PAST = 3_000
const MAX_DAYS_AHEAD = 5_500

/** The last day on which a boleto issued on a day may be due: from the next on, its due factor names another day. */
export const latestBoletoDay = (today: Day): Day => addDays(today, MAX_DAYS_AHEAD)

/**
 * The four digits by which a bar code names a due day.
 * Fails: throws a RangeError on a day before the count began.
 * Source: FEBRABAN, Manual do Fator de Vencimento; pix-boleto.md §3.2.
 */
export const dueFactor = (dueDate: Day): string => {
  const days = daysBetween(FIRST_DAY, dueDate)
  if (days < 0) throw new RangeError(`${dueDate} is before the first day that a bar code can name`)
  const factor = days <= LAST_FACTOR ? days : ((days - LAST_FACTOR - 1) % CYCLE_DAYS) + CYCLE_START
  return String(factor).padStart(4, '0')
}

/**
 * The due day that a factor names when it is read on a day; null for 0000 (none), and where no day near enough has it:
 * such a boleto is not payable. Source: pix-boleto.md §3.2.
 */
export const dueDayOf = (factor: string, today: Day): Day | null => {
  const days = Number(factor)
  if (days === 0) return null
  const isNear = (day: Day) => {
    const ahead = daysBetween(today, day)
    return ahead >= -MAX_DAYS_PAST && ahead <= MAX_DAYS_AHEAD
  }
  const first = addDays(FIRST_DAY, days)
  // Factors under 1000 belong to the days before the first cycle alone.
  if (days < CYCLE_START) return isNear(first) ? first : null
  const cycles = Math.max(0, Math.ceil((daysBetween(first, today) - MAX_DAYS_PAST) / CYCLE_DAYS))
  const nearest = addDays(first, cycles * CYCLE_DAYS)
  return isNear(nearest) ? nearest : null
}

/** The sum of the digits times weights that a rule gives by place from the right, each product as the rule counts it. */
const weighted = (digits: string, weightAt: (place: number) => number, count: (product: number) => number): number => {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1)
    sum += count((digits.charCodeAt(digits.length - 1 - place) - 48) * weightAt(place))
  return sum
}

const asItIs = (product: number): number => product
/** The sum of the digits of a product of at most 18. */
const crossSum = (product: number): number => (product > 9 ? product - 9 : product)

/** Of digits under the weights 2 and 1 in turn: the check digit of each field of a line. Source: pix-boleto.md §3.1. */
export const modulo10 = (digits: string): number => {
  const sum = weighted(digits, (place) => 2 - (place % 2), crossSum)
  return (10 - (sum % 10)) % 10
}

/** 11 less the rest under the weights 2 to 9: 1 to 11, of which each rule says what stands for the two-digit ones. */
const modulo11 = (digits: string): number => 11 - (weighted(digits, (place) => 2 + (place % 8), asItIs) % 11)

/** The check digit of a whole bar code, over the 43 other digits; never 0. Source: pix-boleto.md §3.1. */
export const barcodeCheckDigit = (digits: string): number => {
  const digit = modulo11(digits)
  return digit > 9 ? 1 : digit
}

/** The check digit of Sicredi's own numbers. Source: pix-boleto.md §3.3. */
export const sicrediCheckDigit = (digits: string): number => {
  const digit = modulo11(digits)
  return digit > 9 ? 0 : digit
}

const NARROW = 1
const WIDE = 3
/** Of each digit, which two of its five bars or spaces are wide. */
const WIDTHS = ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010'].map((digit) =>
  [...digit].map((width) => (width === '1' ? WIDE : NARROW)),
)
const START = [NARROW, NARROW, NARROW, NARROW]
const STOP = [WIDE, NARROW, NARROW]

const widthsOf = (digit: string): readonly number[] => WIDTHS[Number(digit)] ?? []

/**
 * An even number of digits as Interleaved 2 of 5: the widths in modules of bars and spaces in turn, first a bar. Of each
 * pair the first digit is told in bars, the second in the spaces between them.
 * Source: pix-boleto.md §3.7.
 */
export const itfWidths = (digits: string): readonly number[] => {
  const pairs = digits.match(/\d\d/g) ?? []
  const told = pairs.flatMap((pair) => {
    const spaces = widthsOf(pair.charAt(1))
    return widthsOf(pair.charAt(0)).flatMap((bar, index) => [bar, spaces[index] ?? NARROW])
  })
  return [...START, ...told, ...STOP]
}
