import { PARAMETERS, unescapePath } from '../../../apps/http/routing.ts'
import { type AnyRow, bodyRuleOf } from '../../../apps/http/rows/row.ts'
import type { Given, RowsApi } from './api-under-test.ts'

/** A row with one of its methods and paths. */
export interface Place {
  readonly row: AnyRow
  readonly method: string
  readonly path: string
}

export const placesOf = (row: AnyRow): readonly Place[] =>
  row.paths.flatMap((path) => row.methods.map((method) => ({ row, method, path })))

/** Returns a row with its first method and path, for tests that do not depend on the alias. */
export const placeOf = (row: AnyRow): Place => ({ row, method: row.methods[0] ?? 'GET', path: row.paths[0] ?? '/' })

/** Returns the statuses of a row's own failures. */
export const ownStatuses = ({ errors = {} }: AnyRow): readonly number[] =>
  Object.values(errors).flatMap(({ status }) => status ?? [])

type Fields = Readonly<Record<string, unknown>>

/** The request of a row's example, with the values of its fixture. */
export interface Prepared {
  readonly token?: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** `{ csv }` for a row that takes CSV. */
  readonly body?: Fields
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the request of a row's example. Throws if the fixture returns no token for a row with authentication. */
export const preparedOf = (row: AnyRow, made: Given): Prepared => {
  if (row.auth !== 'public' && !made.token) throw new Error(`row ${row.name}: its fixture returns no token`)
  const { params = {}, query = {}, body } = row.example.request ?? {}
  return {
    ...(row.auth === 'public' || made.token === undefined ? {} : { token: made.token }),
    ...(made.headers && { headers: made.headers }),
    params: { ...params, ...made.params },
    query: withValues(query, made.query),
    ...(body === undefined
      ? {}
      : { body: takesCsv(row) ? withCells(`${body}`, made.body) : withValues(body as Fields, made.body) }),
  }
}

/** Replaces only values that the example has: a fixture is used by many rows. */
const withValues = <A>(example: Readonly<Record<string, A>>, made: Readonly<Record<string, A>> = {}) =>
  Object.fromEntries(
    Object.entries(example).map(([key, value]) => [key, Object.hasOwn(made, key) ? made[key] : value]),
  ) as Record<string, A>

/** Replaces values in a CSV without quotes. */
const withCells = (example: string, made: Fields = {}): Fields => {
  const separator = example.includes(';') ? ';' : ','
  const [titles = [], ...lines] = example.split('\n').map((line) => line.split(separator))
  const filled = lines.map((cells) =>
    cells.map((cell, at) => (Object.hasOwn(made, titles[at] ?? '') ? made[titles[at] ?? ''] : cell)),
  )
  return { csv: [titles, ...filled].map((cells) => cells.join(separator)).join('\n') }
}

/** Returns the path with its parameters and the query. */
export const targetOf = ({ path }: Place, { params, query }: Pick<Prepared, 'params' | 'query'>): string => {
  const filled = path.replace(PARAMETERS, (_slot, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`no value for ${name} of ${path}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams(query).toString()
  return search === '' ? unescapePath(filled) : `${unescapePath(filled)}?${search}`
}

/** The differences of a request from its row's example. */
export interface RequestChanges {
  readonly headers?: Readonly<Record<string, string>>
  /** Appended to the query: `page=0`. */
  readonly more?: string
  /** Replaces the body. */
  readonly raw?: string | Uint8Array
}

export const headersOf = ({
  token,
  headers,
}: Pick<Prepared, 'token' | 'headers'>): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  ...headers,
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
})

export const withQuery = (target: string, more: string): string =>
  more === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${more}`

/** Sends the request of a row's example, with changes. */
export const askAt = (
  { wire }: Pick<RowsApi, 'wire'>,
  place: Place,
  sent: Prepared,
  { headers, more = '', raw }: RequestChanges = {},
) => {
  const encoded = raw === undefined && sent.body !== undefined ? encodeBody(place.row, sent.body) : null
  return wire({
    method: place.method,
    target: withQuery(targetOf(place, sent), more),
    headers: { ...headersOf(sent), ...(encoded ? { 'content-type': encoded.type } : {}), ...headers },
    body: raw ?? encoded?.body ?? '',
  })
}

interface Encoded {
  readonly type: string
  readonly body: string | Uint8Array
}

const BOUNDARY = 'a-boundary-of-the-tests'

/** An image of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const FORM = 'application/x-www-form-urlencoded'

const kindsOf = (row: AnyRow) => bodyRuleOf(row)?.kinds ?? ['json']

export const takesJson = (row: AnyRow): boolean => kindsOf(row).includes('json')

const takesCsv = (row: AnyRow): boolean => kindsOf(row).includes('csv')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const textsOf = (body: Fields) => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, textOf(value)]))

const partOf = (row: AnyRow, name: string, value: unknown): readonly (string | Uint8Array)[] => {
  const isFile = row.input.body?.fields[name]?.schema.format === 'binary' && `${value}`.endsWith('.png')
  const file = isFile ? `; filename="${value}"\r\nContent-Type: image/png` : ''
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
  return [head, isFile ? PIXEL : textOf(value), '\r\n']
}

/** Encodes a body as its row takes it. Null fields are omitted from a form. */
export const encodeBody = (row: AnyRow, body: Fields): Encoded => {
  if (takesCsv(row)) return { type: 'text/csv', body: textOf(body.csv) }
  if (takesJson(row)) return { type: 'application/json', body: JSON.stringify(body) }
  if (kindsOf(row).includes('form')) return { type: FORM, body: new URLSearchParams(textsOf(body)).toString() }
  const parts = Object.entries(body).filter(([, value]) => value !== null && value !== undefined)
  const pieces = [...parts.flatMap(([name, value]) => partOf(row, name, value)), `--${BOUNDARY}--\r\n`]
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.concat(pieces.map((piece) => Buffer.from(piece))),
  }
}
