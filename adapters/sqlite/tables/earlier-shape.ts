import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { storedShape } from '../../../core/kernel/records/stored-shape.ts'
import { keyTable, shapeOf } from '../schema.ts'
import { tallyTable } from '../tallies.ts'
import type { Laid } from './laid.ts'

/** A row of `_shapes` as 0.1.0 to 0.3.0 wrote it: statements by the names of what they made. */
interface EarlierRow {
  readonly ids: string
  readonly fields: readonly string[]
  readonly indexes: Readonly<Record<string, string>>
  readonly tallies: Readonly<Record<string, string>>
  readonly keys: readonly string[]
}

/** What stands where nothing does. */
export const nothingOf = (collection: AnyCollection): Laid['stands'] => ({
  ...storedShape(collection),
  upgrades: [],
  keys: [],
  indexes: [],
  tallies: [],
})

/** How a collection lies in the file, as its row says, whichever release wrote it. */
export const laidFrom = (collection: AnyCollection, text: string): Laid => {
  const row: Laid | EarlierRow = JSON.parse(text)
  return 'stands' in row ? row : laidByEarlier(collection, row)
}

/** It told nothing of fields; of the rest, what it made by the very statements of today is the same. */
const laidByEarlier = (collection: AnyCollection, row: EarlierRow): Laid => {
  const { name } = collection
  const nothing: Laid = { columns: row.fields, release: '', stands: nothingOf(collection) }
  const { indexes, tallies } = shapeOf(collection, nothing).missing
  const madeBy = new Map(Object.entries(row.tallies).map(([table, statements]) => [bare(statements, table), table]))
  return {
    ...nothing,
    stands: {
      ...nothing.stands,
      ids: row.ids === 'text' ? 'text' : 'integer',
      fields: null,
      retired: [],
      conditions: {},
      keys: Object.keys(collection.keys ?? {}).filter((key) => row.keys.includes(keyTable(name, key))),
      indexes: indexes.filter(({ name, create }) => row.indexes[name] === create).map(({ definition }) => definition),
      tallies: tallies.flatMap(({ table, create, fill, definition }) => {
        const found = madeBy.get(bare(`${create}; ${fill}`, table))
        const number = Object.keys(row.tallies).findIndex((_, at) => tallyTable(name, at) === found)
        return found === undefined ? [] : [{ number, definition }]
      }),
    },
  }
}

/** The statements of a tally, whatever its number. */
const bare = (statements: string, table: string): string => statements.replaceAll(table, '')
