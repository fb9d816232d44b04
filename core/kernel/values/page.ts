/** One page of a list, counted from 1. */
export interface Page {
  readonly page: number
  readonly perPage: number
}

/** What a list says about its pages, under the names of the specification. */
export interface PageMeta {
  readonly current_page: number
  readonly per_page: number
  readonly total: number
  readonly last_page: number
}

/** The meta of a page of `total` records; an empty list has one page. Source: decisions.md §2. */
export const pageMeta = ({ page, perPage, total }: Page & { readonly total: number }): PageMeta => ({
  current_page: page,
  per_page: perPage,
  total,
  last_page: Math.max(1, Math.ceil(total / perPage)),
})

/** Records before the page. */
export const offsetOf = ({ page, perPage }: Page): number => (page - 1) * perPage

/** A page where one was asked for, else everything, read while it is walked. */
export type Listing<R> = PageOf<R> | { readonly all: AsyncIterable<R> }

export interface PageOf<R> extends Page {
  readonly records: readonly R[]
  readonly total: number
}
