import { deepEqual, equal } from 'node:assert/strict'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { type SqliteStore, sqliteStore } from '../../../adapters/sqlite/store.ts'
import { all, type Collection, eq, insert, t as io, orNull, record } from '../../../core/kernel/records/record.ts'
import { verifyTallies } from '../../../core/kernel/running/verify.ts'
import { byKey, listOf } from '../../../core/ports/store.ts'
import { older, olderThings, thing } from '../../fixtures/things.ts'

const laterCodec = record({
  id: io.Int,
  shopId: orNull(io.string),
  name: orNull(io.string),
  weight: orNull(io.number),
  address: orNull(record({ city: io.string })),
  removedAt: orNull(io.string),
  grade: io.string,
  heavy: io.boolean,
  rank: orNull(io.Int),
})
export type Later = io.OutputOf<typeof laterCodec>

const WEIGHTS = 100
const A_COMMIT = 1_000

/** The collection of `olderThings` in a later release: filled fields, a key that records violate, and more. */
export const laterThings: Collection<Later> = {
  ...olderThings,
  codec: laterCodec as Collection<Later>['codec'],
  upgrades: {
    grade: ({ weight }) => ((weight ?? 0) >= 50 ? 'much' : 'little'),
    heavy: ({ weight }) => (weight ?? 0) >= 50,
  },
  conditions: { live: eq('removedAt', null), heavy: all(eq('removedAt', null), eq('heavy', true)) },
  keys: { name: ({ shopId, name }) => (name === null ? null : `${shopId}|${name}`) },
  indexes: [{ sort: 'name' }, { eq: 'grade', sort: 'weight' }, { sort: 'rank', when: 'heavy' }],
  tallies: [
    { by: ['shopId', 'grade', 'heavy'], sum: ['rank'] },
    { by: ['shopId'], sum: [], when: 'heavy' },
  ],
}

/** So many things of the older release; the second half give the names of the first once more. */
export const leaveOlder = async (path: string, count: number): Promise<void> => {
  const store = await sqliteStore(path, [olderThings])
  for (let from = 1; from <= count; from += A_COMMIT) {
    const some = Array.from({ length: Math.min(A_COMMIT, count - from + 1) }, (_, at) => at + from)
    await store.commit(
      some.map((id) =>
        insert(olderThings, older(thing(id, { name: `n${id % Math.ceil(count / 2)}`, weight: id % WEIGHTS }))),
      ),
    )
  }
  await store.close()
}

export const later = (id: number, fields: Partial<Later> = {}): Later => ({
  ...older(thing(id)),
  grade: 'none',
  heavy: false,
  rank: null,
  ...fields,
})

export const byGrade = listOf(laterThings, {
  where: all(eq('shopId', 'loja'), eq('grade', 'much')),
  sort: { by: 'weight', dir: 'asc' },
  limit: 5,
  total: true,
})

/** All of it is made: in the records, in the keys, in the indexes and in the tallies. */
export const allMade = async (path: string, store: SqliteStore, count: number): Promise<void> => {
  const database = await openDatabase(path)
  equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok')
  const lacking = `SELECT count(*) AS n FROM "test.things" WHERE json_type(doc, '$.grade') IS NULL`
  equal(database.prepare(lacking).get()?.n, 0)
  database.close()
  deepEqual((await verifyTallies(store, [laterThings])).faults, [])
  const page = await store.list(byGrade)
  equal(page.total, Math.floor(count / WEIGHTS) * (WEIGHTS / 2))
  deepEqual(page.records[0], { ...later(50), name: 'n50', weight: 50, grade: 'much', heavy: true })
  const plan = await store.explain(byGrade)
  equal(plan.includes('USING INDEX test.things_index_grade_weight__'), true, plan)
  equal(plan.includes('test.things_tally_0'), true, plan)
  const half = Math.ceil(count / 2)
  for (const id of [1, 2, half - 1]) equal((await store.find(byKey(laterThings, 'name', `loja|n${id}`)))?.id, id)
  equal((await store.find(byKey(laterThings, 'name', 'loja|n0')))?.id, half)
}
