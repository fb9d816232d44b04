import { isDeepStrictEqual } from 'node:util'
import test from 'ava'
import fc from 'fast-check'
import { isLeft } from '../../../../../core/fp.ts'
import type { AnyField } from '../../../../../core/kernel/input/field.ts'
import { FULL, printSeed, SEED } from '../../../../size.ts'

/** What becomes of a text: what is kept of it, or null where it is refused. */
export type Fate = { readonly kept: unknown } | null

export const kept = (value: unknown): Fate => ({ kept: value })

/** What a codec takes, told by other means than its own. */
export interface Grammar {
  /** Texts that are valid by the way they are made, each with what must be kept of it. */
  readonly valid: fc.Arbitrary<readonly [text: string, kept: unknown]>
  /** The fate of any text. */
  readonly oracle: (text: string) => Fate
  /** Characters that an edit puts in: those that lead to its near misses. */
  readonly near: string
}

const RUNS = FULL ? 5_000 : 100

/** What stores, pages and comparisons may stumble over; put into any text. */
const STRANGE = [
  ...['\0', '\ud800', '\udc00', '\u0301', '\u0316'.repeat(31), '\u202e', '\u200b', '\u0085', '\u00a0', '\ufeff'],
  ...['１', '٣', 'é', 'İ', 'ß', '😀', '\n', '\r', '\t', ' ', '  ', "'", '"', '\\', '%', '$', '<', '0', '-', '.', ','],
]

const KINDS = ['insert', 'replace', 'delete', 'swap', 'double', 'cut', 'case'] as const
type Kind = (typeof KINDS)[number]

const other = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())

/** The text with one edit, by code units: what it cuts in two stays in two. */
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

const isSame = (one: Fate, two: Fate) =>
  isDeepStrictEqual(one, two) || (one !== null && two !== null && isDeepStrictEqual(one.kept, two.kept))

const CODE = /^[a-z-]+(\.[a-z-]+)?$/

/** The fate of a text in a field that is sent as it is, or as the JSON that the text is. */
export const fateIn =
  (field: AnyField, { json = false }: { readonly json?: boolean } = {}) =>
  (text: string): Fate => {
    const sent = json ? parsed(text) : { kept: text }
    if (sent === null) return null
    const got = field.read(sent.kept)
    if (isLeft(got)) {
      if (got.left.length === 0 || got.left.some(({ code }) => !CODE.test(code)))
        throw new Error('refused without a why')
      return null
    }
    const again = field.read(field.encode(got.right))
    if (!field.is(got.right) || isLeft(again) || !isSame(kept(again.right), kept(got.right)))
      throw new Error(`${JSON.stringify(got.right)} does not survive`)
    return kept(got.right)
  }

/** What JSON says, null where it is none. */
export const parsed = (text: string): Fate => {
  try {
    return kept(JSON.parse(text))
  } catch {
    return null
  }
}

const edits = { valid: 0, wrong: 0 }

/** Says what chance was drawn from, and how much of it was tried. */
export const tellSeed = (): void =>
  test.after((t) => {
    printSeed(t)
    t.log(`of ${edits.valid + edits.wrong} edits ${edits.valid} are valid, ${edits.wrong} are not`)
  })

const shown = (fate: Fate) => (fate === null ? 'refused' : `kept as ${JSON.stringify(fate.kept)}`)

/** Tests that a codec agrees with its grammar about what is made by it, and about what is one edit away from that. */
export const agrees = (name: string, read: (text: string) => Fate, { valid, oracle, near }: Grammar): void => {
  const must = (text: string, expected: Fate, by: string) => {
    const got = read(text)
    if (!isSame(got, expected))
      throw new Error(`${JSON.stringify(text)} is ${shown(got)}, and by ${by} ${shown(expected)}`)
  }
  test(`${name}: what its grammar makes is kept, and one edit makes it something else that is valid, or refused`, (t) => {
    let [accepted, refused] = [0, 0]
    const put = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...near) },
      fc.constantFrom(...STRANGE),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    )
    const property = fc.property(valid, fc.constantFrom(...KINDS), fc.nat(), put, ([text, whole], kind, at, piece) => {
      must(text, kept(whole), 'its grammar')
      must(text, oracle(text), 'the oracle')
      const near = edited(text, kind, at, piece)
      const fate = oracle(near)
      must(near, fate, 'the oracle')
      if (fate === null) refused += 1
      else accepted += 1
    })
    fc.assert(property, { numRuns: RUNS, seed: SEED, includeErrorInReport: true })
    edits.valid += accepted
    edits.wrong += refused
    // An oracle that says always the same knows nothing.
    t.true(refused > 0)
    t.is(accepted + refused, RUNS)
  })
}
