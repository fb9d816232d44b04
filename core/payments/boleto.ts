import { type Either, isLeft, left, right } from '../failure.ts'
import { addDays, type Day, daysBetween } from '../kernel/values/day.ts'

/** The numbers of a registered boleto, in digits without separators. */
export interface Boleto {
  readonly nossoNumero: string
  readonly barcode: string
  readonly digitableLine: string
}

/** Builds a boleto from the bank's numbers. Throws a RangeError for invalid parts. */
export const boletoOf = ({ nossoNumero, ...parts }: BarcodeParts & Pick<Boleto, 'nossoNumero'>): Boleto => {
  const barcode = barcodeOf(parts)
  return { nossoNumero, barcode, digitableLine: digitableLineOf(barcode) }
}

/** Builds a boleto by Sicredi's rules. Throws a RangeError for invalid parts. */
export const sicrediBoleto = ({
  valueCents,
  dueDate,
  ...number
}: SicrediNumber & Omit<BarcodeParts, 'compe' | 'freeField'>) =>
  boletoOf({ compe: SICREDI, valueCents, dueDate, ...sicrediNumbers(number) })

/** The difference between a bank's boleto and the requested one. */
type BoletoMismatch = BoletoFault | 'bank' | 'value' | 'due-date' | 'nosso-numero' | 'digitable-line'

/**
 * Compares a bank's boleto with the requested one by computing its digits; null if they match. A boleto that differs
 * must not be shown, since payers use its digits.
 */
export const boletoMismatch = (
  expected: Omit<BarcodeParts, 'freeField'>,
  { barcode, digitableLine, nossoNumero }: Boleto,
): BoletoMismatch | null => {
  const read = readBoleto(barcode)
  if (isLeft(read)) return read.left
  const { compe, valueCents, factor, freeField } = read.right
  if (compe !== expected.compe) return 'bank'
  if (valueCents !== expected.valueCents) return 'value'
  if (factor !== dueFactor(expected.dueDate)) return 'due-date'
  if (compe === SICREDI && !carriesNossoNumero(freeField, withoutMarks(nossoNumero))) return 'nosso-numero'
  return withoutMarks(digitableLine) === read.right.digitableLine ? null : 'digitable-line'
}

/** Sicredi's COMPE code. */
export const SICREDI = '748'

/** The start of the free field: registered, simple collection. */
const REGISTERED_SIMPLE = '11'
/** The value is printed; the second digit is a filler. */
const WITH_VALUE = '10'

/**
 * The beneficiary (agency of 4 digits, posto of 2, code of 5) and the number of a boleto: two digits of the year, a
 * byte of 2 to 9 if the beneficiary assigns numbers, and a sequence of 0 to 99,999.
 */
export interface SicrediNumber {
  readonly agency: string
  readonly posto: string
  readonly beneficiary: string
  readonly year: string
  readonly byte: string
  readonly sequence: number
}

const FORM = /^\d{4}\.\d{2}\.\d{5}\.\d{2}\.[1-9]$/
const MAX_SEQUENCE = 99_999
const FREE_FIELD_PARTS = /^\d\d(\d{8})(\d)(\d{11})\d\d(\d)$/
const NOSSO_NUMERO = /^(\d{2})(\d{6})(\d)$/

const assertFits = ({ agency, posto, beneficiary, year, byte, sequence }: SicrediNumber): void => {
  const isHeld = FORM.test([agency, posto, beneficiary, year, byte].join('.'))
  if (!(isHeld && Number.isInteger(sequence) && sequence >= 0 && sequence <= MAX_SEQUENCE))
    throw new RangeError(
      'Sicredi agency of 4, posto of 2, beneficiary of 5, year of 2, byte and sequence of 5 expected',
    )
}

/**
 * Returns the nosso número, without separators, and its free field. Throws a RangeError for invalid parts.
 * Source: Sicredi, Manual CNAB 240.
 */
const sicrediNumbers = (number: SicrediNumber) => {
  assertFits(number)
  const own = number.year + number.byte + String(number.sequence).padStart(5, '0')
  const beneficiary = number.agency + number.posto + number.beneficiary
  const nossoNumero = own + sicrediCheckDigit(beneficiary + own)
  const free = REGISTERED_SIMPLE + nossoNumero + beneficiary + WITH_VALUE
  return { nossoNumero, freeField: free + sicrediCheckDigit(free) }
}

/** Reports whether a Sicredi free field has a nosso número and both check digits are correct. */
const carriesNossoNumero = (freeField: string, nossoNumero: string): boolean => {
  const [, own = '', digit, beneficiary = '', last] = FREE_FIELD_PARTS.exec(freeField) ?? []
  return (
    nossoNumero === `${own}${digit}` &&
    digit === String(sicrediCheckDigit(beneficiary + own)) &&
    last === String(sicrediCheckDigit(freeField.slice(0, -1)))
  )
}

/** Formats a nosso número as Sicredi prints it, `AA/BNNNNN-D`; other forms are returned unchanged. */
export const formatNossoNumero = (nossoNumero: string): string => nossoNumero.replace(NOSSO_NUMERO, '$1/$2-$3')

/** Returns the beneficiary of a free field as Sicredi prints it, `AAAA.PP.CCCCC`, and the portfolio. */
export const printedBeneficiary = (freeField: string) => {
  const [agency, posto, code] = [freeField.slice(11, 15), freeField.slice(15, 17), freeField.slice(17, 22)]
  return { agencyAndCode: `${agency}.${posto}.${code}`, portfolio: freeField.charAt(1) }
}

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

/** Builds the 44 digits of a boleto's bar code. Throws a RangeError for invalid parts, which inputs reject. */
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

/** Returns the due day of a factor read on a day; null for 0000 (none), and if it is out of range and not payable. */
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
 * Encodes an even number of digits as Interleaved 2 of 5: the widths in modules of bars and spaces in turn, starting
 * with a bar. The first digit of each pair is encoded in bars, the second in the spaces between them.
 */
export const itfWidths = (digits: string): readonly number[] => {
  const pairs = digits.match(/\d\d/g) ?? []
  const widths = pairs.flatMap((pair) => {
    const spaces = widthsOf(pair.charAt(1))
    return widthsOf(pair.charAt(0)).flatMap((bar, index) => [bar, spaces[index] ?? NARROW])
  })
  return [...START, ...widths, ...STOP]
}
