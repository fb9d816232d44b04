import test from 'ava'
import fc from 'fast-check'
import { createTurns, inTurns, type Turn } from '../../../apps/http/turns.ts'
import { deferred, turn as loopTurn } from '../../core/kernel/running/tasks.ts'

const turnsPass = async (count: number): Promise<void> => {
  for (let turns = 0; turns < count; turns += 1) await loopTurn()
}

/** Does something in a turn, unless that is given up. */
const within = async (turn: Turn, task: () => Promise<void>): Promise<void> => {
  if (!(await turn.granted)) return
  await task()
  turn.end()
}

const nobodyLeaves = (): void => {}

/** Notes whose turn came, in their order. */
const noting = (order: string[], tenant: string, turn: Turn): Turn => {
  void turn.granted.then((isThere) => isThere && order.push(tenant))
  return turn
}

test('whoever asks for much waits for themselves: others come after one piece of theirs', async (t) => {
  const takeTurn = createTurns(1)
  const order: string[] = []
  const piece = (tenant: string) => within(noting(order, tenant, takeTurn(tenant)), loopTurn)
  const all = [...Array.from({ length: 400 }, () => piece('a')), piece('b'), piece('b'), piece('c')]
  await Promise.all(all)
  t.deepEqual(order.slice(0, 6), ['a', 'b', 'c', 'a', 'b', 'a'])
  t.is(order.length, 403)
})

test('one begins in a turn of the event loop, and alone a tenant has half of the places', async (t) => {
  const takeTurn = createTurns(8)
  const order: string[] = []
  const turns = Array.from({ length: 20 }, () => noting(order, 'a', takeTurn('a')))
  for (const begun of [1, 2, 3]) {
    await turnsPass(1)
    t.is(order.length, begun)
  }
  await turnsPass(20)
  t.is(order.length, 4)
  noting(order, 'b', takeTurn('b'))
  await turnsPass(2)
  t.is(order.at(-1), 'b', 'there is room for whoever comes')
  for (const each of turns.slice(0, 4)) each.end()
  await turnsPass(20)
  t.is(order.length, 8)
})

test('who have the fewest come first, and beyond one half of the places nobody has more than an eighth', async (t) => {
  const takeTurn = createTurns(32)
  const order: string[] = []
  const ask = (tenant: string) => Array.from({ length: 20 }, () => noting(order, tenant, takeTurn(tenant)))
  const ofA = ask('a')
  await turnsPass(40)
  t.is(order.length, 16)
  for (const tenant of ['b', 'c']) ask(tenant)
  await turnsPass(40)
  t.deepEqual(order.slice(16), ['b', 'c', 'b', 'c', 'b', 'c', 'b', 'c'])
  ofA[0]?.end()
  await turnsPass(40)
  t.is(order.length, 24, 'whoever has a share waits until half of the places are free')
})

test('who gives up leaves the line', async (t) => {
  const takeTurn = createTurns(1)
  const order: string[] = []
  const holder = takeTurn('a')
  t.true(await holder.granted)
  const [gone, waits] = [takeTurn('b'), takeTurn('b')]
  noting(order, 'b', waits)
  gone.cancel()
  t.false(await gone.granted)
  holder.end()
  await turnsPass(2)
  t.deepEqual(order, ['b'])
})

test('pieces come in turns; who hangs up while they wait is not waited for, and what they were made from is let go of', async (t) => {
  const takeTurn = createTurns(1)
  const holder = takeTurn('a')
  t.true(await holder.granted)
  let isLetGo = false
  let made = 0
  async function* pieces() {
    try {
      for (;;) {
        made += 1
        yield made
      }
    } finally {
      isLetGo = true
    }
  }
  const each = inTurns(pieces(), () => takeTurn('b'), nobodyLeaves)[Symbol.asyncIterator]()
  const first = each.next()
  holder.end()
  t.deepEqual(await first, { done: false, value: 1 })
  const next = takeTurn('c')
  t.true(await next.granted)
  const waiting = each.next()
  await each.return?.()
  t.like(await waiting, { done: true })
  t.true(isLetGo)
  next.end()
  t.true(await takeTurn('d').granted)
  t.is(made, 1)
})

test('a piece that is being made when its reader hangs up keeps its place until it is made', async (t) => {
  const takeTurn = createTurns(1)
  const making = deferred()
  async function* pieces() {
    await making.promise
    yield 1
  }
  const each = inTurns(pieces(), () => takeTurn('a'), nobodyLeaves)[Symbol.asyncIterator]()
  const first = each.next()
  await turnsPass(2)
  void each.return?.()
  const order: string[] = []
  noting(order, 'b', takeTurn('b'))
  await turnsPass(4)
  t.deepEqual(order, [])
  making.resolve()
  await first
  await turnsPass(4)
  t.deepEqual(order, ['b'])
})

test('who is gone before the first piece is not waited for, and nothing is made', async (t) => {
  const takeTurn = createTurns(1)
  const holder = takeTurn('a')
  t.true(await holder.granted)
  let made = 0
  async function* pieces() {
    made += 1
    yield made
  }
  let leave = (): void => {}
  const all = inTurns(
    pieces(),
    () => takeTurn('b'),
    (giveUp) => {
      leave = giveUp
    },
  )
  const first = all[Symbol.asyncIterator]().next()
  leave()
  t.like(await first, { done: true })
  holder.end()
  t.true(await takeTurn('c').granted)
  t.is(made, 0)
})

test('whoever asks and gives up, all who wait come to their turn, and no more than there are places', async (t) => {
  const tenant = fc.constantFrom('a', 'b', 'c', 'd')
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.record({ tenant, gaveUp: fc.boolean() }), { maxLength: 60 }),
      async (places, asked) => {
        const takeTurn = createTurns(places)
        let [held, came] = [0, 0]
        const all = asked.map(async ({ tenant: whose, gaveUp }) => {
          const mine = takeTurn(whose)
          if (gaveUp) mine.cancel()
          await within(mine, async () => {
            held += 1
            came += 1
            t.true(held <= places)
            await loopTurn()
            held -= 1
          })
        })
        await Promise.all(all)
        t.is(came, asked.filter(({ gaveUp }) => !gaveUp).length)
      },
    ),
    { numRuns: 50 },
  )
})
