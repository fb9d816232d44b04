import test from 'ava'
import { all, always, any, eq, isIn, not } from '../../../../core/kernel/records/record.ts'
import { groupBuckets, coveringTally as tallyFor } from '../../../../core/kernel/records/tally.ts'
import { type Thing, things } from '../../../fixtures/things.ts'

/** Returns the position of the tally. */
const coveringTally = (...query: Parameters<typeof tallyFor>) => tallyFor(...query)?.position ?? null

const live = { when: 'live', by: [], sum: [] }

test('a tally covers a query of its fields, its sums and its condition', (t) => {
  t.is(coveringTally(things, { ...live, where: eq('status', 'paid') }), 0)
  t.is(
    coveringTally(things, { ...live, where: any(not(eq('shopId', 'a')), isIn('createdDay', [])), by: ['status'] }),
    0,
  )
  t.is(coveringTally(things, { ...live, where: always, sum: ['valueCents', 'size'] }), 0)
  t.is(coveringTally(things, { ...live, where: eq('active', true) }), null)
  t.is(coveringTally(things, { ...live, where: always, by: ['name'] }), null)
  t.is(coveringTally(things, { ...live, where: always, sum: ['weight'] }), null)
  t.is(coveringTally(things, { ...live, where: always, when: 'listed' }), null)
  t.is(coveringTally(things, { where: eq('status', 'paid'), by: [], sum: [] }), null)
  t.is(coveringTally(things, { where: eq('shopId', 'a'), by: ['active'], sum: [] }), 1)
})

test('a tally without a condition covers one of its fields, which is tested on its buckets', (t) => {
  const collection = {
    ...things,
    conditions: { open: not(eq('status', 'closed')) },
    tallies: [{ by: ['shopId', 'status'], sum: [] }],
  } as const
  const ofShop = { when: 'open', where: eq('shopId', 'a'), by: [], sum: [] } as const
  t.deepEqual(tallyFor(collection, ofShop), { position: 0, where: all(eq('shopId', 'a'), not(eq('status', 'closed'))) })
  t.is(coveringTally({ ...collection, conditions: { open: eq('active', true) } }, ofShop), null)
  const named = [...collection.tallies, { by: ['shopId', 'size'], sum: [], when: 'open' }] as const
  t.deepEqual(tallyFor({ ...collection, tallies: named }, ofShop), { position: 1, where: ofShop.where })
})

test('chooses the covering tally with the fewest fields', (t) => {
  t.is(coveringTally(things, { where: always, by: [], sum: ['size'] }), 2)
  t.is(coveringTally(things, { where: always, by: [], sum: [] }), 2)
  t.is(coveringTally(things, { where: always, by: [], sum: ['valueCents'] }), 1)
})

test('a tally that is not built covers no query', (t) => {
  const ask = { where: always, by: [], sum: [] }
  t.is(
    coveringTally(things, ask, (row) => row !== 2),
    1,
  )
  t.is(
    coveringTally(things, ask, () => false),
    null,
  )
})

test('filters buckets and merges them into groups', (t) => {
  const row = { by: ['shop', 'day'], sum: ['cents', 'size'] }
  const bucket = (shop: string | null, day: string, count: number, cents: number) => ({
    by: [shop, day],
    count,
    sums: [cents, 1],
  })
  const buckets = [bucket('a', '1', 2, 10), bucket('a', '2', 1, 5), bucket(null, '1', 4, 7), bucket('a', '1', -1, -10)]
  const ask = { where: eq('day', '1'), by: ['shop'], sum: ['cents'] }
  t.deepEqual(groupBuckets(row, buckets, ask), [
    { by: { shop: 'a' }, count: 1, sums: { cents: 0 } },
    { by: { shop: null }, count: 4, sums: { cents: 7 } },
  ])
  t.deepEqual(groupBuckets(row, buckets, { where: eq('shop', 'z'), by: [], sum: ['size'] }), [
    { by: {}, count: 0, sums: { size: 0 } },
  ])
  t.deepEqual(groupBuckets(row, [...buckets, bucket('a', '2', -1, -5)], { where: always, by: ['day'], sum: [] }), [
    { by: { day: '1' }, count: 5, sums: {} },
  ])
})

test('prefers a tally whose matching buckets are adjacent, then the smallest', (t) => {
  const rows = [
    { by: ['shopId', 'createdDay', 'status'], sum: [] },
    { by: ['shopId', 'status'], sum: [] },
    { by: ['shopId', 'size', 'createdDay'], sum: [] },
  ] as const
  const collection = { ...things, tallies: rows }
  const covering = (...named: readonly (keyof Thing & string)[]) =>
    coveringTally(collection, { where: all(...named.map((field) => eq(field, 'x'))), by: [], sum: [] })
  t.is(covering('shopId'), 1)
  t.is(covering('shopId', 'status'), 1)
  t.is(covering('shopId', 'createdDay'), 0)
  t.is(covering('shopId', 'size'), 2)
  t.is(covering('shopId', 'createdDay', 'size'), 2)
})
