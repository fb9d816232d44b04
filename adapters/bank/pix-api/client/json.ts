/** What somebody else says, of which nothing is known yet. */
export type Told = { readonly [name: string]: unknown }

/** What of it are fields; of anything else than an object there are none. */
export const toldIn = (value: unknown): Told =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Told) : {}

/** The fields of a text that is a JSON object; none of any other text. */
export const jsonOf = (text: string): Told => {
  try {
    return toldIn(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The items of what is a list; none of what is not. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** What is a text, else null. */
export const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Visible ASCII, as in every id of a bank. */
const ID = /^[!-~]{1,100}$/

/** An id or a key, else null: an empty text is none. */
export const idIn = (value: unknown): string | null => {
  const text = textIn(value)
  return text !== null && ID.test(text) ? text : null
}

/** A count, as a number or as its digits; null of any other value. */
export const countIn = (value: unknown): number | null =>
  /^\d{1,9}$/.test(`${value}`) && typeof value !== 'object' ? Number(value) : null

/** The API's amount has two decimals and is a text; banks also send fewer, or a number. */
const REAIS = /^(\d{1,10})(?:\.(\d{0,2}))?$/

/** `1234` as the bank writes it: `12.34`. Computed without fractions, which binary numbers do not represent exactly. */
export const reaisText = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** `12.34`, `12.3`, `12` or one of these as a number, in cents; null of any other value. */
export const centsIn = (value: unknown): number | null => {
  const [, reais, cents = ''] = REAIS.exec(typeof value === 'number' ? `${value}` : (textIn(value) ?? '')) ?? []
  return reais === undefined ? null : Number(reais) * 100 + Number(cents.padEnd(2, '0'))
}
