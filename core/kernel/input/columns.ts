import { type Issue, issue } from '../../failure.ts'
import type { AnyField, JsonSchema, Side } from './field.ts'
import { type Fields, type Input, tableOn } from './input.ts'
import { FLAGS } from './query.ts'

/** The error codes of column titles, and of a cell that is not a number. */
export type ColumnCode = 'column.unknown' | 'column.number' | 'repeated' | 'required'

const LIST_SEPARATOR = '|'

const MAX_TITLE = 100

/** A field of an input as a column of a spreadsheet: `address.city`. */
interface Column {
  readonly path: readonly string[]
  readonly schema: JsonSchema
  readonly isMoney: boolean
  readonly isRequired: boolean
}

/** An input as the columns of a spreadsheet. */
export interface Columns {
  /** Returns the issues of the titles of a file: unknown, repeated and missing ones. */
  titleIssues(titles: readonly string[]): readonly Issue<ColumnCode>[]
  /**
   * Converts the cells of a record to a value that the input decodes. A cell without a title (by its position, `#3`)
   * and an unreadable number are issues.
   */
  readRow(titles: readonly string[], cells: readonly string[]): CellValues
}

interface CellValues {
  readonly value: object
  readonly issues: readonly Issue<ColumnCode>[]
}

/** Returns the columns of an input, by the names of its fields on a side. */
export const columnsOf = ({ table }: Pick<Input<unknown>, 'table'>, side: Side): Columns => {
  const columns = new Map(columnsIn(table, side).map((column) => [column.path.join('.'), column]))
  const groups = requiredGroups(table, side)
  return {
    titleIssues(titles) {
      const named = titles.filter((title) => title !== '')
      const unknown = named.filter((title) => !columns.has(title))
      const repeated = named.filter((title, at) => columns.has(title) && named.indexOf(title) !== at)
      const missing = [...columns].filter(([name, { isRequired }]) => isRequired && !named.includes(name))
      return [
        ...[...new Set(unknown)].map((title) => issue(title.slice(0, MAX_TITLE), 'column.unknown')),
        ...[...new Set(repeated)].map((title) => issue(title, 'repeated')),
        ...missing.map(([name]) => issue(name, 'required')),
      ]
    },
    readRow(titles, cells) {
      const value: Tree = new Map(groups.map((name) => [name, new Map()]))
      const issues: Issue<ColumnCode>[] = []
      for (const [at, cell] of cells.entries()) {
        const column = columns.get(titles[at] ?? '')
        if (cell.trim() === '') continue
        if (column) {
          const read = parseCell(column.schema, cell, column.isMoney ? AMBIGUOUS_MONEY : AMBIGUOUS)
          const path = column.path.join('.')
          put(value, column.path, read)
          if (read === cell && isNumeric(column.schema)) issues.push(issue(path, 'column.number'))
        }
        // One issue for all cells without a title.
        else if (!issues.some(({ path }) => path.startsWith('#'))) issues.push(issue(`#${at + 1}`, 'column.unknown'))
      }
      return { value: toObject(value), issues }
    },
  }
}

const typesOf = ({ type }: JsonSchema): readonly unknown[] => [type].flat()

/** Returns the fields of an object; those of a list have no columns. */
const nestedFields = ({ nested, schema }: AnyField): Fields | null =>
  typesOf(schema).includes('array') ? null : nested

const columnsIn = (
  table: Fields,
  side: Side,
  above: readonly string[] = [],
  isAboveRequired = true,
): readonly Column[] =>
  Object.entries(tableOn(table, side).fields).flatMap(([name, field]) => {
    const path = [...above, name]
    const isRequired = isAboveRequired && !field.isOptional
    const nested = nestedFields(field)
    if (nested) return columnsIn(nested, side, path, isRequired)
    return [{ path, schema: field.schema, isMoney: field.name.endsWith('money'), isRequired }]
  })

/** Returns the required objects. They start empty, so that decoding reports the missing fields within them. */
const requiredGroups = (table: Fields, side: Side): readonly string[] =>
  Object.entries(tableOn(table, side).fields).flatMap(([name, field]) =>
    nestedFields(field) && !field.isOptional ? [name] : [],
  )

/** A comma or a point before the decimals, without thousands separators: `2500,00`. */
const PLAIN = /^-?\d+(?:[.,]\d+)?$/
/** Points as thousands separators: `2.500,00`, `1.000.000`. */
const WITH_POINTS = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/
/** Commas as thousands separators: `2,500.00`, `1,000,000`. */
const WITH_COMMAS = /^-?[1-9]\d{0,2}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/
/** `1.500` is 1500 in Brazil and 1.5 elsewhere. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}\.\d{3}$/
/** Reais have two decimals, so the comma of `1,500` could only separate thousands, which Brazil writes with a point. */
const AMBIGUOUS_MONEY = /^-?[1-9]\d{0,2}[.,]\d{3}$/
/** The currency symbol that spreadsheets write before an amount. */
const CURRENCY = /^R\$\s*/

const numberOf = (cell: string, ambiguous: RegExp): number | undefined => {
  const text = cell.replace(CURRENCY, '')
  if (WITH_POINTS.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  if (WITH_COMMAS.test(text)) return Number(text.replaceAll(',', ''))
  return PLAIN.test(text) && !ambiguous.test(text) ? Number(text.replace(',', '.')) : undefined
}

const isNumeric = (schema: JsonSchema): boolean =>
  typesOf(schema).some((type) => type === 'integer' || type === 'number')

/** Parses a cell for its field. A text that is not a number or a boolean stays a text, which the field refuses. */
const parseCell = (schema: JsonSchema, cell: string, ambiguous = AMBIGUOUS): unknown => {
  const types = typesOf(schema)
  const text = cell.trim()
  if (isNumeric(schema)) return numberOf(text, ambiguous) ?? cell
  if (types.includes('boolean')) return FLAGS.get(text) ?? cell
  if (!types.includes('array')) return cell
  return text.split(LIST_SEPARATOR).map((item) => parseCell((schema.items ?? {}) as JsonSchema, item.trim()))
}

// A Map, so that a column named like an inherited property (`toString`) is safe.
type Tree = Map<string, unknown>

const put = (into: Tree, [name = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    into.set(name, value)
    return
  }
  const existing = into.get(name)
  const inner: Tree = existing instanceof Map ? existing : new Map()
  into.set(name, inner)
  put(inner, rest, value)
}

const toObject = (tree: Tree): object =>
  Object.fromEntries([...tree].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]))
