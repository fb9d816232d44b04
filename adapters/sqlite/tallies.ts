import type { AnyCollection, TallyRow } from '../../core/kernel/records/collection.ts'
import { coveringTally, type TallyDelta, type TallyQuery } from '../../core/kernel/records/tally.ts'
import type { Where } from '../../core/kernel/records/where.ts'
import type { Connection, SqlValue } from './connection.ts'
import { bindValues, type Columns, fieldName, NULL_VALUE, quoted, type Sql, toSql, whereSql } from './sql.ts'

/** The table of a tally row: one bucket a record, found by the values it is counted by. */
export interface TallyShape {
  readonly row: TallyRow
  readonly number: number
  /** What it is, whatever its number. */
  readonly definition: string
  readonly table: string
  readonly columns: Columns
  readonly create: string
  /** Counts what is there. */
  readonly fill: string
  readonly add: string
  readonly removeEmpty: string
}

const NULL_BUCKET = `x''`

interface TallyOf extends Pick<TallyShape, 'row' | 'number' | 'definition'> {
  readonly collection: string
  /** Those of the records. */
  readonly columns: Columns
  readonly when: string | null
}

export const tallyTable = (collection: string, number: number): string => quoted(`${collection}_tally_${number}`)

export const tallyShape = ({ collection, row, number, definition, columns, when }: TallyOf): TallyShape => {
  const table = tallyTable(collection, number)
  const sums = row.sum.map((field) => `s_${fieldName(field)}`)
  // A tally by nothing has one bucket, which needs a key all the same.
  const by = row.by.length === 0 ? ['b_'] : row.by.map((field) => `b_${fieldName(field)}`)
  const values = row.by.length === 0 ? ['0'] : row.by.map(() => '?')
  const filled =
    row.by.length === 0 ? ['0'] : row.by.map((field) => `coalesce(${columns(field).value}, ${NULL_BUCKET})`)
  const summed = row.sum.map((field) => `coalesce(sum(${columns(field).value}), 0)`)
  const amounts = ['count', ...sums]
  return {
    row,
    number,
    definition,
    table,
    columns: (field) => ({
      value: `nullif(b_${fieldName(field)}, ${NULL_BUCKET})`,
      raw: `b_${fieldName(field)}`,
      isInteger: false,
      has: null,
    }),
    create:
      `CREATE TABLE ${table} (${[...by, ...amounts.map((amount) => `${amount} INTEGER NOT NULL`)].join(', ')}, ` +
      `PRIMARY KEY (${by.join(', ')})) WITHOUT ROWID`,
    fill:
      `INSERT INTO ${table} SELECT ${[...filled, 'count(*)', ...summed].join(', ')} FROM ${quoted(collection)}` +
      `${when === null ? '' : ` WHERE ${when}`} GROUP BY ${by.map((_, index) => index + 1).join(', ')}`,
    add:
      `INSERT INTO ${table} VALUES (${[...values, ...amounts.map(() => '?')].join(', ')}) ` +
      `ON CONFLICT DO UPDATE SET ${amounts.map((amount) => `${amount} = ${amount} + excluded.${amount}`).join(', ')}`,
    removeEmpty: `DELETE FROM ${table} WHERE ${by.map((column, index) => `${column} = ${values[index]}`).join(' AND ')} AND count = 0`,
  }
}

/** Adds what a batch changed to the bucket, and drops one that counts nothing any more. */
export const addToTally = (
  connection: Connection,
  { add, removeEmpty: sweep }: TallyShape,
  { by, count, sums }: TallyDelta,
): void => {
  const bucket: SqlValue[] = by.map((value) => (value === null ? NULL_VALUE : toSql(value)))
  connection.run(add, ...bucket, count, ...sums)
  if (count < 0) connection.run(sweep, ...bucket)
}

/** The tally that answers exactly, or null. */
export const tallyFor = (
  { collection, tallies }: { readonly collection: AnyCollection; readonly tallies: readonly (TallyShape | null)[] },
  asked: TallyQuery,
): TallyShape | null => {
  const row = coveringTally(collection, asked, (at) => Boolean(tallies[at]))
  return row === null ? null : (tallies[row] ?? null)
}

export const tallyTotal = ({ table, columns }: TallyShape, where: Where): Sql =>
  bindValues((put) => `SELECT coalesce(sum(count), 0) AS n FROM ${table} WHERE ${whereSql(where, columns, put)}`)

/** How many match that have no day. */
export const tallyDayless = ({ table, columns }: TallyShape, where: Where, day: string): Sql =>
  bindValues((put) => {
    const dayless = `${whereSql(where, columns, put)} AND ${columns(day).raw} = ${NULL_BUCKET}`
    return `SELECT coalesce(sum(count), 0) AS n FROM ${table} WHERE ${dayless}`
  })

/** How many match on each day, the next so many days: binds the day after which to go on, if any, and how many last. */
export const tallyDays = (
  { table, columns }: TallyShape,
  where: Where,
  day: string,
  dir: 'ASC' | 'DESC',
  goesOn: boolean,
): Sql => {
  const { raw, value } = columns(day)
  return bindValues((put) => {
    const after = goesOn ? ` AND ${raw} ${dir === 'ASC' ? '>' : '<'} ?` : ''
    const dated = `${whereSql(where, columns, put)} AND ${raw} < ${NULL_BUCKET}`
    const found = `FROM ${table} WHERE ${dated}${after} GROUP BY ${raw} ORDER BY ${raw} ${dir}`
    // One text of all the days is read at once: a row of each takes ten times as long.
    return `SELECT json_group_array(json_array(day, n)) AS days FROM (SELECT ${value} AS day, sum(count) AS n ${found} LIMIT ?+0)`
  })
}
