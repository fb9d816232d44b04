import type { ExecutionContext } from 'ava'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import type { ApiUnderTest, RowsApi } from './api-under-test.ts'
import { type Dump, dumpsOf, writtenBetween } from './dump.ts'
import { fixtureOf } from './fixtures.ts'
import { type Kind, sharedApi } from './open-rows.ts'
import { type Place, type Prepared, preparedOf } from './places.ts'
import { type Documented, documentOf } from './schemas.ts'

/** What the suites work with: an API under test, and what can be done with any. */
export interface RowsSuite<A extends RowsApi> extends ApiUnderTest<A> {
  /** Rows that ask for a token. */
  readonly closed: readonly AnyRow[]
  /** The app of a test, empty: one for all of a process, so that these tests are serial. */
  open(t: ExecutionContext, kind?: Kind): Promise<A>
  /** Makes what a row's example speaks of, and gives what it asks. Throws where its fixture is unknown. */
  prepare(api: A, place: Place): Promise<Prepared>
  dump(api: A): Promise<Dump>
  /** That nothing is written but counts, whatever is done. */
  writesNothing(t: ExecutionContext, api: A, act: () => Promise<void>): Promise<void>
  /** The document of the running app: of every test the same, and read once. */
  documented(api: A): Promise<Documented>
}

/** What the suites take, of what an API says of itself. */
export const suiteOf = <A extends RowsApi>(under: ApiUnderTest<A>): RowsSuite<A> => {
  const dump = dumpsOf(under)
  let known: Promise<Documented> | null = null
  return {
    ...under,
    closed: under.rows.filter(({ auth }) => auth !== 'public'),
    open: sharedApi(under),
    async prepare(api, { row }) {
      return preparedOf(row, await fixtureOf(under, row)(api))
    },
    dump,
    async writesNothing(t, api, act) {
      const before = await dump(api)
      await act()
      t.deepEqual(writtenBetween(before, await dump(api)), [])
    },
    documented(api) {
      known ??= documentOf(api, under.wording)
      return known
    },
  }
}
