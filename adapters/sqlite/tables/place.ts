import type { Id } from '../../../core/kernel/records/record.ts'
import type { Connection } from '../connection.ts'

/** Returns the last record that background work has processed, so that it can continue after a restart. */
export const placeOf = (connection: Connection, collection: string): Id | null => {
  const last = connection.get('SELECT last FROM _places WHERE collection = ?', collection)?.last
  return typeof last === 'number' || typeof last === 'string' ? last : null
}

export const keepPlace = (connection: Connection, collection: string, last: Id): void =>
  connection.run('INSERT OR REPLACE INTO _places VALUES (?, ?)', collection, last)

export const forgetPlace = (connection: Connection, collection: string): void =>
  connection.run('DELETE FROM _places WHERE collection = ?', collection)
