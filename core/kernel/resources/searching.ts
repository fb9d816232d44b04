import { documentIn, normalizeTaxId } from '../values/tax-id.ts'
import type { ResourceFilter } from './scope.ts'

/** A document, phone or postcode with its marks, as people write one. */
const MARKED = /^[\d.\-/() ]*\d[\d.\-/() ]*$/
/** A CNPJ with letters, or its beginning: from the second point on it is nothing else. */
const LETTERED =
  /^[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{1,3}(?:(?<=\.[\dA-Z]{3})\/[\dA-Z]{0,4}(?:(?<=\/[\dA-Z]{4})-\d{0,2})?)?$/i

const isMarked = (text: string): boolean => MARKED.test(text) || LETTERED.test(text) || documentIn(text) !== null

/**
 * A search of a list in which documents and postcodes are: one that may be for such a text also finds it without its marks.
 * Source: decisions.md §10, Edges, and §12, Validation.
 */
export const searching = <F extends Pick<ResourceFilter, 'search'>>(filter: F): F => {
  const texts = [filter.search ?? []].flat()
  const bare = texts.filter(isMarked).map(normalizeTaxId)
  return bare.length === 0 ? filter : { ...filter, search: [...new Set([...texts, ...bare])] }
}
