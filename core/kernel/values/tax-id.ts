import { digitsAndLetters } from './text.ts'

export type TaxIdKind = 'CPF' | 'CNPJ'

const CPF = /^(\d{3})(\d{3})(\d{3})(\d{2})$/
const CNPJ = /^([0-9A-Z]{2})([0-9A-Z]{3})([0-9A-Z]{3})([0-9A-Z]{4})(\d{2})$/

/**
 * A document as it is stored and compared: without marks, letters upper-case.
 * Only a-z are raised, and full-width digits stay, so that no look-alike turns into a valid document.
 * Source: pix-boleto.md §4.1.
 */
export const normalizeTaxId = (text: string): string =>
  digitsAndLetters(text).replace(/[a-z]+/g, (letters) => letters.toUpperCase())

/** The check digit of characters under weights that grow from 2 on the right and begin anew after `lastWeight`. */
const checkDigit = (characters: string, lastWeight: number): number => {
  let sum = 0
  for (let place = 0; place < characters.length; place += 1) {
    const value = characters.charCodeAt(characters.length - 1 - place) - 48
    sum += value * (2 + (place % (lastWeight - 1)))
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

/** Whether a normalized document is a CPF with right check digits. Source: pix-boleto.md §4.1. */
export const isCpf = (document: string): boolean =>
  CPF.test(document) && !isOneCharacter(document) && hasCheckDigits(document, 11)

/** Whether a normalized document is a CNPJ, letters included, with right check digits. Source: pix-boleto.md §4.1. */
export const isCnpj = (document: string): boolean =>
  CNPJ.test(document) && !isOneCharacter(document) && hasCheckDigits(document, 9)

/** What a normalized document is, null when its shape or its check digits are wrong. */
export const taxIdKind = (document: string): TaxIdKind | null => {
  if (isCpf(document)) return 'CPF'
  return isCnpj(document) ? 'CNPJ' : null
}

/** Whether a normalized document is a CPF or a CNPJ. */
export const isTaxId = (document: string): boolean => taxIdKind(document) !== null

/** The CPF or CNPJ that a text is, without marks; null for any other text. */
export const parseTaxId = (text: string): string | null => {
  const document = normalizeTaxId(text)
  return isTaxId(document) ? document : null
}

/** `123.456.789-09` or `12.ABC.345/01DE-35` of a normalized document; another shape stays as it is. */
export const formatTaxId = (document: string): string =>
  document.replace(CPF, '$1.$2.$3-$4').replace(CNPJ, '$1.$2.$3/$4-$5')

/**
 * `***.456.789-**` or `**.345.678/0001-**` of a normalized document; of another shape nothing shows.
 * Source: decisions.md §5.
 */
export const maskTaxId = (document: string): string => {
  if (CPF.test(document)) return document.replace(CPF, '***.$2.$3-**')
  if (CNPJ.test(document)) return document.replace(CNPJ, '**.$2.$3/$4-**')
  return '*'.repeat(document.length)
}
