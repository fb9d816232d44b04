import type { Page } from './page.ts'

/** A page where one was asked for, else everything, read while it is walked. */
export type Listing<R> = PageOf<R> | { readonly all: AsyncIterable<R> }

export interface PageOf<R> extends Page {
  readonly records: readonly R[]
  readonly total: number
}
