import { signal } from '@preact/signals'

/** A view of the panel: `#/cobrancas/12?pagina=2` is `['cobrancas', '12']` with its query. */
export interface Route {
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

const parse = (hash: string): Route => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  return { path: path.split('/').filter((segment) => segment !== ''), query: new URLSearchParams(query) }
}

export const route = signal(parse(location.hash))

addEventListener('hashchange', () => {
  route.value = parse(location.hash)
})

export const goTo = (path: string): void => {
  location.hash = path
}

/** Returns a query without its empty values. */
export const queryOf = (values: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''))

/** Returns the address of a view with its query; empty values are left out. */
export const addressOf = (path: string, query: Readonly<Record<string, string>>): string => {
  const search = queryOf(query)
  return `#${path}${search.size > 0 ? `?${search}` : ''}`
}
