import fc from 'fast-check'
import { decoded, type Grammar } from './grammar.ts'
import { plain } from './texts.ts'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
// The weights published by Receita Federal; the second check digit uses one more than the first.
const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

/** Returns the digit that makes the weighted sum a multiple of eleven; 10 is written as 0. */
const checkDigit = (base: string, weights: readonly number[]): number => {
  const used = weights.slice(weights.length - base.length)
  const sum = [...base].reduce((total, each, at) => total + (each.charCodeAt(0) - 48) * (used[at] ?? 0), 0)
  for (let digit = 0; digit < 10; digit += 1) if ((sum + digit) % 11 === 0) return digit
  return 0
}

const withDigits = (base: string, weights: readonly number[]): string => {
  const first = `${base}${checkDigit(base, weights)}`
  return `${first}${checkDigit(first, weights)}`
}

export type Kind = 'CPF' | 'CNPJ'
const weightsOf = { CPF: CPF_WEIGHTS, CNPJ: CNPJ_WEIGHTS } as const

/** Returns the kind of a document without punctuation; null if it is not valid. */
export const kindOf = (bare: string): Kind | null => {
  const isDigits = (text: string) => [...text].every((each) => each >= '0' && each <= '9')
  const kind: Kind = bare.length === 11 ? 'CPF' : 'CNPJ'
  const isShaped =
    kind === 'CPF'
      ? isDigits(bare)
      : bare.length === 14 && isDigits(bare.slice(12)) && [...bare].every((each) => ALPHANUMERIC.includes(each))
  if (!isShaped || new Set(bare).size === 1) return null
  return withDigits(bare.slice(0, -2), weightsOf[kind]) === bare ? kind : null
}

/** Returns the letters and digits of any script, ASCII letters in upper case. */
export const bareOf = (text: string): string =>
  Array.from(text)
    .filter((each) => /[\p{L}\p{N}]/u.test(each))
    .map((each) => (each >= 'a' && each <= 'z' ? each.toUpperCase() : each))
    .join('')

const base = (kind: Kind) =>
  (kind === 'CPF'
    ? fc.stringMatching(/^[0-9]{9}$/)
    : fc.array(fc.constantFrom(...ALPHANUMERIC), { minLength: 12, maxLength: 12 }).map((each) => each.join(''))
  ).filter((text) => new Set(text).size > 1)

const masked = (bare: string): string => {
  const [a, b, c, d, e] =
    bare.length === 11
      ? [bare.slice(0, 3), bare.slice(3, 6), bare.slice(6, 9), null, bare.slice(9)]
      : [bare.slice(0, 2), bare.slice(2, 5), bare.slice(5, 8), bare.slice(8, 12), bare.slice(12)]
  return `${a}.${b}.${c}${d === null ? '' : `/${d}`}-${e}`
}

/** Documents with valid check digits, with or without punctuation. */
export const documents = (kind: Kind) =>
  base(kind).chain((text) => {
    const whole = withDigits(text, weightsOf[kind])
    return fc
      .constantFrom(whole, masked(whole), masked(whole).toLowerCase(), ` ${whole} `)
      .map((sent) => [sent, whole] as const)
  })

/** A document of one of these kinds, decoded without punctuation. */
export const taxId = (...kinds: readonly Kind[]): Grammar => ({
  near: '0123456789AZaz./-',
  oracle: (text) => {
    const clean = plain(text, { max: 40 })
    const bare = clean === null ? '' : bareOf(clean)
    const kind = kindOf(bare)
    return kind !== null && kinds.includes(kind) ? decoded(bare) : null
  },
  valid: fc.oneof(...kinds.map(documents)),
})
