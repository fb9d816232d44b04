import { PARAMETERS, unescapePath } from '../../../apps/http/routing.ts'
import { type AnyRow, bodyRuleOf } from '../../../apps/http/rows/row.ts'
import type { Given, RowsApi } from './api-under-test.ts'

/** One method on one of the paths of a row. */
export interface Place {
  readonly row: AnyRow
  readonly method: string
  readonly path: string
}

export const placesOf = (row: AnyRow): readonly Place[] =>
  row.paths.flatMap((path) => row.methods.map((method) => ({ row, method, path })))

/** A row at its first place, for what does not depend on the alias. */
export const placeOf = (row: AnyRow): Place => ({ row, method: row.methods[0] ?? 'GET', path: row.paths[0] ?? '/' })

/** With which a row refuses what its text says it refuses so. */
export const ownStatuses = ({ errors = {} }: AnyRow): readonly number[] =>
  Object.values(errors).flatMap(({ status }) => status ?? [])

type Fields = Readonly<Record<string, unknown>>

/** The request of a row's example, with what a fixture made in the place of its ids. */
export interface Prepared {
  readonly token?: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Of a row that takes a table: `{ csv }`. */
  readonly body?: Fields
}

/** What a row's example asks, of what its fixture made. Throws where that supplies no token to a closed row. */
export const preparedOf = (row: AnyRow, made: Given): Prepared => {
  if (row.auth !== 'public' && !made.token) throw new Error(`row ${row.name}: its fixture supplies no token`)
  const { params = {}, query = {}, body } = row.example.request ?? {}
  return {
    ...(row.auth === 'public' || made.token === undefined ? {} : { token: made.token }),
    params: { ...params, ...made.params },
    query: withValues(query, made.query),
    ...(body === undefined
      ? {}
      : { body: takesCsv(row) ? withCells(`${body}`, made.body) : withValues(body as Fields, made.body) }),
  }
}

/** Only what an example names is replaced: a fixture serves many rows. */
const withValues = <A>(example: Readonly<Record<string, A>>, made: Readonly<Record<string, A>> = {}) =>
  Object.fromEntries(
    Object.entries(example).map(([key, value]) => [key, Object.hasOwn(made, key) ? made[key] : value]),
  ) as Record<string, A>

/** The same of a table whose cells have no quotes. */
const withCells = (example: string, made: Fields = {}): Fields => {
  const separator = example.includes(';') ? ';' : ','
  const [titles = [], ...lines] = example.split('\n').map((line) => line.split(separator))
  const filled = lines.map((cells) =>
    cells.map((cell, at) => (Object.hasOwn(made, titles[at] ?? '') ? made[titles[at] ?? ''] : cell)),
  )
  return { csv: [titles, ...filled].map((cells) => cells.join(separator)).join('\n') }
}

/** `/invoices/:id` with its parameters, and the query. */
export const targetOf = ({ path }: Place, { params, query }: Pick<Prepared, 'params' | 'query'>): string => {
  const filled = path.replace(PARAMETERS, (_slot, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`nothing supplies ${name} of ${path}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams(query).toString()
  return search === '' ? unescapePath(filled) : `${unescapePath(filled)}?${search}`
}

/** In what a request differs from its row's example. */
export interface RequestChanges {
  readonly headers?: Readonly<Record<string, string>>
  /** Beside the query: `&page=0`. */
  readonly more?: string
  /** In the place of the body. */
  readonly raw?: string | Uint8Array
}

export const headersOf = ({ token }: Pick<Prepared, 'token'>): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
})

/** A target with something more in its query. */
export const withQuery = (target: string, more: string): string =>
  more === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${more}`

/** Asks what a row's example asks, or something a little different. */
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

/** A picture of one dot. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const FORM = 'application/x-www-form-urlencoded'

const kindsOf = (row: AnyRow) => bodyRuleOf(row)?.kinds ?? ['json']

/** Whether a row takes JSON: what is no JSON at all can be tried only there. */
export const takesJson = (row: AnyRow): boolean => kindsOf(row).includes('json')

/** Whether a row takes a table, which is one text. */
export const takesCsv = (row: AnyRow): boolean => kindsOf(row).includes('csv')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const textsOf = (body: Fields) => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, textOf(value)]))

const partOf = (row: AnyRow, name: string, value: unknown): readonly (string | Uint8Array)[] => {
  const isFile = row.input.body?.fields[name]?.schema.format === 'binary' && `${value}`.endsWith('.png')
  const file = isFile ? `; filename="${value}"\r\nContent-Type: image/png` : ''
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
  return [head, isFile ? DOT : textOf(value), '\r\n']
}

/** A body as its row takes it. A form has no null: what is null is not in it. */
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
