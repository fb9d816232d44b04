import test from 'ava'
import { createPlaces, EVICTED, type Place } from '../../../apps/http/places.ts'

/** Places, and who of those that were read had to give way. */
const testPlaces = (count: number) => {
  const take = createPlaces(count)
  const gaveWay: string[] = []
  const held = new Map<string, { readonly place: Place; readonly end: () => void }>()
  const enter = (name: string): Place | null => take(name[0] ?? '')
  return {
    gaveWay,
    enter,
    /** Somebody comes, and is slow to say what they want. */
    reads(name: string): boolean {
      const place = enter(name)
      if (!place) return false
      const reading = new Promise<void>((end) => held.set(name, { place, end }))
      void place.whileReading(() => reading).then((came) => came === EVICTED && gaveWay.push(name))
      return true
    },
    /** They have said it: their request is being worked on. */
    async isRead(name: string): Promise<Place | undefined> {
      held.get(name)?.end()
      await turn()
      return held.get(name)?.place
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('one caller alone may have all places; the next one takes that of the longest', async (t) => {
  const { reads, gaveWay } = testPlaces(8)
  for (let number = 1; number <= 8; number += 1) t.true(reads(`a${number}`))
  await turn()
  t.deepEqual(gaveWay, [])
  t.true(reads('a9'))
  await turn()
  t.deepEqual(gaveWay, ['a1'])
})

test('once another one is read too, a quarter is left to each', async (t) => {
  const { reads, gaveWay } = testPlaces(8)
  for (let number = 1; number <= 5; number += 1) reads(`a${number}`)
  t.true(reads('b1'))
  await turn()
  t.deepEqual(gaveWay, ['a1', 'a2', 'a3'])
  for (let number = 2; number <= 3; number += 1) reads(`b${number}`)
  reads('a6')
  await turn()
  t.deepEqual(gaveWay, ['a1', 'a2', 'a3', 'b1', 'a4'])
})

test('where all are taken, the longest of whoever has most gives way to anybody, and who has few stays', async (t) => {
  const { reads, enter, gaveWay } = testPlaces(8)
  for (const name of ['b1', 'a1', 'a2', 'c1', 'd1', 'd2', 'e1', 'f1']) reads(name)
  t.not(enter('g'), null)
  t.not(enter('g'), null)
  await turn()
  t.deepEqual(gaveWay, ['a1', 'd1'])
})

test('what is worked on gives way to nobody: where nothing else is in hand there is no place', async (t) => {
  const { reads, isRead, enter, gaveWay } = testPlaces(2)
  reads('a1')
  reads('a2')
  await isRead('a1')
  const second = await isRead('a2')
  t.is(enter('b'), null)
  t.false(reads('b1'))
  second?.leave()
  second?.leave()
  t.not(enter('b'), null)
  t.is(enter('b'), null, 'who leaves leaves once')
  t.deepEqual(gaveWay, [])
})

test('who gave way has no place to leave any more, nor any to give', async (t) => {
  const { reads, isRead, enter, gaveWay } = testPlaces(1)
  reads('a1')
  t.not(enter('b'), null)
  await turn()
  t.deepEqual(gaveWay, ['a1'])
  const gone = await isRead('a1')
  gone?.leave()
  gone?.whileSending(() => t.fail('it is not waited for'))
  t.is(enter('c'), null)
})

test('whose answer is not taken is cut off for the next one, those of whoever has most first', async (t) => {
  const { reads, isRead, enter } = testPlaces(3)
  const cut: string[] = []
  for (const name of ['b1', 'a1', 'a2']) {
    reads(name)
    const place = await isRead(name)
    place?.whileSending(() => cut.push(name))
  }
  t.not(enter('c'), null)
  t.deepEqual(cut, ['a1'])
  t.not(enter('c'), null)
  t.deepEqual(cut, ['a1', 'b1'])
})

test('a body that cannot be read lets nobody wait for it', async (t) => {
  const take = createPlaces(1)
  const place = take('a')
  await t.throwsAsync(async () => place?.whileReading(() => Promise.reject(new Error('broken off'))), {
    message: 'broken off',
  })
  t.is(take('b'), null, 'it is answered still')
  place?.leave()
  t.not(take('b'), null)
})

test('of fewer than four places a share is one', async (t) => {
  const { reads, gaveWay } = testPlaces(3)
  for (const name of ['a1', 'a2', 'b1']) reads(name)
  await turn()
  t.deepEqual(gaveWay, ['a1'])
})
