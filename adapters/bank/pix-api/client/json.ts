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

const REAIS = /^(\d{1,10})\.(\d{2})$/

/** `1234` as the bank writes it: `12.34`. Never by a fraction, which a binary number does not hold. */
export const reaisText = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** `12.34` in cents; null of what is no such amount. */
export const centsIn = (value: unknown): number | null => {
  const [, reais, cents] = REAIS.exec(textIn(value) ?? '') ?? []
  return reais === undefined ? null : Number(reais) * 100 + Number(cents)
}
