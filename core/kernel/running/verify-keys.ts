import { byId, byKey, type Store } from '../../ports/store.ts'
import { type AnyCollection, at, type Collection, type Rec } from '../records/collection.ts'
import { type Finding, slices } from './finding.ts'

/**
 * Looks for each record by its unique keys. Where a release adds a key, records that were there may give the same text: one
 * holds it, and the others are found by it no more. Told are names and ids, never a text: it may be a document or a name.
 * Source: design, section 3.
 */
export const verifyKeys = async (store: Store, collections: readonly AnyCollection[]): Promise<Finding> => {
  const faults: string[] = []
  let keys = 0
  let texts = 0
  for (const each of collections) {
    // The rows of every collection stand side by side here; each is asked only for its own fields.
    const collection = each as Collection<Rec>
    const names = Object.keys(collection.keys ?? {})
    keys += names.length
    if (names.length === 0) continue
    for await (const slice of slices(store, collection)) {
      const held = slice.flatMap((record) => names.flatMap((key) => textOf(collection, key, record)))
      texts += held.length
      const told = await Promise.all(held.map((one) => faultOf(store, collection, one)))
      faults.push(...told.filter((fault) => fault !== null))
    }
  }
  return { area: 'keys', figures: { keys, texts }, faults }
}

interface Text {
  readonly record: Rec
  readonly key: string
  readonly text: string
}

const textOf = ({ keys = {} }: Collection<Rec>, key: string, record: Rec): readonly Text[] => {
  const text = keys[key]?.(record) ?? null
  return text === null ? [] : [{ record, key, text }]
}

const faultOf = async (
  store: Store,
  collection: Collection<Rec>,
  { record, key, text }: Text,
): Promise<string | null> => {
  const { id } = record
  if ((await store.find(byKey(collection, key, text)))?.id === id) return null
  // It may have changed hands since it was walked by: both are read at one instant before it is told.
  const { now, holder } = await store.read({ now: byId(collection, id), holder: byKey(collection, key, text) })
  const isKept = now !== null && textOf(collection, key, now)[0]?.text === text
  if (!isKept || holder?.id === id) return null
  const place = at(collection, id).join('/')
  if (!holder) return `${place}: no record holds the ${key} that it has: change it, and set it anew`
  return `${place}: the ${key} that it has is held by ${at(collection, holder.id).join('/')}: change or remove one of them`
}
