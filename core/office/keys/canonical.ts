import { encodeBase64 } from '../../kernel/values/encoding.ts'

/** Deeper than any JSON that a server reads or an input takes: a program may nest without end. */
const MAX_DEPTH = 100

/** By which a text is known again without its being kept. */
type Mark = (text: string) => string

/** What a card's code is called, on every wire and in programs. */
const CODES: readonly string[] = ['cvv']
/** What a card's number is called. */
const NUMBERS: readonly string[] = ['cardNumber', 'card_number']

/**
 * The one text of a parsed JSON value: object keys in order, files by their bytes. Equal values have equal texts. A card's code
 * is left out, and its number is only marked: no fingerprint of the text tells either to somebody who tries them all.
 * Source: pix-boleto.md §5, PCI DSS 3.3.1 and 3.5.1.
 */
export const canonical = (value: unknown, mark: Mark): string => textOf(value, mark, [])

const textOf = (value: unknown, mark: Mark, above: readonly unknown[]): string => {
  if (value instanceof Uint8Array) return JSON.stringify(encodeBase64(value))
  // No JSON has them, and a program may; what is beyond all numbers (`1e400`) JSON reads, and cannot write.
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (above.length >= MAX_DEPTH || above.includes(value)) return 'endless'
  const within = [...above, value]
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, mark, within)).join()}]`
  const fields = [...Object.entries(value).filter(isPlain), ...numbersOf(value, mark, within)]
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${textOf(field, mark, within)}`).join()}}`
}

const isPlain = ([name, field]: readonly [string, unknown]): boolean =>
  field !== undefined && !CODES.includes(name) && !NUMBERS.includes(name)

/** The numbers of cards, marked: a card that was read shows its own to nobody who does not ask for it by name. */
const numbersOf = (value: object, mark: Mark, within: readonly unknown[]): [string, unknown][] => {
  const sent: Readonly<Record<string, unknown>> = Object(value)
  return NUMBERS.filter((name) => Object.hasOwn(sent, name) && sent[name] !== undefined).map((name) => [
    name,
    mark(textOf(sent[name], mark, within)),
  ])
}
