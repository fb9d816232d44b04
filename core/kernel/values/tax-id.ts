import { digitsAndLetters } from './text.ts'

export type TaxIdKind = 'CPF' | 'CNPJ'

const CPF = /^(\d{3})(\d{3})(\d{3})(\d{2})$/
const CNPJ = /^([0-9A-Z]{2})([0-9A-Z]{3})([0-9A-Z]{3})([0-9A-Z]{4})(\d{2})$/

/**
 * Returns a document in its stored form: without punctuation, letters in upper case. Only a-z are converted, and
 * full-width digits stay, so that no look-alike becomes a valid document.
 */
export const normalizeTaxId = (text: string): string =>
  digitsAndLetters(text).replace(/[a-z]+/g, (letters) => letters.toUpperCase())

/** Returns the modulo 11 check digit; weights grow from 2 on the right and restart after `lastWeight`. */
const checkDigit = (characters: string, lastWeight: number): number => {
  let sum = 0
  for (let position = 0; position < characters.length; position += 1) {
    const value = characters.charCodeAt(characters.length - 1 - position) - 48
    sum += value * (2 + (position % (lastWeight - 1)))
  }
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

const hasCheckDigits = (document: string, lastWeight: number): boolean => {
  const base = document.slice(0, -2)
  const first = checkDigit(base, lastWeight)
  return document === `${base}${first}${checkDigit(`${base}${first}`, lastWeight)}`
}

const isOneCharacter = (text: string): boolean => text === text.charAt(0).repeat(text.length)

/** Reports whether a normalized document is a CPF with valid check digits. */
export const isCpf = (document: string): boolean =>
  CPF.test(document) && !isOneCharacter(document) && hasCheckDigits(document, 11)

/** Reports whether a normalized document is a CNPJ, numeric or alphanumeric, with valid check digits. */
export const isCnpj = (document: string): boolean =>
  CNPJ.test(document) && !isOneCharacter(document) && hasCheckDigits(document, 9)

/** Returns the kind of a normalized document; null if its form or its check digits are wrong. */
export const taxIdKind = (document: string): TaxIdKind | null => {
  if (isCpf(document)) return 'CPF'
  return isCnpj(document) ? 'CNPJ' : null
}

/** Reports whether a normalized document is a CPF or a CNPJ. */
export const isTaxId = (document: string): boolean => taxIdKind(document) !== null

/** Parses a CPF or CNPJ, with or without punctuation; null for any other text. */
export const parseTaxId = (text: string): string | null => {
  const document = normalizeTaxId(text)
  return isTaxId(document) ? document : null
}

/** Formats a normalized document as `123.456.789-09` or `12.ABC.345/01DE-35`; another form is unchanged. */
export const formatTaxId = (document: string): string =>
  document.replace(CPF, '$1.$2.$3-$4').replace(CNPJ, '$1.$2.$3/$4-$5')

/** Masks a normalized document as `***.456.789-**` or `**.345.678/0001-**`; another form is masked whole. */
export const maskTaxId = (document: string): string => {
  if (CPF.test(document)) return document.replace(CPF, '***.$2.$3-**')
  if (CNPJ.test(document)) return document.replace(CNPJ, '**.$2.$3/$4-**')
  return '*'.repeat(document.length)
}
