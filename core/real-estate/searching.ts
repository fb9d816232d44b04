import type { ResourceFilter } from '../kernel/resources/scope.ts'
import { normalizeTaxId } from '../kernel/values/tax-id.ts'

/** A document, phone or postcode with its marks, as people write one. */
const MARKED = /^[\d.\-/() ]*\d[\d.\-/() ]*$/

/**
 * A search as an agency's lists take it: one for a document or postcode also finds it without its marks.
 * Source: decisions.md §10, Edges.
 */
export const searching = <F extends Pick<ResourceFilter, 'search'>>(filter: F): F => {
  const texts = [filter.search ?? []].flat()
  const bare = texts.filter((text) => MARKED.test(text)).map(normalizeTaxId)
  return bare.length === 0 ? filter : { ...filter, search: [...new Set([...texts, ...bare])] }
}
