import type { PageOf } from '../../../../core/kernel/values/page.ts'
import { offsetOf, pageMeta } from '../../../../core/kernel/values/page.ts'
import type { HttpRequest } from '../../../http/request.ts'

/** Where a page of a list is asked for. */
export interface Asked {
  /** The public address of the route, without a query. */
  readonly path: string
  readonly query: HttpRequest['query']
}

/** Of the query those keys alone that the list knows. */
export const askedAt = (
  publicUrl: string,
  { path, query }: Pick<HttpRequest, 'path' | 'query'>,
  known: ReadonlySet<string>,
): Asked => ({
  path: `${publicUrl}${path}`,
  query: Object.fromEntries(Object.entries(query).filter(([key]) => known.has(key))),
})

/** The addresses of a list's pages, with whatever else was asked; and which lines of the list the page shows, from 1. */
export const pageUrls = ({ path, query }: Asked, listed: PageOf<unknown>) => {
  const { page, records } = listed
  const { last_page: last } = pageMeta(listed)
  const at = (number: number): string => `${path}?${queryOf({ ...query, page: `${number}` })}`
  const before = offsetOf(listed)
  return {
    path,
    totalPages: last,
    firstPageUrl: at(1),
    lastPageUrl: at(last),
    nextPageUrl: page < last ? at(page + 1) : null,
    prevPageUrl: page > 1 ? at(page - 1) : null,
    from: records.length > 0 ? before + 1 : null,
    to: records.length > 0 ? before + records.length : null,
  }
}

const queryOf = (query: HttpRequest['query']): string => {
  const wanted = new URLSearchParams()
  for (const [key, sent] of Object.entries(query)) for (const value of [sent ?? []].flat()) wanted.append(key, value)
  return wanted.toString()
}
