import test from 'ava'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { isLeft } from '../../../../core/fp.ts'
import { shareOf, some } from '../../../size.ts'
import type { TestApi } from '../../payments/test-api.ts'
import { anew, ownStatuses } from '../anew.ts'
import { dumpOf } from '../dump.ts'
import { takesJson } from '../encoding.ts'
import { bodyLeaves, type Leaf, typesOf, withAt } from '../fields.ts'
import { openRows } from '../open-rows.ts'
import { askAt, type Prepared, placeOf, prepare, rows } from '../places.ts'
import { NUMBERS, TEXTS, UNSTORABLE } from './strange.ts'

/** What `npm test` asks of each kind in all, whatever the number of rows. */
const REQUESTS = 400

const inputs = rows.filter(({ input }) => input.body)
const each = shareOf(REQUESTS, inputs.length)

/** All texts and numbers in a value, those in JSON texts too. */
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

const keeps = async (api: TestApi, answered: unknown, kept: unknown): Promise<boolean> => {
  if (scalarsIn(answered).includes(kept)) return true
  const dump = await dumpOf(api)
  return [...dump.values()].some((record) => scalarsIn(JSON.parse(record)).includes(kept))
}

const isPlain = ({ codec, schema }: Leaf) => codec !== null && /\btext$/.test(codec.name) && !schema.pattern

/** A plain text as it must be kept: trimmed, line ends as line feeds, NFC, and not otherwise touched. */
const clean = (text: string) => text.trim().replaceAll('\r\n', '\n').normalize('NFC')

const CONTROL = /[^\P{Cc}\t\n]/u
/** What a name may not hold besides: it stands in one line, in the order it is written. */
const NOT_IN_LINE = /[\n\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const isLine = ({ codec }: Leaf) => codec !== null && /\bline of text$/.test(codec.name)
const mustRefuse = (leaf: Leaf, text: string) =>
  UNSTORABLE.test(text) || CONTROL.test(clean(text)) || (isLine(leaf) && NOT_IN_LINE.test(clean(text)))

const isSecret = ({ schema }: Leaf) => schema.format === 'password'
const isText = ({ schema }: Leaf) => typesOf(schema).includes('string')
/** Free-form JSON. */
const isFree = ({ schema, codec }: Leaf) => codec !== null && !schema.properties && typesOf(schema).includes('object')

/** A body with a text in one field, in every secret of it at once, or as key and value of free-form JSON. */
const withText = (row: AnyRow, body: Prepared['body'], leaf: Leaf, leaves: readonly Leaf[], text: string) => {
  if (isFree(leaf)) return withAt(anew(row, body), leaf.path, { [`k${text}`]: text })
  const paths = isSecret(leaf) ? leaves.filter(isSecret).map(({ path }) => path) : [leaf.path]
  return paths.reduce((whole, path) => withAt(whole, path, text), anew(row, body))
}

/** What a field, or the object that it is within, reads a text as; the text where that object lacks what it requires. */
const readAs = ({ root, path: [, ...inner] }: Leaf, text: string): unknown => {
  const read = root.read(inner.length === 0 ? text : withAt({}, inner, text))
  if (isLeft(read)) return clean(text)
  return inner.reduce(
    (value: unknown, key) => (value as Readonly<Record<string, unknown>>)[key],
    root.encode(read.right),
  )
}

/** Every text for a field, and for a plain one the longest in code points and one more. */
const textsFor = (leaf: Leaf) => {
  const { maxLength } = leaf.schema
  const ends = isPlain(leaf) && typeof maxLength === 'number' ? [maxLength, maxLength + 1] : []
  return [...Object.values(TEXTS), ...ends.map((length) => '𝓐'.repeat(length))].map((text) => ({ leaf, text }))
}

for (const [salt, row] of inputs.entries()) {
  const leaves = bodyLeaves(row)
  const cases = leaves.filter((leaf) => isText(leaf) || isFree(leaf)).flatMap(textsFor)
  if (cases.length === 0) continue
  test.serial(`${row.name} refuses a strange text by its field's name, or keeps it as it is`, async (t) => {
    const api = await openRows(t, 'file')
    const place = placeOf(row)
    const sent = await prepare(api, place)
    for (const { leaf, text } of some(cases, each, salt)) {
      const about = `${leaf.name}: ${JSON.stringify(text).slice(0, 80)}`
      const { status, body } = await askAt(api, place, { ...sent, body: withText(row, sent.body, leaf, leaves, text) })
      const isLong = typeof leaf.schema.maxLength === 'number' && [...clean(text)].length > leaf.schema.maxLength
      const isWrong =
        (isPlain(leaf) && (mustRefuse(leaf, text) || isLong)) || (!isSecret(leaf) && UNSTORABLE.test(text))
      const read = leaf.codec?.read(isFree(leaf) ? { [`k${text}`]: text } : text)
      if (read && (isPlain(leaf) || isFree(leaf))) t.is(isLeft(read), isWrong, about)
      if (isWrong) t.is(status, 422, `${about}: ${status}`)
      // The text has an answer of 200 that says it is none.
      if (status >= 300 || body?.success === false) {
        t.true([401, 403, 404, 422, ...ownStatuses(row)].includes(status), `${about}: ${status}`)
        const named = Object.keys(body.errors ?? {})
        const own = isSecret(leaf) ? leaves.filter(isSecret).map(({ name }) => name) : [leaf.name]
        // What stands in an object that is otherwise empty may be fine, and the rest be missing.
        if (isWrong || (status === 422 && leaf.codec))
          t.true(
            own.some((name) => named.includes(name)),
            about,
          )
      } else if (!isSecret(leaf)) {
        const kept = isFree(leaf) ? text.normalize('NFC') : isPlain(leaf) ? clean(text) : readAs(leaf, text)
        t.true(await keeps(api, body, kept), about)
      }
    }
  })
}

/** What is wrong with the field itself: an object that holds nothing else may lack what it requires. */
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

for (const [salt, row] of inputs.entries()) {
  if (!takesJson(row)) continue
  const cases = bodyLeaves(row)
    .filter(({ schema }) => typesOf(schema).includes('number'))
    .flatMap((leaf) => NUMBERS.map((raw) => ({ leaf, raw })))
  if (cases.length === 0) continue
  test.serial(`${row.name} refuses a strange number by its field's name, or keeps it to the cent`, async (t) => {
    const api = await openRows(t, 'file')
    const place = placeOf(row)
    const sent = await prepare(api, place)
    for (const { leaf, raw } of some(cases, each, salt)) {
      const about = `${leaf.name}: ${raw.slice(0, 80)}`
      const text = JSON.stringify(withAt(anew(row, sent.body), leaf.path, '@')).replace('"@"', raw)
      const { status, body } = await askAt(api, place, sent, { raw: text })
      if (!isJson(raw)) t.is(status, 400, about)
      else if (status === 422) {
        const wrong = Object.keys(body.errors)
        const own = wrong.filter(isOwn(leaf))
        // Taken by itself, in an object that lacks something else.
        if (own.length > 0 || wrong.length === 0) t.deepEqual(own, [leaf.name], about)
        else t.true(leaf.path.length > 1, about)
      }
      // An id that nothing has.
      else if (status === 404 && leaf.name.endsWith('_id')) t.pass()
      else {
        t.true(status < 300, `${about}: ${status}`)
        const value: number = JSON.parse(raw)
        const read = leaf.codec?.read(value)
        // Of a field within another only what it becomes can be seen: itself, or cents.
        const may = read && !isLeft(read) ? [read.right] : [value + 0, Math.round(value * 100)]
        t.true(
          may.every((kept) => [value + 0, value * 100].includes(Number(kept))),
          about,
        )
        const kept = await Promise.all(may.map((each) => keeps(api, body, each)))
        t.true(kept.includes(true), about)
      }
    }
  })
}

for (const row of inputs) {
  const leaf = bodyLeaves(row).find((each) => isPlain(each) && each.schema.maxLength !== 3)
  if (!leaf || !takesJson(row)) continue
  test.serial(`${row.name} takes bytes that are no UTF-8 for no text`, async (t) => {
    const api = await openRows(t)
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

test.serial('an e-mail is one e-mail, however its letters are written', async (t) => {
  const api = await openRows(t, 'file')
  const register = (email: string) =>
    api.ask('POST', '/v1/auth/register', {
      body: { name: 'José', email, password: 'correto e longo', password_confirmation: 'correto e longo' },
    })
  t.is((await register('Jos\u00e9.\u0130@example.com')).status, 201)
  for (const same of [
    'jose\u0301.\u0130@example.com',
    'JOS\u00c9.i\u0307@EXAMPLE.com',
    'JOSE\u0301.\u0130@example.COM ',
  ]) {
    const { status, body } = await register(same)
    t.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['email']], same)
  }
})
