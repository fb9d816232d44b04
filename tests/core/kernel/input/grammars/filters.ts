import fc from 'fast-check'
import { decoded, type Grammar, type Verdict } from './grammar.ts'

const isBlank = (text: string) => /^[\s\ufeff]*$/.test(text)
const NOTHING = decoded(undefined)

/** A filter of a query: a blank text decodes to undefined. */
export const filter = (inner: Grammar): Grammar => ({
  near: inner.near,
  oracle: (text) => (isBlank(text) ? NOTHING : inner.oracle(text)),
  valid: fc.oneof({ weight: 5, arbitrary: inner.valid }, fc.constantFrom(['', undefined], [' ', undefined])),
})

/** A required filter. */
export const required = (inner: Grammar): Grammar => ({
  ...inner,
  oracle: (text) => (isBlank(text) ? null : inner.oracle(text)),
})

export const word = (...words: readonly string[]): Grammar => ({
  near: words.join(''),
  oracle: (text) => (words.includes(text) ? decoded(text) : null),
  valid: fc.constantFrom(...words).map((text) => [text, text] as const),
})

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false }

export const flag: Grammar = {
  near: '01trueTRUE ',
  oracle: (text) => (Object.hasOwn(FLAGS, text) ? decoded(FLAGS[text]) : null),
  valid: fc.constantFrom(...Object.entries(FLAGS)),
}

/** An integer of at most 16 ASCII digits, leading zeros included. */
export const numeral = ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = {}): Grammar => ({
  near: '0123456789-+.e ',
  oracle: (text) => {
    const digits = text.startsWith('-') ? text.slice(1) : text
    const isShaped =
      digits.length >= 1 && digits.length <= 16 && [...digits].every((each) => each >= '0' && each <= '9')
    const value = isShaped ? BigInt(text) : null
    return value === null || value < BigInt(min) || value > BigInt(max) ? null : decoded(Number(value))
  },
  valid: fc
    .tuple(fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max)), fc.nat({ max: 4 }))
    .map(([value, zeros]) => {
      const digits = `${Math.abs(value)}`
      const padded = digits.padStart(Math.min(16, digits.length + zeros), '0')
      return [`${value < 0 ? '-' : ''}${padded}`, value] as const
    }),
})

/** Comma-separated items, each value once. */
export const several = (item: Grammar): Grammar => ({
  near: `${item.near},, `,
  oracle: (text) => {
    const texts = new Set(text.split(',').map((each) => each.trim()))
    texts.delete('')
    const verdicts = [...texts].map((each): Verdict => item.oracle(each))
    if (verdicts.includes(null) || texts.size > 100) return null
    return verdicts.length === 0 ? NOTHING : decoded([...new Set(verdicts.map((verdict) => verdict?.decoded))])
  },
  valid: fc.array(fc.tuple(fc.constantFrom('', ' ', ',', ' , '), item.valid), { maxLength: 6 }).map((pairs) => {
    const values = new Set(pairs.map(([, [, whole]]) => whole))
    const sent = pairs.map(([between, [text]]) => between + text).join(',')
    return [sent, values.size === 0 ? undefined : [...values]] as const
  }),
})
