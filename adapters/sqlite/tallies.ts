import type { AnyCollection, TallyRow, Where } from '../../core/kernel/records/record.ts'
import { coveringTally, type TallyDelta, type TallyQuery } from '../../core/kernel/records/tally.ts'
import type { Connection, SqlValue } from './connection.ts'
import { bindValues, type Columns, fieldName, NULL_VALUE, quoted, type Sql, toSql, whereSql } from './sql.ts'

/** The table of a tally row: each bucket is a row, whose primary key is the values of the `by` fields. */
export interface TallyShape {
  readonly row: TallyRow
  readonly number: number
  /** Identifies the tally in the stored shape. */
  readonly definition: string
  readonly table: string
  readonly columns: Columns
  readonly create: string
  /** Counts the stored records. */
  readonly fill: string
  readonly add: string
  readonly removeEmpty: string
}

const NULL_BUCKET = `x''`

interface TallyOf extends Pick<TallyShape, 'row' | 'number' | 'definition'> {
  readonly collection: string
  /** The columns of the records. */
  readonly columns: Columns
  readonly when: string | null
}

export const tallyShape = ({ collection, row, number, definition, columns, when }: TallyOf): TallyShape => {
  const table = quoted(`${collection}_tally_${number}`)
  const sums = row.sum.map((field) => `s_${fieldName(field)}`)
  // A tally without `by` fields has one bucket, which needs a key.
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

/** Adds the changes of a batch to a bucket, and removes it if it is empty. */
export const addToTally = (
  connection: Connection,
  { add, removeEmpty }: TallyShape,
  { by, count, sums }: TallyDelta,
): void => {
  const bucket: SqlValue[] = by.map((value) => (value === null ? NULL_VALUE : toSql(value)))
  connection.run(add, ...bucket, count, ...sums)
  if (count < 0) connection.run(removeEmpty, ...bucket)
}

/** A tally that has the exact result of a query, and the condition to test on its buckets. */
export interface TallySource extends TallyShape {
  readonly where: Where
}

export const tallyFor = (
  { collection, tallies }: { readonly collection: AnyCollection; readonly tallies: readonly (TallyShape | null)[] },
  query: TallyQuery,
): TallySource | null => {
  const covering = coveringTally(collection, query, (at) => Boolean(tallies[at]))
  const tally = covering && tallies[covering.position]
  return tally ? { ...tally, where: covering.where } : null
}

export const tallyTotal = ({ table, columns, where }: TallySource): Sql =>
  bindValues((bind) => `SELECT coalesce(sum(count), 0) AS n FROM ${table} WHERE ${whereSql(where, columns, bind)}`)

/** Counts the matching records without a day. */
export const tallyDayless = ({ table, columns, where }: TallySource, day: string): Sql =>
  bindValues((bind) => {
    const dayless = `${whereSql(where, columns, bind)} AND ${columns(day).raw} = ${NULL_BUCKET}`
    return `SELECT coalesce(sum(count), 0) AS n FROM ${table} WHERE ${dayless}`
  })

/** Selects the first and the last day of the matching records. The last is no text if some have no day. */
export const tallyEnds = ({ table, columns, where }: TallySource, day: string): Sql =>
  bindValues((bind) => {
    const { raw } = columns(day)
    return `SELECT min(${raw}) AS first, max(${raw}) AS last FROM ${table} WHERE ${whereSql(where, columns, bind)}`
  })

/** Counts the matching records of each day. Binds the previous day, if `isContinued`, and the number of days. */
export const tallyDays = (
  { table, columns, where }: TallySource,
  day: string,
  dir: 'ASC' | 'DESC',
  isContinued: boolean,
): Sql => {
  const { raw, value } = columns(day)
  return bindValues((bind) => {
    const after = isContinued ? ` AND ${raw} ${dir === 'ASC' ? '>' : '<'} ?` : ''
    const dated = `${whereSql(where, columns, bind)} AND ${raw} < ${NULL_BUCKET}`
    const found = `FROM ${table} WHERE ${dated}${after} GROUP BY ${raw} ORDER BY ${raw} ${dir}`
    // One JSON array, because reading rows takes ten times as long.
    return `SELECT json_group_array(json_array(day, n)) AS days FROM (SELECT ${value} AS day, sum(count) AS n ${found} LIMIT ?+0)`
  })
}
