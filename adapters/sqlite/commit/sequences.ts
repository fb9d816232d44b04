import type { Connection } from '../file/connection.ts'

const RESERVE =
  'INSERT INTO _sequences VALUES (?, 1 + ?) ON CONFLICT DO UPDATE SET next = next + excluded.next - 1 RETURNING next'

/** The first of `count` ids that nobody else gets. */
export const reserve = (connection: Connection, collection: string, count: number): number =>
  Number(connection.get(RESERVE, collection, count)?.next) - count

/** Takes ids back where nobody reserved after. */
export const returnIds = (connection: Connection, collection: string, next: number, end: number): void =>
  connection.run('UPDATE _sequences SET next = ? WHERE collection = ? AND next = ?', next, collection, end)
