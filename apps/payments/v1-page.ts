import { inQuery, query } from '../../core/kernel/input/query.ts'
import type { Page } from '../../core/kernel/values/page.ts'
import type { HttpRequest } from '../http/request/http-request.ts'

/** The page of a v1 list. Source: decisions.md §12, v1 lists. */
export const v1Page = query({ page: inQuery.page(), per_page: inQuery.perPage() })

/** The page that was asked for; null where neither key was sent, which asks for everything. */
export const requestedPage = (
  { query: sent }: Pick<HttpRequest, 'query'>,
  { page, per_page: perPage }: { readonly page: number; readonly per_page: number },
): Page | null => (sent.page === undefined && sent.per_page === undefined ? null : { page, perPage })
