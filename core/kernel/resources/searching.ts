import { any, contains, type Where } from '../records/where.ts'
import { documentIn, normalizeTaxId } from '../values/tax-id.ts'
import { fold } from '../values/text.ts'

/** A document, phone or postcode with its marks, or a part of one. */
const MARKED = /^[\d.\-‐-―/()+\s]*\d[\d.\-‐-―/()+\s]*$/

/** The groups of `12.ABC.345/01DE-35`, and the mark that follows each. */
const GROUPS = [
  [2, '\\.'],
  [3, '\\.'],
  [3, '/'],
  [4, '-'],
  [2, ''],
] as const
const CHARACTER = '[\\dA-Z]'

/** A part of a CNPJ with letters that holds one of its marks: the groups between are whole, the ends may be cut. */
const LETTERED = new RegExp(
  `^(?=.*\\d)(?:${GROUPS.flatMap(([size, mark], first) =>
    GROUPS.slice(first + 1).map(([lastSize], more) => {
      const between = GROUPS.slice(first + 1, first + 1 + more).map(([whole, next]) => `${CHARACTER}{${whole}}${next}`)
      return `${CHARACTER}{1,${size}}${mark}${between.join('')}${CHARACTER}{0,${lastSize}}`
    }),
  ).join('|')})$`,
  'i',
)

const isMarked = (text: string): boolean => MARKED.test(text) || LETTERED.test(text) || documentIn(text) !== null

/** The texts that a search looks for, folded: the text and, if it may be of a document, the same without marks. */
export const searchTexts = (text: string): readonly string[] => {
  const bare = isMarked(text) ? normalizeTaxId(text) : text
  return [...new Set([fold(text), fold(bare)])]
}

/**
 * The records whose folded field contains a text. Documents are stored without marks, and found with marks or without, whole
 * or in part; so are phones and postcodes.
 */
export const searchIn = <F extends string>(field: F, text: string): Where<F> => {
  const parts = searchTexts(text).map((each) => contains(field, each))
  const [only] = parts
  // One text is a plain `contains`.
  return only !== undefined && parts.length === 1 ? only : any(...parts)
}
