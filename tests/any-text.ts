import fc from 'fast-check'

const BEFORE_SURROGATES = 0xd800
const SURROGATES = 0x800
const LAST = 0x10ffff - SURROGATES

const codePoint = fc
  .integer({ min: 0, max: LAST })
  .map((n) => String.fromCodePoint(n < BEFORE_SURROGATES ? n : n + SURROGATES))

/**
 * Any text without lone surrogates. `fc.string({ unit: 'binary' })` first maps all code points: a second in each
 * process.
 */
export const anyText = (lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.array(codePoint, lengths).map((points) => points.join(''))
