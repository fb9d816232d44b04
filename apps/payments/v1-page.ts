import type { Page } from '../../core/kernel/values/page.ts'
import type { HttpRequest } from '../http/request.ts'

/** The page that was asked for; null where neither key was sent, which asks for everything. Source: decisions.md §12, v1 lists. */
export const requestedPage = ({ query: sent }: Pick<HttpRequest, 'query'>, page: Page): Page | null =>
  sent.page === undefined && sent.per_page === undefined ? null : page
