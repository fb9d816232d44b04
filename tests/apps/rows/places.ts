import type { FakeBankConsole } from '../../../adapters/bank/fake/console.ts'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { fakeBankRows } from '../../../apps/payments/bank/fake-bank.ts'
import { rows as paymentsRows } from '../../../apps/payments/rows.ts'
import { type Given, given } from '../given.ts'
import type { TestApi } from '../payments/test-api.ts'
import { encodedFor } from './encoding.ts'

// Only what the rows say is read here: whoever runs them has a real console.
const console = {} as FakeBankConsole

/** Every row of the payments app, the console of the embedded bank included. */
export const rows: readonly AnyRow[] = [...paymentsRows, ...fakeBankRows(console)]

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

type Fields = Readonly<Record<string, unknown>>

/** The request of a row's example, with what a fixture made in the place of its ids. */
export interface Prepared {
  readonly token?: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body?: Fields
}

/** Makes what the row's example speaks of. Throws where its fixture is unknown, or supplies no token to a closed row. */
export const prepare = async (api: TestApi, { row }: Place): Promise<Prepared> => {
  const name = row.example.given
  const fixture = name === undefined ? async (): Promise<Given> => ({}) : given[name]
  if (!fixture) throw new Error(`row ${row.name}: no fixture is called ${name}`)
  const made = await fixture(api)
  if (row.auth !== 'public' && !made.token) throw new Error(`row ${row.name}: its fixture supplies no token`)
  const { params = {}, query = {}, body } = row.example.request ?? {}
  return {
    ...(row.auth === 'public' || made.token === undefined ? {} : { token: made.token }),
    params: { ...params, ...made.params },
    query: inPlace(query, made.query),
    ...(body === undefined ? {} : { body: inPlace(body as Fields, made.body) }),
  }
}

/** Only what an example names is replaced: a fixture serves many rows. */
const inPlace = <A>(example: Readonly<Record<string, A>>, made: Readonly<Record<string, A>> = {}) =>
  Object.fromEntries(
    Object.entries(example).map(([key, value]) => [key, Object.hasOwn(made, key) ? made[key] : value]),
  ) as Record<string, A>

/** `/invoices/:id` with its parameters, and the query. */
export const targetOf = ({ path }: Place, { params, query }: Pick<Prepared, 'params' | 'query'>): string => {
  const filled = path.replace(/[:*](\w+)/g, (_slot, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`nothing supplies ${name} of ${path}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/** In what a request differs from its row's example. */
export interface Otherwise {
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
export const withMore = (target: string, more: string): string =>
  more === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${more}`

/** Asks what a row's example asks, or something a little different. */
export const askAt = ({ wire }: TestApi, place: Place, sent: Prepared, { headers, more = '', raw }: Otherwise = {}) => {
  const encoded = raw === undefined && sent.body !== undefined ? encodedFor(place.row, sent.body) : null
  return wire({
    method: place.method,
    target: withMore(targetOf(place, sent), more),
    headers: { ...headersOf(sent), ...(encoded ? { 'content-type': encoded.type } : {}), ...headers },
    body: raw ?? encoded?.body ?? '',
  })
}
