import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { insert } from '../../../core/kernel/records/change.ts'
import { recordOrder } from '../../../core/kernel/records/record.ts'
import { groupRecords } from '../../../core/kernel/records/tally.ts'
import { all, eq, matches, type Where } from '../../../core/kernel/records/where.ts'
import { groupOf, listOf, type Store } from '../../../core/ports/store.ts'
import { type Thing, things } from '../../fixtures/things.ts'
import { randomThings, randomWhere } from './things.ts'

const ROUNDS = 4
const RECORDS = 24
const TREES = 16

/** A condition means to every store what it means to `matches`. */
export const anyTree = async (store: Store): Promise<void> => {
  const rounds = fc.tuple(...Array.from({ length: ROUNDS }, (_, index) => round(index)))
  const property = fc.asyncProperty(rounds, async (drawn) => {
    const known: Thing[] = []
    for (const { made, trees } of drawn) {
      ok((await store.commit(made.map((one) => insert(things, one)))).ok)
      known.push(...made)
      for (const tree of trees) await answersAlike(store, known, tree)
    }
  })
  await fc.assert(property, { numRuns: 1, endOnFailure: true })
}

/** Records of one shop, and trees that ask mostly for that shop alone. */
const round = (index: number): fc.Arbitrary<{ made: Thing[]; trees: Where<keyof Thing>[] }> => {
  const shopId = `shop ${index}`
  const ids = Array.from({ length: RECORDS }, (_, place) => 1 + index * RECORDS + place)
  const tree = fc
    .tuple(randomWhere(ids), fc.nat(3))
    .map(([where, die]) => (die === 0 ? where : all(eq<keyof Thing>('shopId', shopId), where)))
  return fc.record({
    made: randomThings(ids[0] ?? 1, RECORDS, shopId),
    trees: fc.array(tree, { minLength: TREES, maxLength: TREES }),
  })
}

/** The store finds, counts and sums of these things what the condition says. */
export const answersAlike = async (store: Store, known: readonly Thing[], where: Where<keyof Thing>) => {
  const expected = known.filter((one) => matches(where, one)).sort(recordOrder())
  const { records, total } = await store.list(listOf(things, { where, limit: 500, total: true }))
  const shown = `${JSON.stringify(where)} in ${JSON.stringify(known)}`
  deepEqual(records, expected, shown)
  equal(total, expected.length, shown)
  const groups = await store.group(groupOf(things, { where, by: [], sum: ['valueCents'] }))
  deepEqual(groups, groupRecords(expected, [], ['valueCents']), shown)
}
