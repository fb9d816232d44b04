import { type Issue, issue } from '../../failure.ts'
import type { AnyField } from './codec.ts'
import { FLAGS } from './filters.ts'
import type { Input } from './input.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Side } from './side.ts'
import { type Fields, tableOn } from './table.ts'

/** The faults of a table's titles, and of a cell that is no number. */
export type ColumnCode = 'column.unknown' | 'column.number' | 'repeated' | 'required'

/** Parts the items of a list in one cell. */
const LIST_SEPARATOR = '|'

/** As much of a title is told as names a field. */
const MAX_TITLE = 100

/** A field of an input as a column of a table of texts: `address.city`. */
interface Column {
  readonly path: readonly string[]
  readonly schema: JsonSchema
  readonly isMoney: boolean
  /** Whether every record says it. */
  readonly isRequired: boolean
}

/** An input as a table of texts says it. */
export interface Columns {
  /** What is wrong with the titles of a file, each by its name, or by its place (`#3`) where it has none. */
  wrongTitles(titles: readonly string[]): readonly Issue<ColumnCode>[]
  /** Reads the cells of a record, to be decoded: a cell without a title and a number that cannot be read are issues. */
  valueOf(titles: readonly string[], cells: readonly string[]): CellValues
}

interface CellValues {
  readonly value: object
  readonly issues: readonly Issue<ColumnCode>[]
}

/** The columns of an input, by the names that a side has for its fields. */
export const columnsOf = ({ table }: Pick<Input<unknown>, 'table'>, side: Side): Columns => {
  const columns = new Map(columnsIn(table, side).map((column) => [column.path.join('.'), column]))
  const groups = requiredGroups(table, side)
  return {
    wrongTitles(titles) {
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
    valueOf(titles, cells) {
      const value: Tree = new Map(groups.map((name) => [name, new Map()]))
      const issues: Issue<ColumnCode>[] = []
      for (const [at, cell] of cells.entries()) {
        const column = columns.get(titles[at] ?? '')
        if (cell.trim() === '') continue
        if (column) {
          const read = saidOf(column.schema, cell, column.isMoney ? AMBIGUOUS_MONEY : AMBIGUOUS)
          const path = column.path.join('.')
          put(value, column.path, read)
          if (read === cell && isNumeric(column.schema)) issues.push(issue(path, 'column.number'))
        }
        // One of them tells what is wrong with all.
        else if (!issues.some(({ path }) => path.startsWith('#'))) issues.push(issue(`#${at + 1}`, 'column.unknown'))
      }
      return { value: plain(value), issues }
    },
  }
}

const typesOf = ({ type }: JsonSchema): readonly unknown[] => [type].flat()

/** The fields within an object; of a list they have no column. */
const withinOf = ({ within, schema }: AnyField): Fields | null => (typesOf(schema).includes('array') ? null : within)

const columnsIn = (
  table: Fields,
  side: Side,
  above: readonly string[] = [],
  isAboveRequired = true,
): readonly Column[] =>
  Object.entries(tableOn(table, side).fields).flatMap(([name, field]) => {
    const path = [...above, name]
    const isRequired = isAboveRequired && !field.absent
    const within = withinOf(field)
    if (within) return columnsIn(within, side, path, isRequired)
    return [{ path, schema: field.schema, isMoney: field.name.endsWith('money'), isRequired }]
  })

/** Objects that every record has: where nothing of one is said, its own fields tell what is missing. */
const requiredGroups = (table: Fields, side: Side): readonly string[] =>
  Object.entries(tableOn(table, side).fields).flatMap(([name, field]) =>
    withinOf(field) && !field.absent ? [name] : [],
  )

/** A comma or a point before the decimals, and nothing between the thousands: `2500,00`. */
const PLAIN = /^-?\d+(?:[.,]\d+)?$/
/** Points between the thousands: `2.500,00`, `1.000.000`. */
const WITH_POINTS = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/
/** Commas between the thousands: `2,500.00`, `1,000,000`. */
const WITH_COMMAS = /^-?[1-9]\d{0,2}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/
/** `1.500` is one thousand and five hundred in Brazil, and one and a half elsewhere. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}\.\d{3}$/
/** Reais have two decimals: the comma of `1,500` can only stand between thousands, as it never does in Brazil. */
const AMBIGUOUS_MONEY = /^-?[1-9]\d{0,2}[.,]\d{3}$/
/** As spreadsheets write an amount of money. */
const CURRENCY = /^R\$\s*/

const numberOf = (cell: string, ambiguous: RegExp): number | undefined => {
  const text = cell.replace(CURRENCY, '')
  if (WITH_POINTS.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  if (WITH_COMMAS.test(text)) return Number(text.replaceAll(',', ''))
  return PLAIN.test(text) && !ambiguous.test(text) ? Number(text.replace(',', '.')) : undefined
}

const isNumeric = (schema: JsonSchema): boolean =>
  typesOf(schema).some((type) => type === 'integer' || type === 'number')

/** A cell as its field takes it: what is no number and no flag stays a text, which the field refuses. */
const saidOf = (schema: JsonSchema, cell: string, ambiguous = AMBIGUOUS): unknown => {
  const types = typesOf(schema)
  const text = cell.trim()
  if (isNumeric(schema)) return numberOf(text, ambiguous) ?? cell
  if (types.includes('boolean')) return FLAGS.get(text) ?? cell
  if (!types.includes('array')) return cell
  return text.split(LIST_SEPARATOR).map((item) => saidOf((schema.items ?? {}) as JsonSchema, item.trim()))
}

// Maps, so that no column is a name that every object has.
type Tree = Map<string, unknown>

const put = (into: Tree, [name = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    into.set(name, value)
    return
  }
  const known = into.get(name)
  const inner: Tree = known instanceof Map ? known : new Map()
  into.set(name, inner)
  put(inner, rest, value)
}

const plain = (tree: Tree): object =>
  Object.fromEntries([...tree].map(([name, value]) => [name, value instanceof Map ? plain(value) : value]))
