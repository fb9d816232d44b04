import { isLeft } from '../../failure.ts'
import type { Day } from '../../kernel/values/day.ts'
import {
  type BarcodeParts,
  type BoletoFault,
  barcodeOf,
  digitableLineOf,
  dueFactor,
  readBoleto,
  sicrediCheckDigit,
  withoutMarks,
} from './barcode.ts'

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

/** The bank, value and due day that a boleto must have. */
export interface ExpectedBoleto {
  readonly compe: string
  readonly valueCents: number
  readonly dueDate: Day
}

/** The difference between a bank's boleto and the requested one. */
export type BoletoMismatch = BoletoFault | 'bank' | 'value' | 'due-date' | 'nosso-numero' | 'digitable-line'

/**
 * Compares a bank's boleto with the requested one by computing its digits; null if they match. A boleto that differs must not be
 * shown, since payers use its digits.
 */
export const boletoMismatch = (
  expected: ExpectedBoleto,
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
 * The beneficiary (agency of 4 digits, posto of 2, code of 5) and the number of a boleto: two digits of the year, a byte of 2 to
 * 9 if the beneficiary assigns numbers, and a sequence of 0 to 99,999.
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
