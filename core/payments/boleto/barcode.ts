import { type Either, left, right } from '../../failure.ts'
import { addDays, type Day, daysBetween } from '../../kernel/values/day.ts'

/** The maximum of ten digits: R$ 99,999,999.99. */
export const MAX_BOLETO_CENTS = 9_999_999_999

const REAL = '9'
const COMPE = /^\d{3}$/
const FREE_FIELD = /^\d{25}$/
/** The first digit of a collection bill (convênio) of a utility or an authority. */
const COLLECTION_BILL = '8'
const BARCODE_DIGITS = 44
const LINE_DIGITS = 47
const COLLECTION_LINE_DIGITS = 48

/** The parts of a bar code. `freeField` has 25 digits, which each bank defines. */
export interface BarcodeParts {
  readonly compe: string
  readonly dueDate: Day
  readonly valueCents: number
  readonly freeField: string
}

/**
 * Builds the 44 digits of a boleto's bar code. Throws a RangeError for invalid parts, which inputs reject.
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

/** Builds the 47 digits of the linha digitável: the bar code reordered, with a check digit in each field. */
export const digitableLineOf = (barcode: string): string => {
  const free = barcode.slice(19)
  const fields = [barcode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)]
  return fields.map(checked).join('') + barcode.slice(4, 19)
}

const barcodeOfLine = (line: string): string =>
  line.slice(0, 4) + line.slice(32) + line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31)

const LINE = /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/

/** Formats a linha digitável for print: `AAAAA.AAAAA BBBBB.BBBBBB CCCCC.CCCCCC D EEEEEEEEEEEEEE`. */
export const formatDigitableLine = (line: string): string => line.replace(LINE, '$1.$2 $3.$4 $5.$6 $7 $8')

/** The content of a boleto's digits. */
export interface ReadBoleto {
  readonly barcode: string
  readonly digitableLine: string
  readonly compe: string
  /** `0000` if there is no due day. */
  readonly factor: string
  /** 0 if the payer fills it in. */
  readonly valueCents: number
  readonly freeField: string
}

/** The reason why a text is no boleto. */
export type BoletoFault = 'form' | 'check-digit' | 'collection-bill'

/** Removes the separators of a printed number. */
export const withoutMarks = (text: string): string => text.replace(/[\s./-]+/g, '')

/**
 * Reads the bar code or the linha digitável of a boleto, with or without separators.
 * Fails: `collection-bill` (convênio, which begins with 8), `form`, `check-digit`.
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
/** After 9999 (2025-02-21) the factor restarts at 1000, and again every 9,000 days. */
const CYCLE_DAYS = 9_000
const CYCLE_START = 1_000
/** The range of due days around the day of reading, in total less than one cycle. */
const MAX_DAYS_PAST = 3_000
const MAX_DAYS_AHEAD = 5_500

/** Returns the latest due day of a boleto issued on a day. The factor of a later day is ambiguous. */
export const latestBoletoDay = (today: Day): Day => addDays(today, MAX_DAYS_AHEAD)

/**
 * Returns the four-digit due factor of a day. Throws a RangeError for a day before 1997-10-07.
 * Source: FEBRABAN, Manual do Fator de Vencimento.
 */
export const dueFactor = (dueDate: Day): string => {
  const days = daysBetween(FIRST_DAY, dueDate)
  if (days < 0) throw new RangeError(`${dueDate} is before the first day that a bar code can name`)
  const factor = days <= LAST_FACTOR ? days : ((days - LAST_FACTOR - 1) % CYCLE_DAYS) + CYCLE_START
  return String(factor).padStart(4, '0')
}

/**
 * Returns the due day of a factor that is read on a day; null for 0000 (none), and for a day out of range, whose boleto is not
 * payable.
 */
export const dueDayOf = (factor: string, today: Day): Day | null => {
  const days = Number(factor)
  if (days === 0) return null
  const isNear = (day: Day) => {
    const ahead = daysBetween(today, day)
    return ahead >= -MAX_DAYS_PAST && ahead <= MAX_DAYS_AHEAD
  }
  const first = addDays(FIRST_DAY, days)
  // Factors below 1000 occur only before the first cycle.
  if (days < CYCLE_START) return isNear(first) ? first : null
  const cycles = Math.max(0, Math.ceil((daysBetween(first, today) - MAX_DAYS_PAST) / CYCLE_DAYS))
  const nearest = addDays(first, cycles * CYCLE_DAYS)
  return isNear(nearest) ? nearest : null
}

/** Sums the digits times their weights, by position from the right, after applying `count` to each product. */
const weighted = (digits: string, weightAt: (place: number) => number, count: (product: number) => number): number => {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1)
    sum += count((digits.charCodeAt(digits.length - 1 - place) - 48) * weightAt(place))
  return sum
}

const asItIs = (product: number): number => product
/** The sum of the digits of a product of at most 18. */
const crossSum = (product: number): number => (product > 9 ? product - 9 : product)

/** The check digit of a field of the linha digitável: weights 2 and 1 in turn. */
export const modulo10 = (digits: string): number => {
  const sum = weighted(digits, (place) => 2 - (place % 2), crossSum)
  return (10 - (sum % 10)) % 10
}

/** 11 minus the remainder with weights 2 to 9: 1 to 11, where each caller replaces 10 and 11. */
const modulo11 = (digits: string): number => 11 - (weighted(digits, (place) => 2 + (place % 8), asItIs) % 11)

/** The check digit of a bar code, over the other 43 digits; never 0. */
export const barcodeCheckDigit = (digits: string): number => {
  const digit = modulo11(digits)
  return digit > 9 ? 1 : digit
}

/** The check digit of Sicredi's numbers. */
export const sicrediCheckDigit = (digits: string): number => {
  const digit = modulo11(digits)
  return digit > 9 ? 0 : digit
}

const NARROW = 1
const WIDE = 3
/** The widths of the five bars or spaces of each digit, two of them wide. */
const WIDTHS = ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010'].map((digit) =>
  [...digit].map((width) => (width === '1' ? WIDE : NARROW)),
)
const START = [NARROW, NARROW, NARROW, NARROW]
const STOP = [WIDE, NARROW, NARROW]

const widthsOf = (digit: string): readonly number[] => WIDTHS[Number(digit)] ?? []

/**
 * Encodes an even number of digits as Interleaved 2 of 5: the widths in modules of bars and spaces in turn, starting with a bar.
 * The first digit of each pair is encoded in bars, the second in the spaces between them.
 */
export const itfWidths = (digits: string): readonly number[] => {
  const pairs = digits.match(/\d\d/g) ?? []
  const widths = pairs.flatMap((pair) => {
    const spaces = widthsOf(pair.charAt(1))
    return widthsOf(pair.charAt(0)).flatMap((bar, index) => [bar, spaces[index] ?? NARROW])
  })
  return [...START, ...widths, ...STOP]
}
