import { StoreUnavailable } from '../../../core/ports/store.ts'

export type SqlValue = null | number | string | Uint8Array
export type Row = Readonly<Record<string, SqlValue>>

/** What this adapter uses of a prepared statement, alike in every driver. */
export interface Statement {
  run(...values: readonly SqlValue[]): unknown
  get(...values: readonly SqlValue[]): Row | undefined
  all(...values: readonly SqlValue[]): Row[]
}

/** What this adapter uses of a `DatabaseSync`. */
export interface Database {
  prepare(sql: string): Statement
  close(): void
}

export type OpenDatabase = (path: string) => Promise<Database>

interface Driver {
  readonly DatabaseSync: new (path: string) => object
}

// A variable, since the types of the oldest supported Node do not know this module.
const BUILT_IN: string = 'node:sqlite'

/** `node:sqlite` where the runtime has it, and where not the package with the same interface. */
const driver = async (): Promise<Driver> => {
  try {
    return (await import(BUILT_IN)) as Driver
  } catch {
    return import('@photostructure/sqlite')
  }
}

export const openDatabase: OpenDatabase = async (path) => {
  const { DatabaseSync } = await driver()
  return new DatabaseSync(path) as Database
}

// The extended code carries the primary one in its lowest byte. Source: sqlite.org/rescode.html
const PRIMARY_CODE = 0xff
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IO_ERROR = 10
const FULL = 13
const CANNOT_OPEN = 14
const PROTOCOL = 15

const codeOf = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & PRIMARY_CODE
    : null

/** Another connection holds what this one needs: worth another try. */
export const isBusy = (error: unknown): boolean => [BUSY, LOCKED, PROTOCOL].some((code) => code === codeOf(error))

/** What the caller gets to see: a store that is busy, full, read-only or gone is `StoreUnavailable`. */
export const callersError = (error: unknown): unknown => {
  const code = codeOf(error)
  const isGone = [READONLY, IO_ERROR, FULL, CANNOT_OPEN].some((gone) => gone === code)
  return isBusy(error) || isGone ? new StoreUnavailable('the database cannot be used now', { cause: error }) : error
}
