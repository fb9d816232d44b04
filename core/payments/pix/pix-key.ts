import { convertedText, type Field, type FieldOptions, type InputCode, text } from '../../kernel/input/mod.ts'
import { normalizeTaxId, type TaxIdKind, taxIdKind } from '../../kernel/values/tax-id.ts'

export type PixKeyType = TaxIdKind | 'PHONE' | 'EMAIL' | 'EVP'

/** A key in its DICT form. */
export interface PixKey {
  readonly type: PixKeyType
  readonly key: string
}

const MAX_EMAIL = 77
const EMAIL =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const EVP = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const MASKED_PHONE = /^\(?\+?[0-9() .-]+$/
const PHONE = /^\+[1-9][0-9]{2,15}$/
const BRAZIL_MOBILE = /^\+55[1-9][1-9]9[0-9]{8}$/
const MASKED_TAX_ID = /^[0-9A-Za-z][0-9A-Za-z./ -]*$/

/** A phone key needs `+` or a parenthesis, since eleven bare digits may also be a CPF. */
const phoneKey = (text: string): string | null => {
  if (!/[+(]/.test(text) || !MASKED_PHONE.test(text)) return null
  const number = (text.includes('+') ? '+' : '+55') + text.replace(/[^0-9]/g, '')
  return (number.startsWith('+55') ? BRAZIL_MOBILE : PHONE).test(number) ? number : null
}

/**
 * Reads a typed Pix key: strips masks, lower-cases e-mails and random keys, and adds `+55` to a phone number in
 * parentheses. Returns null for any other text.
 *
 * Source: BCB, API DICT, table of keys; CNPJ widened to letters by IN RFB 2.229/2024.
 */
export const readPixKey = (text: string): PixKey | null => {
  const trimmed = text.trim()
  const lower = trimmed.toLowerCase()
  if (lower.includes('@')) return lower.length <= MAX_EMAIL && EMAIL.test(lower) ? { type: 'EMAIL', key: lower } : null
  if (EVP.test(lower)) return { type: 'EVP', key: lower }
  const phone = phoneKey(trimmed)
  if (phone) return { type: 'PHONE', key: phone }
  if (!MASKED_TAX_ID.test(trimmed)) return null
  const taxId = normalizeTaxId(trimmed)
  const type = taxIdKind(taxId)
  return type ? { type, key: taxId } : null
}

/** An e-mail of 77 characters, with room for spaces around it. */
const MAX_KEY = 99

/** A Pix key, decoded to its DICT form. Fails: as a text does, and `pix-key`. */
export const pixKey = (about: FieldOptions = {}): Field<string, string, InputCode | 'pix-key'> =>
  convertedText('Pix key', text({ max: MAX_KEY }), (typed) => readPixKey(typed)?.key ?? null, 'pix-key', about)
