import test from 'ava'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { GROWTH, growthOf, MAX_GROWTH } from '../../../growth.ts'
import type { RowsApi } from '../api-under-test.ts'
import { bodyLeaves, type Leaf, queryLeaves, withAt } from '../fields.ts'
import type { RowsSuite } from '../suite.ts'
import { longTexts } from './strange.ts'

const [short, long] = [longTexts(1), longTexts(GROWTH)]

const fieldsOf = (rows: readonly AnyRow[]) =>
  rows.flatMap((row) => [...bodyLeaves(row), ...queryLeaves(row)].map((leaf) => ({ row, ...leaf })))

const read = ({ root, path: [, ...inner] }: Leaf, text: string | undefined) =>
  root.read(inner.length === 0 ? text : withAt({}, inner, text))

/** Tests that every field, body and query is read in linear time. */
export const growthSuite = <A extends RowsApi>({ rows }: Pick<RowsSuite<A>, 'rows'>): void => {
  // One field of each kind.
  const kinds = new Map(fieldsOf(rows).map((leaf) => [`${leaf.codec?.name} ${JSON.stringify(leaf.schema)}`, leaf]))
  test.serial('every field reads a text of 100,000 characters in linear time', async (t) => {
    for (const leaf of kinds.values()) {
      for (const [index, text] of long.entries()) {
        const growth = await growthOf(
          () => read(leaf, short[index]),
          () => read(leaf, text),
        )
        t.true(growth < MAX_GROWTH, `${leaf.row.name} ${leaf.name}, text ${index}: ${growth.toFixed(1)}`)
      }
    }
  })

  test.serial('every body and query reads ten times as many keys in linear time', async (t) => {
    const keys = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`k${index * 7919}`, 'a']))
    const [few, many] = [keys(10_000), keys(100_000)]
    for (const { name, input } of rows) {
      for (const shape of [input.body, input.query]) {
        const growth = await growthOf(
          () => shape?.decode(few),
          () => shape?.decode(many),
        )
        t.true(growth < MAX_GROWTH, `${name}: ${growth.toFixed(1)}`)
      }
    }
  })
}
