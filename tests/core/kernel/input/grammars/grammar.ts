import { isDeepStrictEqual } from 'node:util'
import test from 'ava'
import fc from 'fast-check'
import { isLeft } from '../../../../../core/failure.ts'
import type { AnyField } from '../../../../../core/kernel/input/field.ts'
import { anyText } from '../../../../any-text.ts'
import { FULL, printSeed, SEED } from '../../../../size.ts'

/** The decoded value of a text, or null if it is refused. */
export type Verdict = { readonly decoded: unknown } | null

export const decoded = (value: unknown): Verdict => ({ decoded: value })

/** An independent definition of the texts that a field accepts. */
export interface Grammar {
  /** Texts that are valid by construction, each with its decoded value. */
  readonly valid: fc.Arbitrary<readonly [text: string, decoded: unknown]>
  /** Decides any text. */
  readonly oracle: (text: string) => Verdict
  /** Characters that an edit inserts to make a near miss. */
  readonly near: string
}

const RUNS = FULL ? 5_000 : 100

/** Characters that often cause faults in stores, pages and comparisons. */
const STRANGE = [
  ...['\0', '\ud800', '\udc00', '\u0301', '\u0316'.repeat(31), '\u202e', '\u200b', '\u0085', '\u00a0', '\ufeff'],
  ...['１', '٣', 'é', 'İ', 'ß', '😀', '\n', '\r', '\t', ' ', '  ', "'", '"', '\\', '%', '$', '<', '0', '-', '.', ','],
]

const KINDS = ['insert', 'replace', 'delete', 'swap', 'double', 'cut', 'case'] as const
type Kind = (typeof KINDS)[number]

const other = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())

/** Edits a text once, by code units; a split surrogate pair stays split. */
const edited = (text: string, kind: Kind, place: number, put: string): string => {
  const at = place % (text.length + 1)
  const [before, here, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
  const edits: Readonly<Record<Kind, string>> = {
    insert: before + put + here + after,
    replace: before + put + after,
    delete: before + after,
    swap: before + after.charAt(0) + here + after.slice(1),
    double: before + here + here + after,
    cut: before,
    case: before + other(here) + after,
  }
  return edits[kind]
}

const isSame = (one: Verdict, two: Verdict) =>
  isDeepStrictEqual(one, two) || (one !== null && two !== null && isDeepStrictEqual(one.decoded, two.decoded))

const CODE = /^[a-z-]+(\.[a-z-]+)?$/

/** Returns the verdict of a field on a text, sent as it is or as the JSON that it contains. */
export const verdictOf =
  (field: AnyField, { json = false }: { readonly json?: boolean } = {}) =>
  (text: string): Verdict => {
    const sent = json ? parsed(text) : { decoded: text }
    if (sent === null) return null
    const got = field.read(sent.decoded)
    if (isLeft(got)) {
      if (got.left.length === 0 || got.left.some(({ code }) => !CODE.test(code)))
        throw new Error('refused without a code')
      return null
    }
    const again = field.read(field.encode(got.right))
    if (!field.is(got.right) || isLeft(again) || !isSame(decoded(again.right), decoded(got.right)))
      throw new Error(`${JSON.stringify(got.right)} changes when it is encoded and decoded again`)
    return decoded(got.right)
  }

/** Parses JSON; null for any other text. */
export const parsed = (text: string): Verdict => {
  try {
    return decoded(JSON.parse(text))
  } catch {
    return null
  }
}

const edits = { valid: 0, wrong: 0 }

/** Logs the seed and the number of edits. */
export const logSeed = (): void =>
  test.after((t) => {
    printSeed(t)
    t.log(`of ${edits.valid + edits.wrong} edits ${edits.valid} are valid, ${edits.wrong} are not`)
  })

const describe = (verdict: Verdict) => (verdict === null ? 'refused' : `decoded as ${JSON.stringify(verdict.decoded)}`)

/** Tests that a field agrees with its grammar on valid texts and on texts one edit away from them. */
export const agrees = (name: string, read: (text: string) => Verdict, { valid, oracle, near }: Grammar): void => {
  const must = (text: string, expected: Verdict, by: string) => {
    const got = read(text)
    if (!isSame(got, expected))
      throw new Error(`${JSON.stringify(text)} is ${describe(got)}, and by ${by} ${describe(expected)}`)
  }
  test(`${name}: agrees with its grammar on valid texts and after one edit`, (t) => {
    let [accepted, refused] = [0, 0]
    const put = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...near) },
      fc.constantFrom(...STRANGE),
      anyText({ minLength: 1, maxLength: 1 }),
    )
    const property = fc.property(valid, fc.constantFrom(...KINDS), fc.nat(), put, ([text, whole], kind, at, piece) => {
      must(text, decoded(whole), 'its grammar')
      must(text, oracle(text), 'the oracle')
      const near = edited(text, kind, at, piece)
      const verdict = oracle(near)
      must(near, verdict, 'the oracle')
      if (verdict === null) refused += 1
      else accepted += 1
    })
    fc.assert(property, { numRuns: RUNS, seed: SEED, includeErrorInReport: true })
    edits.valid += accepted
    edits.wrong += refused
    // An oracle that refuses nothing would prove nothing.
    t.true(refused > 0)
    t.is(accepted + refused, RUNS)
  })
}
