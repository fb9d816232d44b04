import test from 'ava'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { FULL, some } from '../../size.ts'

/** What is hostile to any row is tried on so many, by chance; in full on all of them. */
const MAX_ROWS = 70

export const sampleRows = (all: readonly AnyRow[], most = MAX_ROWS): readonly AnyRow[] => some(all, most)

/** What depends on the way in, and not on what a row does: so many rows of each way and method, by chance; in full all. */
const ROWS_PER_ENTRY_POINT = 2

const sampleEntryPoints = (all: readonly AnyRow[]): readonly AnyRow[] => {
  const doorOf = ({ auth, methods }: AnyRow) => `${auth} ${methods[0]}`
  const doors = [...new Set(all.map(doorOf))]
  return doors.flatMap((door, salt) =>
    some(
      all.filter((row) => doorOf(row) === door),
      ROWS_PER_ENTRY_POINT,
      salt,
    ),
  )
}

/**
 * Registers what is tried of rows at each way in, by whichever methods: of a few by chance, and one test that says how many
 * are left to the long run, which tries all.
 */
export const onEachEntryPoint = (what: string, all: readonly AnyRow[], register: (row: AnyRow) => void): void => {
  const drawn = sampleEntryPoints(all)
  for (const row of drawn) register(row)
  noteLongRun(`${what}: of ${drawn.length} rows by chance, and of all ${all.length} in the long run`)
}

/** A test that says what the usual run has no time for, where this is one. */
export const noteLongRun = (what: string): void => {
  if (FULL) return
  test(what, (t) => {
    t.log('SKIPPED: the rest takes too long beside all others: `npm run test:long` runs it')
    t.pass()
  })
}
