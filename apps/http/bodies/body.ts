import type { koaBody } from 'koa-body'
import { type Either, failure, left, refusal, right } from '../../../core/failure.ts'
import type { JsonSchema } from '../../../core/kernel/input/mod.ts'
import type { Context } from '../context.ts'
import type { ServerFailure } from '../replies/messages.ts'
import type { BodyKind, BodyRule } from '../request.ts'
import { csvReader, TOO_LARGE } from './csv.ts'
import { decodeUtf8, nestFields, parseForm, parseMultipart, toSchemaTypes } from './forms.ts'
import { malformedJson, parseJson } from './json.ts'

export const JSON_LIMIT_BYTES = 1_048_576
/** A multipart body with all its files: two images of 2 MB and their fields. */
export const MULTIPART_LIMIT_BYTES = 5 * 1_048_576
/** A form of a page: a few fields. */
export const FORM_LIMIT_BYTES = 65_536
/** A table of 10,000 lines, of a kilobyte each. */
const CSV_LIMIT_BYTES = 10 * 1_048_576

const DEFAULT_LIMITS: Readonly<Record<BodyKind, number>> = {
  json: JSON_LIMIT_BYTES,
  multipart: MULTIPART_LIMIT_BYTES,
  form: FORM_LIMIT_BYTES,
  csv: CSV_LIMIT_BYTES,
}

export type ReadBody = (ctx: Context) => Promise<Either<ServerFailure, unknown>>

/** The documented media type of each kind. */
export const MEDIA: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  multipart: 'multipart/form-data',
  form: 'application/x-www-form-urlencoded',
  csv: 'text/csv',
}
/** The accepted types of each kind, for `ctx.is`. */
const TYPES: Readonly<Record<BodyKind, readonly string[]>> = {
  json: ['json', '+json'],
  multipart: [MEDIA.multipart],
  form: [MEDIA.form],
  csv: [MEDIA.csv],
}
/** The kind of a type that `ctx.is` returns; all others are JSON. */
const KINDS = new Map(Object.entries(MEDIA).map(([kind, type]) => [type, kind as BodyKind]))

/** The accepted charsets. A CSV that is not UTF-8 is read as Windows-1252. */
const CHARSETS = /^(utf-?8)?$/i
const CSV_CHARSETS = /^(utf-?8|windows-1252|cp1252|iso-8859-1|latin1)?$/i
const NOT_UTF_8 = malformedJson('O corpo deve estar em UTF-8')
const MALFORMED_FORM = left(failure('refused', 'form.malformed'))
const COMPRESSED = left(failure('refused', 'body.compressed'))
const NO_BODY = right(null)

/**
 * Returns the reader of a body of these kinds. It returns an object, for a CSV a `CsvText`, or null without a body.
 * `schema` is the schema of the object, which gives the values of a form their types. Fails: `body.compressed`,
 * `body.unsupported`, `body.too-large`, `json.malformed`, `form.malformed`, `csv.malformed`.
 */
export const bodyReader = ({ kinds, limits = {} }: BodyRule, schema: JsonSchema = {}): ReadBody => {
  const limitOf: Readonly<Record<BodyKind, number>> = { ...DEFAULT_LIMITS, ...limits }
  const readers: Readonly<Record<BodyKind, ReadBody>> = {
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
    // Never decompressed: a megabyte can expand to a gigabyte.
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') return COMPRESSED
    // A chunked body without a type may be empty.
    if (length === 0 && headers['content-type'] === undefined) return nullIfEmpty(ctx, unsupported)
    const type = ctx.is(types)
    if (!type) return unsupported
    const kind = KINDS.get(type) ?? 'json'
    if (!(kind === 'csv' ? CSV_CHARSETS : CHARSETS).test(ctx.request.charset)) return unsupported
    if (length > limitOf[kind]) return TOO_LARGE
    return readers[kind](ctx)
  }
}

/** Reads at most one chunk: null if the body is empty. */
const nullIfEmpty = ({ req }: Context, otherwise: Either<ServerFailure, never>): ReturnType<ReadBody> =>
  new Promise((resolve) => {
    // A closed stream emits no event to a new listener.
    if (req.destroyed) resolve(otherwise)
    req.once('data', () => {
      req.pause()
      resolve(otherwise)
    })
    req.once('end', () => resolve(NO_BODY))
    // The client broke off.
    req.once('close', () => resolve(otherwise))
  })

const nothing = async () => {}

/** Loaded with the first body: a fifth of the start of a server, and no GET needs it. */
const loadKoaBody = async () => (await import('koa-body')).koaBody

/**
 * Returns the reader of a body of these types, which is parsed as a whole. koa-body only reads the bytes, with a limit
 * that counts each byte in any framing: its JSON parser rejects a key `__proto__`, which no field reads; its form
 * parser, formidable, is chosen by any word of the content type, and limits neither the headers of a part nor the time
 * for them.
 */
const bytesReader = (
  types: readonly string[],
  textLimit: number,
  malformed: Either<ServerFailure, never>,
  parse: (bytes: Buffer, ctx: Context) => Either<ServerFailure, unknown>,
): ReadBody => {
  const asBytes = { encoding: 'binary' as const, textTypes: [...types], textLimit }
  // Created for the first body: koa-body accesses the disk, and an app has hundreds of routes.
  let read: ReturnType<typeof koaBody> | undefined
  return async (ctx) => {
    read ??= (await loadKoaBody())({ json: false, urlencoded: false, multipart: false, ...asBytes, patchKoa: true })
    // A closed stream emits no event to a new listener.
    if (ctx.req.destroyed) return malformed
    try {
      await read(ctx, nothing)
    } catch (error) {
      ctx.req.resume()
      return isTooLarge(error) ? TOO_LARGE : malformed
    }
    const bytes = Buffer.from(`${ctx.request.body}`, 'binary')
    return bytes.length === 0 ? NO_BODY : parse(bytes, ctx)
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof Error && 'status' in error && error.status === 413

const textReader = (
  types: readonly string[],
  limitBytes: number,
  malformed: Either<ServerFailure, never>,
  parse: (text: string) => Either<ServerFailure, unknown>,
): ReadBody =>
  bytesReader(types, limitBytes, malformed, (bytes) => {
    const text = decodeUtf8(bytes)
    if (text === null) return malformed
    return text === '' ? NO_BODY : parse(text)
  })

const multipartReader = (limitBytes: number, schema: JsonSchema): ReadBody =>
  bytesReader(TYPES.multipart, limitBytes, MALFORMED_FORM, (bytes, ctx) => {
    const parts = parseMultipart(bytes, ctx.get('content-type'))
    return parts ? right(toSchemaTypes(schema, nestFields(parts))) : MALFORMED_FORM
  })
