import test from 'ava'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { FULL, some } from '../../size.ts'

/** The size of the random sample of rows; test:long tests all rows. */
const MAX_ROWS = 70

export const sampleRows = (all: readonly AnyRow[], most = MAX_ROWS): readonly AnyRow[] => some(all, most)

/** The size of the random sample for each auth scheme and method, for behaviour that does not depend on the row. */
const ROWS_PER_ENTRY_POINT = 2

const sampleEntryPoints = (all: readonly AnyRow[]): readonly AnyRow[] => {
  const entryPointOf = ({ auth, methods }: AnyRow) => `${auth} ${methods[0]}`
  const entryPoints = [...new Set(all.map(entryPointOf))]
  return entryPoints.flatMap((entryPoint, salt) =>
    some(
      all.filter((row) => entryPointOf(row) === entryPoint),
      ROWS_PER_ENTRY_POINT,
      salt,
    ),
  )
}

/**
 * Registers a test for sampled rows of each auth scheme and method, and a note of the rows that only test:long runs.
 */
export const onEachEntryPoint = (about: string, all: readonly AnyRow[], register: (row: AnyRow) => void): void => {
  const drawn = sampleEntryPoints(all)
  for (const row of drawn) register(row)
  noteLongRun(`${about}: a random sample of ${drawn.length} rows, all ${all.length} in test:long`)
}

/** Registers a test that logs what only test:long runs. */
export const noteLongRun = (about: string): void => {
  if (FULL) return
  test(about, (t) => {
    t.log('SKIPPED: `npm run test:long` runs the rest')
    t.pass()
  })
}
