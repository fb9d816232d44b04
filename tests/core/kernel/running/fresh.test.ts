import test from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../../adapters/crypto/random.ts'
import { idPool } from '../../../../core/kernel/running/ids.ts'
import { freshOf } from '../../../../core/kernel/running/use-case.ts'

const opened = () => {
  const ids = { draw: () => 1, refill: async () => {}, returnIds: async () => {} }
  return freshOf({ clock: setClock('2026-11-21T13:00:00.000Z'), random: seededRandom(1), ids })
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

test('every attempt draws equal values of each kind, also on another path', (t) => {
  const draws = opened()
  const { fresh } = draws
  const { text, uuid: drawUuid } = fresh
  const [code, uuid, txid, other] = [text(LETTERS, 22), drawUuid(), text(LETTERS, 32), text(LETTERS, 22)]
  t.deepEqual([code.length, txid.length, other.length], [22, 32, 22])
  t.is(new Set([code, other, uuid]).size, 3)
  draws.rewind()
  // The record that had the first code is there by now: nothing else gets what was drawn for it.
  t.is(fresh.text(LETTERS, 32), txid)
  t.is(fresh.uuid(), uuid)
  t.is(fresh.text(LETTERS, 22).length, 22)
  t.is(fresh.bytes(3).length, 3)
  draws.rewind()
  t.is(fresh.bytes(16).length, 16)
})

test('now follows the clock, and today follows the steady time', (t) => {
  const clock = setClock('2026-11-21T13:00:00.000Z')
  const ids = { draw: () => 1, refill: async () => {}, returnIds: async () => {} }
  const drawn = () => freshOf({ clock, random: seededRandom(1), ids }).fresh
  clock.jump(86_400)
  t.like(drawn(), { now: '2026-11-22T13:00:00.000Z', steady: '2026-11-21T13:00:00.000Z', today: '2026-11-21' })
  clock.advance(600)
  t.like(drawn(), { now: '2026-11-22T13:10:00.000Z', steady: '2026-11-22T13:10:00.000Z', today: '2026-11-22' })
})

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

test('ids come in order and without gaps, in blocks that double up to a bound', async (t) => {
  const store = counter()
  const drawn = await drawMany(idPool(store), 1_000)
  t.deepEqual(
    drawn,
    Array.from({ length: 1_000 }, (_, index) => index + 1),
  )
  t.deepEqual(store.reserved, [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256])
})

test('concurrent callers of one collection share a reservation', async (t) => {
  const store = counter()
  const pool = idPool(store)
  t.is(pool.draw('a'), null)
  await Promise.all([pool.refill('a'), pool.refill('a'), pool.refill('a')])
  t.deepEqual(store.reserved, [1])
})

test('a failed reservation is retried', async (t) => {
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

test('a clean stop returns unused ids', async (t) => {
  const store = counter()
  const pool = idPool(store)
  await drawMany(pool, 5)
  await pool.returnIds()
  t.deepEqual(store.returned, [[6, 9]])
  t.is(pool.draw('a'), null)
})
