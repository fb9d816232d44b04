import test from 'ava'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { isLeft } from '../../../../core/failure.ts'
import { shareOf, some } from '../../../size.ts'
import type { RowsApi } from '../api-under-test.ts'
import { bodyLeaves, type Leaf, typesOf, withAt } from '../fields.ts'
import { askAt, ownStatuses, placeOf, type RequestChanges, takesJson } from '../places.ts'
import { sampleRows } from '../sampling.ts'
import type { RowsSuite } from '../suite.ts'
import type { Reply } from '../wire.ts'
import { NUMBERS, TEXTS, UNSTORABLE } from './strange.ts'

/** The number of requests of each kind in `npm test`, for all rows together. */
const REQUESTS = 400

/** Returns all texts and numbers in a value, also within JSON texts. */
const scalarsIn = (value: unknown): readonly unknown[] => {
  if (typeof value === 'string' && /^[[{]/.test(value)) {
    try {
      return [value, ...scalarsIn(JSON.parse(value))]
    } catch {
      return [value]
    }
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...scalarsIn(inner)])
    : [value]
}

/** Reports whether an answer or the store contains a value. */
const isStoredIn = <A extends RowsApi>({ dump, hostile }: RowsSuite<A>) => {
  return async (api: A, answered: unknown, kept: unknown): Promise<boolean> => {
    if (scalarsIn(answered).includes(kept)) return true
    const records = [...(await dump(api)).values()]
    if (records.some((record) => scalarsIn(JSON.parse(record)).includes(kept))) return true
    return ((await hostile.decrypted?.(api)) ?? []).some((each) => scalarsIn(each).includes(kept))
  }
}

const isPlain = ({ codec, schema }: Leaf) => codec !== null && /\btext$/.test(codec.name) && !schema.pattern

/** Returns the stored form of a plain text: trimmed, with line feeds, in NFC. */
const normalized = (text: string) => text.trim().replaceAll('\r\n', '\n').normalize('NFC')

const CONTROL = /[^\P{Cc}\t\n]/u
/** Characters that a text of one line may not contain either: line breaks and direction controls. */
const NOT_IN_LINE = /[\n\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const isLine = ({ codec }: Leaf) => codec !== null && /\bline of text$/.test(codec.name)
const isRejected = (leaf: Leaf, text: string) =>
  UNSTORABLE.test(text) || CONTROL.test(normalized(text)) || (isLine(leaf) && NOT_IN_LINE.test(normalized(text)))

const isSecret = ({ schema }: Leaf) => schema.format === 'password'
const isText = ({ schema }: Leaf) => typesOf(schema).includes('string')
/** Free-form JSON. */
const isFree = ({ schema, codec }: Leaf) => codec !== null && !schema.properties && typesOf(schema).includes('object')

type Fields = Readonly<Record<string, unknown>>

/** Returns a body with a text in one field, in all secrets at once, or as key and value of free-form JSON. */
const withText = (body: Fields, leaf: Leaf, leaves: readonly Leaf[], text: string) => {
  if (isFree(leaf)) return withAt(body, leaf.path, { [`k${text}`]: text })
  const paths = isSecret(leaf) ? leaves.filter(isSecret).map(({ path }) => path) : [leaf.path]
  return paths.reduce((whole, path) => withAt(whole, path, text), body)
}

/**
 * Returns the value that a field, or the object of the row's example around it, reads from a text; the text itself if
 * that object is incomplete.
 */
const readAs = ({ example }: AnyRow, { root, path: [key = '', ...inner] }: Leaf, text: string): unknown => {
  const around = (example.request?.body as Fields | undefined)?.[key]
  const read = root.read(inner.length === 0 ? text : withAt({ ...(around as Fields | null) }, inner, text))
  if (isLeft(read)) return normalized(text)
  return inner.reduce(
    (value: unknown, key) => (value as Readonly<Record<string, unknown>>)[key],
    root.encode(read.right),
  )
}

/** Returns the texts for a field; for a plain text also the longest in code points, and one more. */
const textsFor = (leaf: Leaf) => {
  const { maxLength } = leaf.schema
  const ends = isPlain(leaf) && typeof maxLength === 'number' ? [maxLength, maxLength + 1] : []
  return [...Object.values(TEXTS), ...ends.map((length) => '𝓐'.repeat(length))].map((text) => ({ leaf, text }))
}

/** Tests that fields store unusual values unchanged or reject them by name. */
export const valuesSuite = <A extends RowsApi>(under: RowsSuite<A>): void => {
  const inputs = sampleRows(under.rows.filter(({ input }) => input.body))
  const each = shareOf(REQUESTS, inputs.length)
  for (const [salt, row] of inputs.entries()) {
    keepsTexts(row, under, each, salt)
    keepsNumbers(row, under, each, salt)
    takesUtf8(row, under)
  }
}

const keepsTexts = <A extends RowsApi>(row: AnyRow, under: RowsSuite<A>, each: number, salt: number): void => {
  const { open, hostile } = under
  const { invalid, fieldsIn, codeIn } = under.wording
  const keptAs = hostile.storedAs ?? ((_, text) => text)
  const keeps = isStoredIn(under)
  const leaves = bodyLeaves(row)
  const cases = leaves.filter((leaf) => isText(leaf) || isFree(leaf)).flatMap(textsFor)
  if (cases.length === 0) return
  test.serial(`${row.name} stores an unusual text unchanged or lists its field`, async (t) => {
    const api = await open(t, 'file')
    const ask = await repeatedRequests(under, api, row)
    for (const { leaf, text } of some(cases, each, salt)) {
      const about = `${leaf.name}: ${JSON.stringify(text).slice(0, 80)}`
      const { status, body, exchange } = await ask(leaf, (whole) => ({ body: withText(whole, leaf, leaves, text) }))
      const isLong = typeof leaf.schema.maxLength === 'number' && [...normalized(text)].length > leaf.schema.maxLength
      const isWrong =
        (isPlain(leaf) && (isRejected(leaf, text) || isLong)) || (!isSecret(leaf) && UNSTORABLE.test(text))
      const read = leaf.codec?.read(isFree(leaf) ? { [`k${text}`]: text } : text)
      if (read && (isPlain(leaf) || isFree(leaf))) t.is(isLeft(read), isWrong, about)
      if (isWrong) t.is(status, invalid, exchange)
      // Some rows reject with an answer of 200.
      if (status >= 300 || hostile.isRefusal?.(body)) {
        const isKnown = [401, 403, 404, invalid, ...ownStatuses(row)].includes(status) || isOwnCode(row, codeIn(body))
        t.true(isKnown, exchange)
        const named = Object.keys(fieldsIn(body))
        const own = isSecret(leaf) ? leaves.filter(isSecret).map(({ name }) => name) : [leaf.name]
        // In an object that is otherwise empty the text may be valid and other fields missing.
        if (isWrong || (status === invalid && leaf.codec && !isOwnCode(row, codeIn(body))))
          t.true(
            own.some((name) => named.includes(name)),
            `${about}: ${exchange}`,
          )
      } else if (!isSecret(leaf) && !isEmptyList(body)) {
        const kept = isFree(leaf)
          ? text.normalize('NFC')
          : isPlain(leaf)
            ? keptAs(leaf.name, normalized(text))
            : readAs(row, leaf, text)
        t.true(await keeps(api, body, kept), about)
      }
    }
  })
}

/** Returns the sum of a field over the records of a list, in cents: the amount may be divided among them. */
const together = ({ data }: { readonly data?: unknown }, { name }: Leaf): number | null =>
  Array.isArray(data) ? data.reduce((cents, each) => cents + Math.round(each[name] * 100), 0) : null

const isEmptyList = (body: unknown): boolean => Array.isArray(body) && body.length === 0

/** Reports whether an error is of the field itself, not of another one in the same object. */
const isOwn =
  ({ name, path }: Leaf) =>
  (error: string): boolean =>
    path.length === 1 || error === name || !error.startsWith(`${path.slice(0, -1).join('.')}.`)

const isJson = (text: string): boolean => {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

const keepsNumbers = <A extends RowsApi>(row: AnyRow, under: RowsSuite<A>, each: number, salt: number): void => {
  const { open, hostile, references } = under
  const { invalid, fieldsIn, codeIn } = under.wording
  const keeps = isStoredIn(under)
  if (!takesJson(row)) return
  const cases = bodyLeaves(row)
    .filter(({ schema }) => typesOf(schema).includes('number'))
    .flatMap((leaf) => NUMBERS.map((raw) => ({ leaf, raw })))
  if (cases.length === 0) return
  test.serial(`${row.name} stores an unusual number to the cent or lists its field`, async (t) => {
    const api = await open(t, 'file')
    const ask = await repeatedRequests(under, api, row)
    for (const { leaf, raw } of some(cases, each, salt)) {
      const about = `${leaf.name}: ${raw.slice(0, 80)}`
      const text = (whole: Fields) => JSON.stringify(withAt(whole, leaf.path, '@')).replace('"@"', raw)
      const { status, body } = await ask(leaf, (whole) => ({ raw: text(whole) }))
      if (!isJson(raw)) t.is(status, 400, about)
      else if (status === invalid && !isOwnCode(row, codeIn(body))) {
        const wrong = Object.keys(fieldsIn(body))
        const own = wrong.filter(isOwn(leaf))
        // Otherwise the number is valid, and other fields of its object are missing.
        if (own.length > 0 || wrong.length === 0)
          t.true(
            own.length === 1 && (hostile.errorNames?.(row, leaf.name) ?? [leaf.name]).includes(own[0] ?? ''),
            about,
          )
        else t.true(leaf.path.length > 1, about)
      }
      // An unknown id.
      else if (status === 404 && references.names.test(leaf.name)) t.pass()
      else if (hostile.excuses?.(row, { status, body })) t.pass()
      // A failure of the row: an amount above the balance.
      else if ([400, 409, 422].includes(status) && isOwnCode(row, codeIn(body))) t.pass()
      else {
        t.true(status < 300, `${about}: ${status}`)
        const value: number = JSON.parse(raw)
        const read = leaf.codec?.read(value)
        // A field of an object is stored as it is, or in cents.
        const may = read && !isLeft(read) ? [read.right] : [value + 0, Math.round(value * 100)]
        t.true(
          may.every((kept) => [value + 0, value * 100].includes(Number(kept))),
          about,
        )
        const kept = await Promise.all(may.map((each) => keeps(api, body, each)))
        // If nothing is stored, the answer contains the number as it was sent.
        const isThere = kept.includes(true) || scalarsIn(body).includes(value + 0)
        t.true(isThere || together(body, leaf) === Math.round(value * 100), about)
      }
    }
  })
}

const takesUtf8 = <A extends RowsApi>(row: AnyRow, { open, prepare, withFreshValues: anew }: RowsSuite<A>): void => {
  const leaf = bodyLeaves(row).find((each) => isPlain(each) && each.schema.maxLength !== 3)
  if (!leaf || !takesJson(row)) return
  test.serial(`${row.name} rejects text that is not UTF-8`, async (t) => {
    const api = await open(t)
    const place = placeOf(row)
    const sent = await prepare(api, place)
    const ask = (type: string, encode: (text: string) => Buffer) => {
      const raw = encode(JSON.stringify(withAt(anew(row, sent.body), leaf.path, 'José')))
      return askAt(api, place, sent, { raw, headers: { 'content-type': type } })
    }
    const latin1 = (text: string) => Buffer.from(text, 'latin1')
    t.is((await ask('application/json', latin1)).status, 400)
    t.is((await ask('application/json; charset=utf-8', latin1)).status, 400)
    t.is((await ask('application/json; charset=iso-8859-1', latin1)).status, 415)
    t.is((await ask('application/json; charset=utf-16le', (text) => Buffer.from(text, 'utf16le'))).status, 415)
    t.true((await ask('application/json; charset="UTF-8"', Buffer.from)).status !== 415)
  })
}

const MOST_SHOWN = 2_000

/** An answer, with the request and the answer as text for messages of failed tests. */
interface Asked extends Reply {
  readonly exchange: string
}

/** Reports whether a failure has a code of the row's own. */
const isOwnCode = ({ errors = {} }: AnyRow, code: unknown): boolean => Object.hasOwn(errors, `${code}`)

/**
 * Returns a function that calls a row with values of a field. If the row fails with a code of its own, the fixture is
 * run again and the request repeated, since an earlier request may have used up the record.
 */
const repeatedRequests = async <A extends RowsApi>(
  { prepare, withFreshValues: anew, wording }: RowsSuite<A>,
  api: A,
  row: AnyRow,
): Promise<(leaf: Leaf, other: (body: Fields) => { readonly body: Fields } | RequestChanges) => Promise<Asked>> => {
  const place = placeOf(row)
  let sent = await prepare(api, place)
  return async (leaf, other) => {
    const ask = async (): Promise<Asked> => {
      const otherwise = other(anew(row, sent.body, leaf.name))
      const reply =
        'body' in otherwise
          ? await askAt(api, place, { ...sent, ...otherwise })
          : await askAt(api, place, sent, otherwise)
      return {
        ...reply,
        exchange: `${JSON.stringify(otherwise)} => ${reply.status} ${reply.text}`.slice(0, MOST_SHOWN),
      }
    }
    const reply = await ask()
    if (!isOwnCode(row, wording.codeIn(reply.body))) return reply
    sent = await prepare(api, place)
    return ask()
  }
}
