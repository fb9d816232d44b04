import fc from 'fast-check'
import { decoded, type Grammar, parsed, type Verdict } from './grammar.ts'
import { numberVerdict } from './scalars.ts'
import { isWhole, plain } from './texts.ts'

/** A grammar of JSON texts, by a verdict on the parsed value. */
const ofJson = (
  near: string,
  verdict: (value: unknown) => Verdict,
  valid: fc.Arbitrary<readonly [value: unknown, decoded: unknown]>,
): Grammar => ({
  near,
  oracle: (text) => {
    const json = parsed(text)
    return json === null ? null : verdict(json.decoded)
  },
  valid: valid.map(([value, whole]) => [JSON.stringify(value), whole] as const),
})

/** A closed list of values, decoded unchanged. */
export const words = (values: readonly unknown[], near: string): Grammar =>
  ofJson(
    near,
    (value) => (values.includes(value) ? decoded(value) : null),
    fc.constantFrom(...values).map((value) => [value, value] as const),
  )

const text = (value: unknown, lengths: { readonly min?: number; readonly max: number }): string | null =>
  typeof value === 'string' ? plain(value, lengths) : null

const MAX_DEPTH = 10
const FORBIDDEN = ['__proto__', 'constructor', 'prototype']
const MOST_MARKS = /\p{M}{31}/u

const isStorable = (sent: string) => !MOST_MARKS.test(sent) && !MOST_MARKS.test(sent.normalize('NFC')) && isWhole(sent)

/** Returns canonical JSON: keys sorted by the bytes of their JSON text, texts in NFC; undefined if it is refused. */
const canonical = (value: unknown, depth: number): string | undefined => {
  if (typeof value === 'string') return isStorable(value) ? JSON.stringify(value.normalize('NFC')) : undefined
  if (typeof value === 'number') return Math.abs(value) < 2 ** 53 ? JSON.stringify(value) : undefined
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (depth === MAX_DEPTH) return undefined
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item, depth + 1))
    return items.includes(undefined) ? undefined : `[${items}]`
  }
  const members = new Map<string, string>()
  for (const [key, inner] of Object.entries(value)) {
    const known = canonical(inner, depth + 1)
    const name = key.normalize('NFC')
    if (known === undefined || !isStorable(key) || FORBIDDEN.includes(key) || members.has(name)) return undefined
    members.set(name, `${JSON.stringify(name)}:${known}`)
  }
  const written = (name: string) => Buffer.from(JSON.stringify(name))
  const sorted = [...members].sort(([one], [two]) => Buffer.compare(written(one), written(two)))
  return `{${sorted.map(([, member]) => member)}}`
}

const jsonFate = (value: unknown, maxBytes: number): Verdict => {
  const known = value === null ? undefined : canonical(value, 0)
  return known === undefined || Buffer.byteLength(known) > maxBytes ? null : decoded(known)
}

const leaf = fc.oneof(
  fc.integer(),
  fc.constantFrom<unknown>(null, true, -0, 0.1, 'a', 'é', '😀', '', 2 ** 53 - 1, '\u202e'),
  fc.string({ unit: 'grapheme', maxLength: 4 }).map((each) => each.normalize('NFC')),
)
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'é', 'ﬁ', '😀', 'A'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 3 }),
)
const tree = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
})).value

/** Free-form JSON, or JSON objects only. */
export const freeJson = ({ maxBytes, only }: { readonly maxBytes: number; readonly only?: 'objects' }): Grammar =>
  ofJson(
    '{}[]",:0e-',
    (value) => (only && (typeof value !== 'object' || Array.isArray(value)) ? null : jsonFate(value, maxBytes)),
    (only ? fc.dictionary(key, leaf, { maxKeys: 3 }) : tree)
      .map((value) => [value, jsonFate(value, maxBytes)] as const)
      .filter(([, verdict]) => verdict !== null)
      .map(([value, verdict]) => [value, verdict?.decoded] as const),
  )

/** A list of bounded length. */
export const listOf = (
  item: (value: unknown) => Verdict,
  items: fc.Arbitrary<unknown>,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): Grammar => {
  const verdict = listVerdict(item, { min, max })
  const valid = fc
    .array(items, { minLength: min, maxLength: max })
    .map((value) => [value, verdict(value)?.decoded] as const)
  return ofJson('[]",1a', verdict, valid)
}

export const listVerdict =
  (item: (value: unknown) => Verdict, { min = 0, max }: { readonly min?: number; readonly max: number }) =>
  (value: unknown): Verdict => {
    if (!Array.isArray(value) || value.length < min || value.length > max) return null
    const verdicts = value.map(item)
    return verdicts.includes(null) ? null : decoded(verdicts.map((each) => each?.decoded))
  }

/** A value or null. */
export const orNull =
  (inner: (value: unknown) => Verdict) =>
  (value: unknown): Verdict =>
    value === null ? decoded(null) : inner(value)

export const short = (value: unknown): Verdict => {
  const clean = text(value, { max: 3 })
  return clean === null ? null : decoded(clean)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const ID = { min: 1, max: Number.MAX_SAFE_INTEGER }

/** An object with one id. */
export const reference = ofJson(
  '{}",:a019',
  (value) => {
    const known = isObject(value) ? numberVerdict(value.a, ID) : null
    return known === null ? null : decoded({ a: known.decoded })
  },
  fc.integer({ min: 1 }).map((a) => [{ a }, { a }]),
)

/** An object with a required city and an optional postcode. */
export const place = ofJson(
  '{}",:zipcty',
  (value) => {
    if (!isObject(value)) return null
    const [city, zip] = [text(value.city, { max: 9 }), text(value.zip, { max: 9 })]
    if (city === null || (zip === null && value.zip !== undefined)) return null
    return decoded({ city, ...(zip === null ? {} : { zip }) })
  },
  fc
    .record(
      { city: fc.constantFrom('Natal', 'Belém'), zip: fc.constantFrom('1', '59000') },
      { requiredKeys: ['city'], noNullPrototype: true },
    )
    .map((value) => [value, value] as const),
)

const SAFE = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }
export const AMOUNT = { min: 0, max: 999_999_999_999, decimals: 2 }

/** A required amount with three names, and an optional number with two. */
export const aliases = ofJson(
  '{}",:valueamountsum1.',
  (value) => {
    if (!isObject(value)) return null
    const first = (...names: readonly string[]) => names.map((name) => value[name]).find((each) => each !== undefined)
    const amount = numberVerdict(first('value', 'amount', 'sum'), AMOUNT)
    const n = first('n', 'm')
    const whole = numberVerdict(n, SAFE)
    if (amount === null || (whole === null && n !== undefined)) return null
    return decoded({ value: amount.decoded, ...(whole === null ? {} : { n: whole.decoded }) })
  },
  fc
    .tuple(
      fc.subarray(['value', 'amount', 'sum'] as const, { minLength: 1 }),
      fc.subarray(['n', 'm'] as const),
      fc.integer({ min: 0, max: 9_999 }),
      fc.integer(),
    )
    .map(([names, others, cents, n]) => [
      Object.fromEntries([...names.map((name) => [name, cents / 100]), ...others.map((name) => [name, n])]),
      { value: cents, ...(others.length > 0 ? { n } : {}) },
    ]),
)

/** Another grammar of JSON, or null. */
export const nullable = (inner: Grammar): Grammar => ({
  near: `${inner.near}nul`,
  oracle: (sent) => {
    const json = parsed(sent)
    return json === null ? null : orNull(() => inner.oracle(sent))(json.decoded)
  },
  valid: fc.oneof({ weight: 4, arbitrary: inner.valid }, fc.constant(['null', null])),
})

const isBlank = (value: unknown) => typeof value === 'string' && plain(value, { min: 0, max: 0 }) === ''

/** Another grammar of texts as JSON strings, or null; a blank text decodes to null. */
export const nullableText = (inner: Grammar): Grammar => {
  const said = nullable(quoted(inner))
  return {
    near: said.near,
    oracle: (sent) => (isBlank(parsed(sent)?.decoded) ? decoded(null) : said.oracle(sent)),
    valid: fc.oneof({ weight: 4, arbitrary: said.valid }, fc.constantFrom(['""', null], ['" \\u00a0"', null])),
  }
}

/** Another grammar of texts as JSON strings. */
const quoted = (inner: Grammar): Grammar => ({
  near: `${inner.near}"\\`,
  oracle: (sent) => {
    const json = parsed(sent)
    return json !== null && typeof json.decoded === 'string' ? inner.oracle(json.decoded) : null
  },
  valid: inner.valid.map(([sent, whole]) => [JSON.stringify(sent), whole] as const),
})
