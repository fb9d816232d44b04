import { type Instant, isDay, isInstant } from '../../values/day.ts'
import { isWellFormed, nfc } from '../../values/text.ts'
import { urlOf } from '../../values/url.ts'

// Control characters but tab and line feed, and more marks in a row than any language writes: putting those in order
// takes Unicode normalization quadratic time. Thirty is the bound of its Stream-Safe Text Format.
const CONTROL = /[^\P{Cc}\t\n]/u
const TOO_MANY_MARKS = /(?<!\p{M})\p{M}{31}/u

/** The text in NFC; null for what no store holds: NUL, lone surrogates, more than 30 combining marks in a row. */
export const storable = (sent: string): string | null => {
  if (!isWellFormed(sent) || TOO_MANY_MARKS.test(sent)) return null
  const text = nfc(sent)
  // A few letters fall apart into marks even in NFC, so that the text could be refused when it is sent again.
  return TOO_MANY_MARKS.test(text) ? null : text
}

/**
 * The text as it is kept: trimmed, lines ended by `\n`, NFC. Null for what no store or page should hold:
 * control characters but tab and line feed, and what is not storable.
 * Source: decisions.md §12 (trimmed), reliability.md S6.
 */
export const cleanText = (sent: string): string | null => {
  const trimmed = sent.trim()
  if (!/[^ -~]/.test(trimmed)) return trimmed
  const lines = trimmed.replaceAll('\r\n', '\n')
  return CONTROL.test(lines) ? null : storable(lines)
}

const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/
// They turn the reading order of what stands beside them, so that it reads as what it is not.
const BIDI_CONTROL = /\p{Bidi_Control}/u
// Neither spaces, nor what Unicode says is to be ignored (zero widths, variation selectors, fillers of Hangul), nor controls,
// nor marks without a letter, nor blanks that count as signs: of braille, of hieroglyphs, a note without a head, an object's
// place.
const VISIBLE =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\p{Noncharacter_Code_Point}\u2800\uFFFC\u{13441}\u{13442}\u{1D159}]/u

/** What keeps a clean text from being a name that stands in one line and shows what it is; null where it is one. */
export const wrongInLine = (text: string): 'break' | 'direction' | 'invisible' | null => {
  if (!/[^ -~]/.test(text)) return null
  if (LINE_BREAK.test(text)) return 'break'
  if (BIDI_CONTROL.test(text)) return 'direction'
  return VISIBLE.test(text) ? null : 'invisible'
}

const MAILBOX = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u
const HOST = /^[\p{L}\p{N}\p{M}-]+(?:\.[\p{L}\p{N}\p{M}-]+)+$/u

/**
 * Whether a clean text can be an e-mail address: one `@`, a dotted mailbox, a domain with a dot, no quotes or spaces.
 * Every separator is outside the classes beside it, so that reading is linear.
 */
export const isEmail = (text: string): boolean => {
  const [mailbox = '', host = '', ...more] = text.split('@', 3)
  return more.length === 0 && MAILBOX.test(mailbox) && HOST.test(host) && !/(?:^|\.)-|-(?:\.|$)/.test(host)
}

const WEB_ADDRESS = /^https?:\/\/[^/?#@\\\s]+(?:[/?#]\S*)?$/i

/** Whether a clean text is an absolute http or https address without user and password. */
export const isWebAddress = (text: string): boolean => {
  const url = WEB_ADDRESS.test(text) ? urlOf(text) : null
  return url !== null && url.hostname !== ''
}

const ZONED =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3])(?::[0-5]\d){1,2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** The instant of an ISO 8601 date and time with `Z` or an offset, to the millisecond; null for anything else. */
export const toInstant = (text: string): Instant | null => {
  const [, day = ''] = ZONED.exec(text) ?? []
  if (!isDay(day)) return null
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return null
  const moment = new Date(ms).toISOString()
  return isInstant(moment) ? moment : null
}
