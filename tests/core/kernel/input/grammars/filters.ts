import fc from 'fast-check'
import { type Fate, type Grammar, kept } from './grammar.ts'

const isBlank = (text: string) => /^[\s\ufeff]*$/.test(text)
const NOTHING = kept(undefined)

/** What a filter of a query takes: a blank one is none. */
export const filter = (inner: Grammar): Grammar => ({
  near: inner.near,
  oracle: (text) => (isBlank(text) ? NOTHING : inner.oracle(text)),
  valid: fc.oneof({ weight: 5, arbitrary: inner.valid }, fc.constantFrom(['', undefined], [' ', undefined])),
})

/** A filter that must be there. */
export const mustBe = (inner: Grammar): Grammar => ({
  ...inner,
  oracle: (text) => (isBlank(text) ? null : inner.oracle(text)),
})

export const word = (...words: readonly string[]): Grammar => ({
  near: words.join(''),
  oracle: (text) => (words.includes(text) ? kept(text) : null),
  valid: fc.constantFrom(...words).map((text) => [text, text] as const),
})

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false }

export const flag: Grammar = {
  near: '01trueTRUE ',
  oracle: (text) => (Object.hasOwn(FLAGS, text) ? kept(FLAGS[text]) : null),
  valid: fc.constantFrom(...Object.entries(FLAGS)),
}

/** An integer of at most 16 ASCII digits, zeros before it included. */
export const numeral = ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = {}): Grammar => ({
  near: '0123456789-+.e ',
  oracle: (text) => {
    const digits = text.startsWith('-') ? text.slice(1) : text
    const isShaped =
      digits.length >= 1 && digits.length <= 16 && [...digits].every((each) => each >= '0' && each <= '9')
    const value = isShaped ? BigInt(text) : null
    return value === null || value < BigInt(min) || value > BigInt(max) ? null : kept(Number(value))
  },
  valid: fc
    .tuple(fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max)), fc.nat({ max: 4 }))
    .map(([value, zeros]) => {
      const digits = `${Math.abs(value)}`
      const padded = digits.padStart(Math.min(16, digits.length + zeros), '0')
      return [`${value < 0 ? '-' : ''}${padded}`, value] as const
    }),
})

/** Items between commas and spaces, each value once. */
export const several = (item: Grammar): Grammar => ({
  near: `${item.near},, `,
  oracle: (text) => {
    const texts = new Set(text.split(',').map((each) => each.trim()))
    texts.delete('')
    const fates = [...texts].map((each): Fate => item.oracle(each))
    if (fates.includes(null) || texts.size > 100) return null
    return fates.length === 0 ? NOTHING : kept([...new Set(fates.map((fate) => fate?.kept))])
  },
  valid: fc.array(fc.tuple(fc.constantFrom('', ' ', ',', ' , '), item.valid), { maxLength: 6 }).map((pairs) => {
    const values = new Set(pairs.map(([, [, whole]]) => whole))
    const sent = pairs.map(([between, [text]]) => between + text).join(',')
    return [sent, values.size === 0 ? undefined : [...values]] as const
  }),
})
