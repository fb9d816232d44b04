import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Connection } from '../connection.ts'
import { type Shape, shapeOf } from '../schema.ts'
import { laidFrom } from './earlier-shape.ts'
import { laidText, releaseOf, versionOf } from './laid.ts'

/** The shapes of the collections, as the file says that they stand. */
export interface CurrentShapes {
  now(): ReadonlyMap<string, Shape>
  /**
   * Looks whether they have changed; within a transaction, so that it sees one instant. Throws where another release has
   * taken the file over: to write on would falsify its tallies and its keys.
   */
  refresh(): void
}

interface Known {
  readonly text: string
  readonly shape: Shape
}

export const currentShapes = (
  connection: Connection,
  collections: readonly AnyCollection[],
  /** Told once. */
  takenOver: () => void,
): CurrentShapes => {
  const releases = new Map(collections.map((collection) => [collection.name, releaseOf(collection)]))
  const known = new Map<string, Known>()
  let shapes: ReadonlyMap<string, Shape> = new Map()
  let version: number | null = null
  let isTold = false

  const shapeNow = (collection: AnyCollection): Shape => {
    const text = laidText(connection, collection.name)
    const before = known.get(collection.name)
    if (before && before.text === text) return before.shape
    const laid = text === null ? null : laidFrom(collection, text)
    if (text === null || laid === null || laid.release !== releases.get(collection.name)) {
      if (!isTold) takenOver()
      isTold = true
      throw new StoreUnavailable('another release of the program has taken the file over')
    }
    const shape = shapeOf(collection, laid)
    known.set(collection.name, { text, shape })
    return shape
  }

  return {
    now: () => shapes,
    refresh: () => {
      const found = versionOf(connection)
      if (found === version) return
      shapes = new Map(collections.map((collection) => [collection.name, shapeNow(collection)]))
      version = found
    },
  }
}
