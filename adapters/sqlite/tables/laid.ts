import { createHash } from 'node:crypto'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { type StoredShape, storedShape } from '../../../core/kernel/records/stored-shape.ts'
import { namedFields } from '../columns.ts'
import type { Connection } from '../connection.ts'

/** How a collection lies in the file: its row of `_shapes`. */
export interface Laid {
  /** The fields that have a column of their own; any other that is named is computed from the record. */
  readonly columns: readonly string[]
  /** What the release that has the file in hand makes of the collection, as a digest. */
  readonly release: string
  /** What is made of it already. */
  readonly stands: StoredShape
}

/** What 0.3.0 and those before it say that they do not start on. */
const FOR_EARLIER_RELEASES = { ids: 'later-release' }

export const releaseOf = (collection: AnyCollection): string =>
  createHash('sha256')
    .update(JSON.stringify(storedShape(collection)))
    .digest('hex')

/** How a collection lies in a file that is begun with it: all stands that it says. */
export const freshLaid = (collection: AnyCollection): Laid => ({
  columns: namedFields(collection),
  release: releaseOf(collection),
  stands: storedShape(collection),
})

export const laidText = (connection: Connection, collection: string): string | null =>
  connection.get('SELECT shape FROM _shapes WHERE collection = ?', collection)?.shape?.toString() ?? null

export const textOf = (laid: Laid): string => JSON.stringify({ ...FOR_EARLIER_RELEASES, ...laid })

/** Others, and this process too, look at the shapes again once the version has changed. */
export const writeLaid = (connection: Connection, collection: string, laid: Laid): void => {
  connection.run('INSERT OR REPLACE INTO _shapes VALUES (?, ?)', collection, textOf(laid))
  connection.run(`PRAGMA user_version = ${versionOf(connection) + 1}`)
}

export const versionOf = (connection: Connection): number => Number(connection.get('PRAGMA user_version')?.user_version)
