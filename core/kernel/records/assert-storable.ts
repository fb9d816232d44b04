import { isStorable } from '../values/text.ts'
import type { AnyCollection, Id, Rec } from './collection.ts'
import { assertTallies } from './tally.ts'

/**
 * The record as its codec knows it, fit to be written. Throws where it does not decode, changes its id, or holds what
 * no store keeps faithfully: a text that is not NFC or has NUL or a lone surrogate, a number that is not finite.
 */
export const assertStorable = (collection: AnyCollection, id: Id, raw: Rec, before: Rec | null): Rec => {
  const decoded = collection.codec.decode(raw)
  if (decoded._tag === 'Left')
    throw new Error(`${collection.name}/${id} does not decode: ${wrong(decoded.left)}`, { cause: decoded.left })
  const record = decoded.right
  if (record.id !== id) throw new Error(`${collection.name}/${id} cannot become ${record.id}`)
  for (const field in record) {
    // What the patch left alone was vetted when it was written.
    if (before === null || record[field] !== before[field])
      assertStorableJson(record[field], `${collection.name}.${field}`)
  }
  if (collection.tallies) assertTallies(collection, record)
  return record
}

/** The paths of what did not decode, never the values: a message ends in a log. */
const wrong = (errors: unknown): string =>
  Array.isArray(errors) ? [...new Set(errors.map(pathOf))].filter((path) => path !== '').join(', ') : ''

const pathOf = (error: { path?: unknown; context?: readonly { key: string }[] }): string =>
  typeof error.path === 'string' ? error.path : (error.context ?? []).map(({ key }) => key).join('.')

const assertStorableJson = (value: unknown, path: string): void => {
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'string') {
    if (!isStorable(value)) throw new Error(`${path}: a text must be NFC, without NUL or lone surrogates`)
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${path}: ${value} is no JSON`)
  } else if (typeof value === 'object') {
    for (const part of Object.values(value)) assertStorableJson(part, path)
  } else throw new Error(`${path}: ${typeof value} is no JSON`)
}
