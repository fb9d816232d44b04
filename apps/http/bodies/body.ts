import { failure, refusal } from '../../../core/failure.ts'
import { type Either, isLeft, left, right } from '../../../core/fp.ts'
import type { JsonSchema } from '../../../core/kernel/input/field.ts'
import type { ServerFailure } from '../replies/messages.ts'
import type { Context } from '../request.ts'
import { csvReader } from './csv.ts'
import { nestFields, parseForm, parseMultipart, toSchemaTypes } from './forms.ts'
import { malformedJson, parseJson } from './json.ts'
import { decodeUtf8, TOO_LARGE, wholeReader } from './whole.ts'

/** A form is what a page posts without any script: `application/x-www-form-urlencoded`. A CSV is one text. */
export type BodyKind = 'json' | 'multipart' | 'form' | 'csv'

export interface BodyRule {
  readonly kinds: readonly BodyKind[]
  /** In bytes, where they are not the usual ones. */
  readonly limits?: Partial<Readonly<Record<BodyKind, number>>>
}

/** A JSON body. Source: decisions.md §2. */
export const JSON_LIMIT_BYTES = 1_048_576
/** A multipart body with all its files: two images of 2 MB and their fields. */
export const MULTIPART_LIMIT_BYTES = 5 * 1_048_576
/** What a page of ours posts: a few fields. */
export const FORM_LIMIT_BYTES = 65_536
/** A table of 10,000 lines, of a kilobyte each. */
export const CSV_LIMIT_BYTES = 10 * 1_048_576

export type ReadBody = (ctx: Context) => Promise<Either<ServerFailure, unknown>>

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const CSV = 'text/csv'
const TYPES: Readonly<Record<BodyKind, readonly string[]>> = {
  json: ['json', '+json'],
  multipart: [MULTIPART],
  form: [FORM],
  csv: [CSV],
}
/** The types that callers are told to send. */
export const MEDIA: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  multipart: MULTIPART,
  form: FORM,
  csv: CSV,
}
/** What `ctx.is` says of a type that is not JSON. */
const KINDS = new Map<string, BodyKind>([
  [MULTIPART, 'multipart'],
  [FORM, 'form'],
  [CSV, 'csv'],
])

const USUAL_LIMITS: Readonly<Record<BodyKind, number>> = {
  json: JSON_LIMIT_BYTES,
  multipart: MULTIPART_LIMIT_BYTES,
  form: FORM_LIMIT_BYTES,
  csv: CSV_LIMIT_BYTES,
}

/** The charset that a request may name: JSON has no other, and a CSV is Windows-1252 where it is no UTF-8. */
const UTF_8 = /^(utf-?8)?$/i
const NOT_UTF_8 = malformedJson('O corpo deve estar em UTF-8')
const OF_CSV = /^(utf-?8|windows-1252|cp1252|iso-8859-1|latin1)?$/i
const MALFORMED_FORM = left(failure('refused', 'form.malformed'))
const COMPRESSED = left(failure('refused', 'body.compressed'))
const NO_BODY = right(null)

/**
 * Reads a body of these kinds: the object that was sent, of a CSV a `CsvText`, or null where nothing was.
 * Fails: `body.compressed`, `body.unsupported`, `body.too-large`, `json.malformed`, `form.malformed`, `csv.malformed`.
 */
export const bodyReader = (
  { kinds, limits = {} }: BodyRule,
  /** What the body is to be: a form says everything in texts. */
  schema: JsonSchema = {},
): ReadBody => {
  const limitOf: Readonly<Record<BodyKind, number>> = { ...USUAL_LIMITS, ...limits }
  const take: Readonly<Record<BodyKind, ReadBody>> = {
    json: textReader(TYPES.json, limitOf.json, NOT_UTF_8, parseJson),
    multipart: multipartReader(limitOf.multipart, schema),
    form: textReader(TYPES.form, limitOf.form, MALFORMED_FORM, (text) => {
      const form = parseForm(text)
      return form ? right(form) : MALFORMED_FORM
    }),
    csv: csvReader(limitOf.csv),
  }
  const types = kinds.flatMap((kind) => TYPES[kind])
  const unsupported = left(refusal('body.unsupported', kinds.map((kind) => MEDIA[kind]).join(' ou ')))
  return async (ctx) => {
    const { headers } = ctx.req
    const length = Number(headers['content-length'] ?? 0)
    if (length === 0 && headers['transfer-encoding'] === undefined) return NO_BODY
    // Inflating is never done: a megabyte may hold a gigabyte.
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') return COMPRESSED
    // A body in pieces, of which nobody says what it is, may come to nothing.
    if (length === 0 && headers['content-type'] === undefined) return isEmpty(ctx, unsupported)
    const type = ctx.is(types)
    if (!type) return unsupported
    const kind = KINDS.get(type) ?? 'json'
    if (!(kind === 'csv' ? OF_CSV : UTF_8).test(ctx.request.charset)) return unsupported
    if (length > limitOf[kind]) return TOO_LARGE
    return take[kind](ctx)
  }
}

/** Reads no further than a first byte: what else comes stays unread, as where a body is refused. */
const isEmpty = ({ req }: Context, otherwise: Either<ServerFailure, never>): ReturnType<ReadBody> =>
  new Promise((resolve) => {
    // What closed it is told to nobody who comes later.
    if (req.destroyed) resolve(otherwise)
    req.once('data', () => {
      req.pause()
      resolve(otherwise)
    })
    req.once('end', () => resolve(NO_BODY))
    // The sender broke off: nobody waits for the answer.
    req.once('close', () => resolve(otherwise))
  })

// Read as bytes and parsed here: a key named `__proto__` is no reason to refuse what nobody looks at.
const bytesReader = (
  types: readonly string[],
  limitBytes: number,
  malformed: Either<ServerFailure, never>,
  parsed: (bytes: Buffer, ctx: Context) => Either<ServerFailure, unknown>,
): ReadBody => {
  const read = wholeReader(types, limitBytes, malformed)
  return async (ctx) => {
    const got = await read(ctx)
    if (isLeft(got)) return got
    return got.right.length === 0 ? NO_BODY : parsed(got.right, ctx)
  }
}

const textReader = (
  types: readonly string[],
  limitBytes: number,
  malformed: Either<ServerFailure, never>,
  parsed: (text: string) => Either<ServerFailure, unknown>,
): ReadBody =>
  bytesReader(types, limitBytes, malformed, (bytes) => {
    const text = decodeUtf8(bytes)
    if (text === null) return malformed
    return text === '' ? NO_BODY : parsed(text)
  })

const multipartReader = (limitBytes: number, schema: JsonSchema): ReadBody =>
  bytesReader(TYPES.multipart, limitBytes, MALFORMED_FORM, (bytes, ctx) => {
    const parts = parseMultipart(bytes, ctx.get('content-type'))
    return parts ? right(toSchemaTypes(schema, nestFields(parts))) : MALFORMED_FORM
  })
