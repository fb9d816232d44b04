import type { Id } from '../../../core/kernel/records/record.ts'
import type { Connection } from '../connection.ts'

/** How far the records of a collection have been gone through: kept with what was made of them, so that whoever goes on knows. */
export const placeOf = (connection: Connection, collection: string): Id | null => {
  const last = connection.get('SELECT last FROM _places WHERE collection = ?', collection)?.last
  return typeof last === 'number' || typeof last === 'string' ? last : null
}

export const keepPlace = (connection: Connection, collection: string, last: Id): void =>
  connection.run('INSERT OR REPLACE INTO _places VALUES (?, ?)', collection, last)

export const forgetPlace = (connection: Connection, collection: string): void =>
  connection.run('DELETE FROM _places WHERE collection = ?', collection)
