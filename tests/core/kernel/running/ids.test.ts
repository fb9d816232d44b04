import test from 'ava'
import { idPool } from '../../../../core/kernel/running/fresh/ids.ts'

const counter = () => {
  let next = 1
  const reserved: number[] = []
  const returned: [number, number][] = []
  return {
    reserved,
    returned,
    reserve: async (_collection: string, count: number) => {
      reserved.push(count)
      next += count
      return next - count
    },
    returnIds: async (_collection: string, from: number, end: number) => {
      returned.push([from, end])
    },
  }
}

const drawMany = async (pool: ReturnType<typeof idPool>, count: number): Promise<number[]> => {
  const drawn: number[] = []
  while (drawn.length < count) {
    const id = pool.draw('a')
    if (id === null) await pool.refill('a')
    else drawn.push(id)
  }
  return drawn
}

test('ids come in order, without gaps, in blocks that double with use up to their bound', async (t) => {
  const store = counter()
  const drawn = await drawMany(idPool(store), 1_000)
  t.deepEqual(
    drawn,
    Array.from({ length: 1_000 }, (_, index) => index + 1),
  )
  t.deepEqual(store.reserved, [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256])
})

test('those who wait for the same collection share one reservation', async (t) => {
  const store = counter()
  const pool = idPool(store)
  t.is(pool.draw('a'), null)
  await Promise.all([pool.refill('a'), pool.refill('a'), pool.refill('a')])
  t.deepEqual(store.reserved, [1])
})

test('a reservation that failed is tried again', async (t) => {
  const store = counter()
  let fail = true
  const pool = idPool({
    ...store,
    reserve: async (collection, count) => {
      if (fail) throw new Error('away')
      return store.reserve(collection, count)
    },
  })
  await t.throwsAsync(pool.refill('a'), { message: 'away' })
  fail = false
  await pool.refill('a')
  t.is(pool.draw('a'), 1)
})

test('a clean stop gives back what was not used', async (t) => {
  const store = counter()
  const pool = idPool(store)
  await drawMany(pool, 5)
  await pool.returnIds()
  t.deepEqual(store.returned, [[6, 9]])
  t.is(pool.draw('a'), null)
})
