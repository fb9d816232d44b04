import test from 'ava'
import fc from 'fast-check'
import { fairPlaces, fairShare, MAX_PER_HOST } from '../../../../core/kernel/running/concurrency.ts'

const waiting = (owner: string | null, host: string | null = null) => ({ host, owner })

/** Takes places for one until there are no more; how many that were. */
const takeAll = (places: ReturnType<typeof fairPlaces>, of: ReturnType<typeof waiting>): number => {
  let taken = 0
  while (places.take(of)) taken += 1
  return taken
}

test('a share is an eighth of the places, at least one', (t) => {
  t.deepEqual([1, 4, 8, 15, 16, 64, 128].map(fairShare), [1, 1, 1, 1, 2, 8, 16])
})

test('an owner gets one share over all its hosts; records without an owner are not limited', (t) => {
  const places = fairPlaces(128)
  for (let host = 0; host < 40; host += 1) places.take(waiting('a', `h${host}`))
  t.is(places.free(), 112)
  t.deepEqual(places.busy(), { hosts: [], owners: ['a'] })
  t.is(takeAll(places, waiting(null, 'one')), MAX_PER_HOST)
  t.deepEqual(places.busy(), { hosts: [['one', null]], owners: ['a'] })
  t.is(takeAll(places, waiting(null)), 108)
})

test('an owner at the limit of a host does not keep other owners from it', (t) => {
  const places = fairPlaces(128)
  t.is(takeAll(places, waiting('a', 'one')), MAX_PER_HOST)
  t.deepEqual(places.busy().hosts, [['one', 'a']])
  t.true(places.take(waiting('a', 'other')))
  t.is(takeAll(places, waiting('b', 'one')), MAX_PER_HOST)
})

test('a lone owner grows share by share to half of the places, and a new owner finds a free place', (t) => {
  const places = fairPlaces(32)
  const [a, b] = [waiting('a'), waiting('b')]
  let taken = takeAll(places, a)
  while (places.widen()) taken += takeAll(places, a)
  t.is(taken, 16)
  places.narrow()
  t.is(takeAll(places, b), 4)
  t.false(places.widen())
})

test('two busy owners grow to equal numbers of places', (t) => {
  const places = fairPlaces(64)
  const [a, b] = [waiting('a'), waiting('b')]
  let [ofA, ofB] = [0, 0]
  do {
    ofA += takeAll(places, a)
    ofB += takeAll(places, b)
  } while (places.widen())
  t.deepEqual([ofA, ofB, places.free()], [16, 16, 32])
})

test('no owner exceeds its share beyond half of the places', (t) => {
  const owner = fc.constantFrom('a', 'b', 'c', 'd', null)
  const step = fc.oneof(
    fc.record({ take: owner }),
    fc.record({ leave: fc.nat() }),
    fc.constant('widen' as const),
    fc.constant('narrow' as const),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70 }), fc.array(step, { maxLength: 300 }), (atOnce, steps) => {
      const places = fairPlaces(atOnce)
      const held: ReturnType<typeof waiting>[] = []
      for (const each of steps) {
        if (each === 'widen') places.widen()
        else if (each === 'narrow') places.narrow()
        else if ('take' in each) {
          const one = waiting(each.take)
          const mine = held.filter(({ owner }) => owner === each.take).length
          const hadHalf = held.length < atOnce / 2
          if (places.take(one)) {
            t.true(each.take === null || mine < fairShare(atOnce) || hadHalf)
            held.push(one)
          } else t.true(held.length === atOnce || mine >= fairShare(atOnce))
        } else if (held.length > 0) {
          const [gone] = held.splice(each.leave % held.length, 1)
          if (gone) places.leave(gone)
        }
        t.is(places.free(), atOnce - held.length)
      }
    }),
  )
})
