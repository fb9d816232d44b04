/** One page of a list, counted from 1. */
export interface Page {
  readonly page: number
  readonly perPage: number
}

/** The paging information of a list, with the names of the payments API. */
export interface PageMeta {
  readonly current_page: number
  readonly per_page: number
  readonly total: number
  readonly last_page: number
}

/** Returns the paging information of a page of `total` records; an empty list has one page. */
export const pageMeta = ({ page, perPage, total }: Page & { readonly total: number }): PageMeta => ({
  current_page: page,
  per_page: perPage,
  total,
  last_page: Math.max(1, Math.ceil(total / perPage)),
})

/** Returns the number of records before the page. */
export const offsetOf = ({ page, perPage }: Page): number => (page - 1) * perPage

/** A page if one was requested, else all records, read while they are iterated. */
export type Listing<R> = PageOf<R> | { readonly all: AsyncIterable<R> }

export interface PageOf<R> extends Page {
  readonly records: readonly R[]
  readonly total: number
}
