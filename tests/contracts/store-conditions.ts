import type { ExecutionContext } from 'ava'
import fc from 'fast-check'
import { insert } from '../../core/kernel/records/change.ts'
import { matches } from '../../core/kernel/records/matches.ts'
import { recordOrder } from '../../core/kernel/records/order.ts'
import { groupRecords } from '../../core/kernel/records/tally.ts'
import { all, always, contains, eq, has, isIn, lt, lte, not, type Where } from '../../core/kernel/records/where.ts'
import { groupOf, listOf, type Store } from '../../core/ports/store.ts'
import { type Thing, thing, things } from '../fixtures/things.ts'
import { randomThings, randomWhere } from './random-things.ts'
import type { Case } from './store.ts'

const ROUNDS = 6
const RECORDS = 24
const TREES = 24

/** A condition means to every store what it means to `matches`. */
export const storeConditions = (check: Case): void => {
  meanings(check)
  check('any tree of conditions finds what it says, with its total and its groups', async (t, store) => {
    const rounds = fc.tuple(...Array.from({ length: ROUNDS }, (_, index) => round(index)))
    const property = fc.asyncProperty(rounds, async (drawn) => {
      const known: Thing[] = []
      for (const { made, trees } of drawn) {
        t.true((await store.commit(made.map((one) => insert(things, one)))).ok)
        known.push(...made)
        for (const tree of trees) await answersAlike(t, store, known, tree)
      }
    })
    await fc.assert(property, { numRuns: 1, endOnFailure: true })
  })
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
export const answersAlike = async (
  t: ExecutionContext,
  store: Store,
  known: readonly Thing[],
  where: Where<keyof Thing>,
) => {
  const expected = known.filter((one) => matches(where, one)).sort(recordOrder())
  const { records, total } = await store.list(listOf(things, { where, limit: 500, total: true }))
  const shown = `${JSON.stringify(where)} in ${JSON.stringify(known)}`
  t.deepEqual(records, expected, shown)
  t.is(total, expected.length, shown)
  const groups = await store.group(groupOf(things, { where, by: [], sum: ['valueCents'] }))
  t.deepEqual(groups, groupRecords(expected, [], ['valueCents']), shown)
}

const meanings = (check: Case): void => {
  const found = async (store: Store, where: Where<keyof Thing>): Promise<number[]> =>
    (await store.list(listOf(things, { where, limit: 100 }))).records.map(({ id }) => id)

  check('null: no order, no part, no list, equal only to null; not is the exact complement', async (t, store) => {
    const full = thing(2, { size: 0, name: '', active: false, labels: [] })
    await store.commit([insert(things, thing(1)), insert(things, full)])
    const only = { null: [1], value: [2], none: [], both: [1, 2] }
    const rows: [Where<keyof Thing>, keyof typeof only][] = [
      [eq('size', null), 'null'],
      [not(eq('size', null)), 'value'],
      [eq('size', 0), 'value'],
      [not(eq('size', 0)), 'null'],
      [not(eq('size', 5)), 'both'],
      [lt('size', 1), 'value'],
      [not(lt('size', 1)), 'null'],
      [not(lte('size', -1)), 'both'],
      [isIn('size', [0]), 'value'],
      [isIn('size', [0, null]), 'both'],
      [isIn('size', []), 'none'],
      [not(isIn('size', [0])), 'null'],
      [contains('name', ''), 'value'],
      [not(contains('name', '')), 'null'],
      [eq('active', false), 'value'],
      [not(eq('active', true)), 'both'],
      [isIn('active', [true, null]), 'null'],
      [has('labels', 'a'), 'none'],
      [not(has('labels', 'a')), 'both'],
      [eq('labels', null), 'null'],
      [not(eq('address', null)), 'none'],
      [{ all: [] }, 'both'],
      [{ any: [] }, 'none'],
      [not({ any: [] }), 'both'],
    ]
    for (const [where, which] of rows) t.deepEqual(await found(store, where), only[which], JSON.stringify(where))
  })

  check('texts compare by code point, whole and literally', async (t, store) => {
    const names = ['\u{FFFD}', '😀', 'a', 'A', 'á', 'a%', 'ab', 'a_', '\\', 'ﬁ']
    await store.commit(names.map((name, index) => insert(things, thing(index + 1, { name, labels: [name] }))))
    const named = async (where: Where<keyof Thing>) => (await found(store, where)).map((id) => names[id - 1]).sort()
    t.deepEqual(await named(eq('name', 'a')), ['a'])
    t.deepEqual(await named({ gt: ['name', 'ﬁ'] }), ['\u{FFFD}', '😀'].sort())
    t.deepEqual(await named({ gt: ['name', '\u{FFFD}'] }), ['😀'])
    t.deepEqual(await named(contains('name', '%')), ['a%'])
    t.deepEqual(await named(contains('name', '_')), ['a_'])
    t.deepEqual(await named(contains('name', '\\')), ['\\'])
    t.deepEqual(await named(contains('name', 'A')), ['A'])
    t.deepEqual(await named(has('labels', 'a')), ['a'])
    t.deepEqual(await named(has('labels', '😀')), ['😀'])
  })

  check('a named condition narrows like any other', async (t, store) => {
    const gone = { removedAt: '2026-01-01' }
    const made = [thing(1, { active: true }), thing(2), thing(3, { active: true, ...gone }), thing(4, gone)]
    await store.commit(made.map((one) => insert(things, one)))
    const ids = async (when?: string) => {
      const ask = listOf(things, { where: always, limit: 9, total: true, ...(when !== undefined && { when }) })
      const { records, total } = await store.list(ask)
      return [records.map(({ id }) => id), total]
    }
    t.deepEqual(await ids(), [[1, 2, 3, 4], 4])
    t.deepEqual(await ids('live'), [[1, 2], 2])
    t.deepEqual(await ids('listed'), [[1], 1])
    await t.throwsAsync(ids('nothing'))
  })
}
