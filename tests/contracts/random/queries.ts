import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { all, eq, insert, matches, recordOrder, type Where } from '../../../core/kernel/records/record.ts'
import { groupRecords } from '../../../core/kernel/records/tally.ts'
import { groupOf, type List, listOf, type Store } from '../../../core/ports/store.ts'
import { type Thing, thing, things } from '../../fixtures/things.ts'
import { asRead, groupsAlike, writtenBefore } from '../store/older-records.ts'
import type { OpenedStore } from '../store/store-contract.ts'

const ROUNDS = 4
const RECORDS = 24
const TREES = 16

/** Asserts that the store evaluates random conditions as `matches` does. */
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

/** Records of one shop, and conditions mostly on that shop. */
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

const answersAlike = async (store: Store, known: readonly Thing[], where: Where<keyof Thing>) => {
  const expected = known.filter((one) => matches(where, one)).sort(recordOrder())
  const { records, total } = await store.list(listOf(things, { where, limit: 500, total: true }))
  const shown = `${JSON.stringify(where)} in ${JSON.stringify(known)}`
  deepEqual(records, expected, shown)
  equal(total, expected.length, shown)
  const groups = await store.group(groupOf(things, { where, by: [], sum: ['valueCents'] }))
  deepEqual(groups, groupRecords(expected, [], ['valueCents']), shown)
}

type Sort = NonNullable<List<Thing>['sort']>

/** Asserts the order of random records by every field. */
export const anySort = async (store: Store): Promise<void> => {
  const property = fc.asyncProperty(randomThings(1, 30, 'loja'), async (made) => {
    await store.commit(made.map((one) => insert(things, one)))
    await pagesAlike(store, made, undefined)
    for (const by of sortable) for (const dir of ['asc', 'desc'] as const) await pagesAlike(store, made, { by, dir })
  })
  await fc.assert(property, { numRuns: 1, endOnFailure: true })
}

const pagesAlike = async (store: Store, made: readonly Thing[], sort: Sort | undefined) => {
  const expected = [...made].sort(recordOrder(sort))
  const limit = 7
  for (const offset of [0, 7, 14, expected.length - 8, expected.length - 3, expected.length, expected.length + 50]) {
    const ask = listOf(things, { where: eq('shopId', 'loja'), limit, offset, total: true, ...(sort && { sort }) })
    const { records, total } = await store.list(ask)
    deepEqual(records, expected.slice(offset, offset + limit), `${JSON.stringify(sort)} from ${offset}`)
    equal(total, expected.length)
  }
}

/** Asserts that records of two releases are listed, sorted and grouped alike. */
export const twoReleases = async (opened: OpenedStore): Promise<void> => {
  const ids = Array.from({ length: 30 }, (_, index) => index + 1)
  const drawn = fc.tuple(randomThings(1, ids.length, 'loja'), fc.array(randomWhere(ids), { minLength: 40 }))
  const property = fc.asyncProperty(drawn, async ([made, trees]) => {
    const isOld = ({ id }: Thing): boolean => id % 3 !== 0
    const store = await writtenBefore(opened, made.filter(isOld))
    ok((await store.commit(made.filter((one) => !isOld(one)).map((one) => insert(things, one)))).ok)
    const known = made.map((one) => (isOld(one) ? asRead(one) : one))
    for (const tree of trees) await answersAlike(store, known, tree)
    for (const by of sortable) for (const dir of ['asc', 'desc'] as const) await pagesAlike(store, known, { by, dir })
    await groupsAlike(store, known)
  })
  await fc.assert(property, { numRuns: 1, endOnFailure: true })
}

/** Texts that databases sort, fold or escape differently. */
const texts = ['', 'a', 'B', 'á', 'ação', 'Z', 'z', 'aa', '\u{FFFD}', '😀', '😀a', 'ﬁ', '10', '9', 'a%b', 'a_b', "it's"]
const oddTexts = [...texts, '\\', '"', 'null', ' ', 'a\nb', '\u{10FFFF}', '[]', '$a', '\u{E000}']
const days = ['2026-01-01', '2026-01-02', '2025-12-31']
const numbers = [0, 1, -1, 2, 10, 9, 1_000_000_007, -2_147_483_649]
const weights = [0, 0.1, -0.5, 1.5, 2, 1e21]
const parts = ['', 'a', '%', '_', 'ã', '😀', "'", '\\', 'b']

const one = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
const maybe = <T>(values: readonly T[]): fc.Arbitrary<T | null> => fc.option(one(values), { freq: 3 })

const scalars = {
  name: oddTexts,
  status: ['open', 'paid', ''],
  valueCents: numbers,
  size: numbers,
  weight: weights,
  active: [true, false],
  createdDay: days,
  search: oddTexts,
  removedAt: days,
} as const

const ordered = ['name', 'status', 'valueCents', 'size', 'weight', 'createdDay', 'search', 'id'] as const
const textual = ['name', 'status', 'search', 'createdDay'] as const

const sortable = [...ordered, 'active'] as const

export const randomThing = (id: number, shopId: string | null): fc.Arbitrary<Thing> =>
  fc
    .record({
      name: maybe(scalars.name),
      status: maybe(scalars.status),
      valueCents: maybe(scalars.valueCents),
      size: maybe(scalars.size),
      weight: maybe(scalars.weight),
      active: maybe(scalars.active),
      createdDay: maybe(scalars.createdDay),
      labels: fc.option(fc.array(one(texts), { maxLength: 3 })),
      points: fc.option(fc.array(one(weights), { maxLength: 3 })),
      address: fc.option(fc.record({ city: one(texts), number: maybe(weights) }, { noNullPrototype: true })),
      search: maybe(scalars.search),
      removedAt: fc.option(one(days), { freq: 1 }),
    })
    .map((fields) => thing(id, { ...fields, shopId }))

const randomThings = (firstId: number, count: number, shopId: string): fc.Arbitrary<Thing[]> =>
  fc.tuple(...Array.from({ length: count }, (_, index) => randomThing(firstId + index, shopId)))

type ThingWhere = Where<keyof Thing>
type Scalars = keyof typeof scalars

const drawn = (field: Scalars | 'id', ids: readonly number[]): fc.Arbitrary<string | number | boolean> =>
  field === 'id' ? one(ids) : one<string | number | boolean>(scalars[field])

const equalities = (ids: readonly number[]): fc.Arbitrary<ThingWhere> =>
  fc.oneof(
    one(Object.keys(scalars) as Scalars[]).chain((field) =>
      fc.oneof(
        fc.option(drawn(field, ids), { freq: 3 }).map((value): ThingWhere => ({ eq: [field, value] })),
        fc
          .array(fc.option(drawn(field, ids), { freq: 5 }), { maxLength: 4 })
          .map((values): ThingWhere => ({ in: [field, values] })),
      ),
    ),
    one(['labels', 'points', 'address'] as const).map((field): ThingWhere => ({ eq: [field, null] })),
    fc.array(one(ids), { maxLength: 4 }).map((values): ThingWhere => ({ in: ['id', values] })),
  )

const bounded = (ids: readonly number[]): fc.Arbitrary<ThingWhere> =>
  fc.tuple(one(ordered), one(['lt', 'lte', 'gt', 'gte'] as const)).chain(([field, op]) =>
    drawn(field, ids).map((value): ThingWhere => {
      const pair = [field, typeof value === 'boolean' ? 0 : value] as const
      return { lt: { lt: pair }, lte: { lte: pair }, gt: { gt: pair }, gte: { gte: pair } }[op]
    }),
  )

const held: fc.Arbitrary<ThingWhere> = fc.oneof(
  one(texts).map((text): ThingWhere => ({ has: ['labels', text] })),
  one(weights).map((number): ThingWhere => ({ has: ['points', number] })),
  fc.tuple(one(textual), one(parts)).map(([field, text]): ThingWhere => ({ contains: [field, text] })),
)

/** A random condition on things. Each field is compared with values of its own type. */
export const randomWhere = (ids: readonly number[]): fc.Arbitrary<ThingWhere> =>
  fc.letrec<{ tree: ThingWhere; leaf: ThingWhere }>((tie) => ({
    leaf: fc.oneof(equalities(ids), bounded(ids), held),
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 3, arbitrary: tie('leaf') },
      { weight: 2, arbitrary: fc.array(tie('tree'), { maxLength: 3 }).map((all): ThingWhere => ({ all })) },
      { weight: 2, arbitrary: fc.array(tie('tree'), { maxLength: 3 }).map((any): ThingWhere => ({ any })) },
      { weight: 2, arbitrary: tie('tree').map((not): ThingWhere => ({ not })) },
    ),
  })).tree
