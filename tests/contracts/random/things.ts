import fc from 'fast-check'
import type { Where } from '../../../core/kernel/records/where.ts'
import { type Thing, thing } from '../../fixtures/things.ts'

/** Texts that databases order, fold or escape each in their own way. */
const texts = ['', 'a', 'B', 'á', 'ação', 'Z', 'z', 'aa', '\u{FFFD}', '😀', '😀a', 'ﬁ', '10', '9', 'a%b', 'a_b', "it's"]
const oddTexts = [...texts, '\\', '"', 'null', ' ', 'a\nb', '\u{10FFFF}', '[]', '$a', '\u{E000}']
const days = ['2026-01-01', '2026-01-02', '2025-12-31']
const numbers = [0, 1, -1, 2, 10, 9, 1_000_000_007, -2_147_483_649]
const weights = [0, 0.1, -0.5, 1.5, 2, 1e21]
const parts = ['', 'a', '%', '_', 'ã', '😀', "'", '\\', 'b']

const one = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
const maybe = <T>(values: readonly T[]): fc.Arbitrary<T | null> => fc.option(one(values), { freq: 3 })

/** Values of each field that a query compares, without null. */
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

/** The fields by which a page of things may be sorted. */
export const sortable = [...ordered, 'active'] as const

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

export const randomThings = (firstId: number, count: number, shopId: string): fc.Arbitrary<Thing[]> =>
  fc.tuple(...Array.from({ length: count }, (_, index) => randomThing(firstId + index, shopId)))

type ThingWhere = Where<keyof Thing>
type Scalars = keyof typeof scalars

const drawn = (field: Scalars | 'id', ids: readonly number[]): fc.Arbitrary<string | number | boolean> =>
  field === 'id' ? one(ids) : one<string | number | boolean>(scalars[field])

const equal = (ids: readonly number[]): fc.Arbitrary<ThingWhere> =>
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

/** Any tree of conditions over the fields of things, each field compared with values of its own kind. */
export const randomWhere = (ids: readonly number[]): fc.Arbitrary<ThingWhere> =>
  fc.letrec<{ tree: ThingWhere; leaf: ThingWhere }>((tie) => ({
    leaf: fc.oneof(equal(ids), bounded(ids), held),
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 3, arbitrary: tie('leaf') },
      { weight: 2, arbitrary: fc.array(tie('tree'), { maxLength: 3 }).map((all): ThingWhere => ({ all })) },
      { weight: 2, arbitrary: fc.array(tie('tree'), { maxLength: 3 }).map((any): ThingWhere => ({ any })) },
      { weight: 2, arbitrary: tie('tree').map((not): ThingWhere => ({ not })) },
    ),
  })).tree
