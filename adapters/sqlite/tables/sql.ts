import type { SqlValue } from '../file/driver.ts'
import type { Put } from './where-sql.ts'

/** SQL with its bound values: plain data, so that it can be sent to the reader thread. */
export interface Sql {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** SQL whose values are bound, in the order in which they are put. */
export const bound = (compose: (put: Put) => string): Sql => {
  const values: SqlValue[] = []
  const text = compose((value) => {
    values.push(value)
    return '?'
  })
  return { text, values }
}
