import { StoreUnavailable, StoreUnwritable } from '../../../core/ports/store.ts'

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

export interface OpenOptions {
  readonly readOnly?: boolean
}

export type OpenDatabase = (path: string, options?: OpenOptions) => Promise<Database>

interface Driver {
  readonly DatabaseSync: new (path: string, options?: OpenOptions) => object
}

// A variable, since the types of the oldest supported Node do not know this module.
const BUILT_IN: string = 'node:sqlite'

/** `node:sqlite` where the runtime has it, and where not the package with the same interface. */
const driver = async (): Promise<Driver> => {
  try {
    return (await import(BUILT_IN)) as Driver
  } catch {
    return packaged()
  }
}

const NONE = 'this runtime has no SQLite (Node has it since 22.13): npm install @photostructure/sqlite'

const packaged = async (): Promise<Driver> => {
  try {
    return await import('@photostructure/sqlite')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') throw new Error(NONE)
    throw error
  }
}

export const openDatabase: OpenDatabase = async (path, options = {}) => {
  const { DatabaseSync } = await driver()
  return new DatabaseSync(path, options) as Database
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

const isOneOf = (codes: readonly number[], error: unknown): boolean => codes.some((code) => code === codeOf(error))

/** Another connection holds what this one needs: worth another try. */
export const isBusy = (error: unknown): boolean => isOneOf([BUSY, LOCKED, PROTOCOL], error)

/** What the caller gets to see: a store that is full, read-only or broken takes no commits; one that is busy is away. */
export const callersError = (error: unknown): unknown => {
  if (isOneOf([READONLY, IO_ERROR, FULL], error))
    return new StoreUnwritable('the database cannot be written now', { cause: error })
  return isBusy(error) || isOneOf([CANNOT_OPEN], error)
    ? new StoreUnavailable('the database cannot be used now', { cause: error })
    : error
}
