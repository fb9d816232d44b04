import { sicrediCheckDigit } from './check-digits.ts'

/** Sicredi's COMPE. */
export const SICREDI = '748'

/** Registered, simple collection: how the free field begins. */
const REGISTERED_SIMPLE = '11'
/** The value is printed; the second digit is filler. */
const WITH_VALUE = '10'

/**
 * For whom a boleto is (agency of 4 digits, posto of 2, beneficiary of 5) and its number: two digits of the year, 2 to 9
 * where the beneficiary counts, and a place of 0 to 99,999.
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
const FREE_FIELD = /^\d\d(\d{8})(\d)(\d{11})\d\d(\d)$/
const NOSSO_NUMERO = /^(\d{2})(\d{6})(\d)$/

const assertHeld = ({ agency, posto, beneficiary, year, byte, sequence }: SicrediNumber): void => {
  const isHeld = FORM.test([agency, posto, beneficiary, year, byte].join('.'))
  if (!(isHeld && Number.isInteger(sequence) && sequence >= 0 && sequence <= MAX_SEQUENCE))
    throw new RangeError(
      'Sicredi agency of 4, posto of 2, beneficiary of 5, year of 2, byte and sequence of 5 expected',
    )
}

/**
 * The nosso número, without marks, and the free field that carries it.
 * Fails: throws a RangeError on what the digits cannot hold.
 * Source: Sicredi, Manual CNAB 240; pix-boleto.md §3.3.
 */
export const sicrediNumbers = (number: SicrediNumber) => {
  assertHeld(number)
  const own = number.year + number.byte + String(number.sequence).padStart(5, '0')
  const beneficiary = number.agency + number.posto + number.beneficiary
  const nossoNumero = own + sicrediCheckDigit(beneficiary + own)
  const free = REGISTERED_SIMPLE + nossoNumero + beneficiary + WITH_VALUE
  return { nossoNumero, freeField: free + sicrediCheckDigit(free) }
}

/** Whether a free field is one of Sicredi's that carries this nosso número, the check digits of both right. */
export const carriesNossoNumero = (freeField: string, nossoNumero: string): boolean => {
  const [, own = '', digit, beneficiary = '', last] = FREE_FIELD.exec(freeField) ?? []
  return (
    nossoNumero === `${own}${digit}` &&
    digit === String(sicrediCheckDigit(beneficiary + own)) &&
    last === String(sicrediCheckDigit(freeField.slice(0, -1)))
  )
}

/** `AA/BNNNNN-D`, as Sicredi prints it; a number of another form stays as it is. */
export const formatNossoNumero = (nossoNumero: string): string => nossoNumero.replace(NOSSO_NUMERO, '$1/$2-$3')

/** `AAAA.PP.CCCCC`, the beneficiary of a free field as Sicredi prints it, and the portfolio. */
export const printedBeneficiary = (freeField: string) => {
  const [agency, posto, code] = [freeField.slice(11, 15), freeField.slice(15, 17), freeField.slice(17, 22)]
  return { agencyAndCode: `${agency}.${posto}.${code}`, portfolio: freeField.charAt(1) }
}
