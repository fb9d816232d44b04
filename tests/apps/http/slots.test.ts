import test from 'ava'
import { createSlots, EVICTED, type Slot } from '../../../apps/http/slots.ts'
import { turn } from '../../core/kernel/running/tasks.ts'

/** Places, with the names of the evicted requests. The first letter of a name is its network. */
const testPlaces = (count: number) => {
  const take = createSlots(count)
  const evicted: string[] = []
  const held = new Map<string, { readonly slot: Slot; readonly end: () => void }>()
  const enter = (name: string): Slot | null => take(name[0] ?? '')
  return {
    evicted,
    enter,
    /** Starts a request whose body is being read; false without a slot. */
    startReading(name: string): boolean {
      const slot = enter(name)
      if (!slot) return false
      const reading = new Promise<void>((end) => held.set(name, { slot, end }))
      void slot.whileReading(() => reading).then((result) => result === EVICTED && evicted.push(name))
      return true
    },
    /** Ends the reading: the request is in progress. */
    async endReading(name: string): Promise<Slot | undefined> {
      held.get(name)?.end()
      await turn()
      return held.get(name)?.slot
    },
  }
}

test('gives a single caller all slots; its next request evicts its oldest', async (t) => {
  const { startReading, evicted } = testPlaces(8)
  for (let number = 1; number <= 8; number += 1) t.true(startReading(`a${number}`))
  await turn()
  t.deepEqual(evicted, [])
  t.true(startReading('a9'))
  await turn()
  t.deepEqual(evicted, ['a1'])
})

test('limits each caller to a quarter of the slots while another request is being read', async (t) => {
  const { startReading, evicted } = testPlaces(8)
  for (let number = 1; number <= 5; number += 1) startReading(`a${number}`)
  t.true(startReading('b1'))
  await turn()
  t.deepEqual(evicted, ['a1', 'a2', 'a3'])
  for (let number = 2; number <= 3; number += 1) startReading(`b${number}`)
  startReading('a6')
  await turn()
  t.deepEqual(evicted, ['a1', 'a2', 'a3', 'b1', 'a4'])
})

test('evicts the oldest request of the caller with the most waiting ones when all slots are taken', async (t) => {
  const { startReading, enter, evicted } = testPlaces(8)
  for (const name of ['b1', 'a1', 'a2', 'c1', 'd1', 'd2', 'e1', 'f1']) startReading(name)
  t.not(enter('g'), null)
  t.not(enter('g'), null)
  await turn()
  t.deepEqual(evicted, ['a1', 'd1'])
})

test('does not evict requests in progress', async (t) => {
  const { startReading, endReading, enter, evicted } = testPlaces(2)
  startReading('a1')
  startReading('a2')
  await endReading('a1')
  const second = await endReading('a2')
  t.is(enter('b'), null)
  t.false(startReading('b1'))
  second?.leave()
  second?.leave()
  t.not(enter('b'), null)
  t.is(enter('b'), null, 'the second leave has no effect')
  t.deepEqual(evicted, [])
})

test('an evicted request has no slot to leave, and is not evicted again', async (t) => {
  const { startReading, endReading, enter, evicted } = testPlaces(1)
  startReading('a1')
  t.not(enter('b'), null)
  await turn()
  t.deepEqual(evicted, ['a1'])
  const gone = await endReading('a1')
  gone?.leave()
  gone?.whileSending(() => t.fail('evicted twice'))
  t.is(enter('c'), null)
})

test('cuts off slow clients for new requests, those of the caller with the most first', async (t) => {
  const { startReading, endReading, enter } = testPlaces(3)
  const cut: string[] = []
  for (const name of ['b1', 'a1', 'a2']) {
    startReading(name)
    const slot = await endReading(name)
    slot?.whileSending(() => cut.push(name))
  }
  t.not(enter('c'), null)
  t.deepEqual(cut, ['a1'])
  t.not(enter('c'), null)
  t.deepEqual(cut, ['a1', 'b1'])
})

test('a request whose body cannot be read is no longer evicted', async (t) => {
  const take = createSlots(1)
  const slot = take('a')
  await t.throwsAsync(async () => slot?.whileReading(() => Promise.reject(new Error('broken off'))), {
    message: 'broken off',
  })
  t.is(take('b'), null, 'its answer is in progress')
  slot?.leave()
  t.not(take('b'), null)
})

test('a share of fewer than four slots is one', async (t) => {
  const { startReading, evicted } = testPlaces(3)
  for (const name of ['a1', 'a2', 'b1']) startReading(name)
  await turn()
  t.deepEqual(evicted, ['a1'])
})
