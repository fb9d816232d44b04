import test from 'ava'
import fc from 'fast-check'
import { createTurns, inTurns, type Turn } from '../../../apps/http/turns.ts'
import { deferred, turn as loopTurn } from '../../core/kernel/running/tasks.ts'

const turnsPass = async (count: number): Promise<void> => {
  for (let turns = 0; turns < count; turns += 1) await loopTurn()
}

/** Runs a task in a turn, unless it is cancelled. */
const within = async (turn: Turn, task: () => Promise<void>): Promise<void> => {
  if (!(await turn.granted)) return
  await task()
  turn.end()
}

const neverClosed = (): void => {}

/** Records the tenants in the order of their turns. */
const record = (order: string[], tenant: string, turn: Turn): Turn => {
  void turn.granted.then((granted) => granted && order.push(tenant))
  return turn
}

test('grants turns tenant by tenant, in spite of 400 waiting turns of one tenant', async (t) => {
  const requestTurn = createTurns(1)
  const order: string[] = []
  const piece = (tenant: string) => within(record(order, tenant, requestTurn(tenant)), loopTurn)
  const all = [...Array.from({ length: 400 }, () => piece('a')), piece('b'), piece('b'), piece('c')]
  await Promise.all(all)
  t.deepEqual(order.slice(0, 6), ['a', 'b', 'c', 'a', 'b', 'a'])
  t.is(order.length, 403)
})

test('begins one turn in each turn of the event loop, and gives a single tenant half of the slots', async (t) => {
  const requestTurn = createTurns(8)
  const order: string[] = []
  const turns = Array.from({ length: 20 }, () => record(order, 'a', requestTurn('a')))
  for (const count of [1, 2, 3]) {
    await turnsPass(1)
    t.is(order.length, count)
  }
  await turnsPass(20)
  t.is(order.length, 4)
  record(order, 'b', requestTurn('b'))
  await turnsPass(2)
  t.is(order.at(-1), 'b', 'another tenant has room')
  for (const each of turns.slice(0, 4)) each.end()
  await turnsPass(20)
  t.is(order.length, 8)
})

test('prefers tenants with the fewest turns, and limits each to an eighth beyond half of the slots', async (t) => {
  const requestTurn = createTurns(32)
  const order: string[] = []
  const request = (tenant: string) => Array.from({ length: 20 }, () => record(order, tenant, requestTurn(tenant)))
  const ofA = request('a')
  await turnsPass(40)
  t.is(order.length, 16)
  for (const tenant of ['b', 'c']) request(tenant)
  await turnsPass(40)
  t.deepEqual(order.slice(16), ['b', 'c', 'b', 'c', 'b', 'c', 'b', 'c'])
  ofA[0]?.end()
  await turnsPass(40)
  t.is(order.length, 24, 'a tenant with its share waits until half of the slots are free')
})

test('a cancelled turn leaves the queue', async (t) => {
  const requestTurn = createTurns(1)
  const order: string[] = []
  const holder = requestTurn('a')
  t.true(await holder.granted)
  const [gone, waits] = [requestTurn('b'), requestTurn('b')]
  record(order, 'b', waits)
  gone.cancel()
  t.false(await gone.granted)
  holder.end()
  await turnsPass(2)
  t.deepEqual(order, ['b'])
})

test('makes each piece in a turn; a reader that hangs up cancels its turn and ends the source', async (t) => {
  const requestTurn = createTurns(1)
  const holder = requestTurn('a')
  t.true(await holder.granted)
  let isEnded = false
  let made = 0
  async function* pieces() {
    try {
      for (;;) {
        made += 1
        yield made
      }
    } finally {
      isEnded = true
    }
  }
  const each = inTurns(pieces(), () => requestTurn('b'), neverClosed)[Symbol.asyncIterator]()
  const first = each.next()
  holder.end()
  t.deepEqual(await first, { done: false, value: 1 })
  const next = requestTurn('c')
  t.true(await next.granted)
  const waiting = each.next()
  await each.return?.()
  t.like(await waiting, { done: true })
  t.true(isEnded)
  next.end()
  t.true(await requestTurn('d').granted)
  t.is(made, 1)
})

test('keeps the turn of a piece that is being made when its reader hangs up', async (t) => {
  const requestTurn = createTurns(1)
  const making = deferred()
  async function* pieces() {
    await making.promise
    yield 1
  }
  const each = inTurns(pieces(), () => requestTurn('a'), neverClosed)[Symbol.asyncIterator]()
  const first = each.next()
  await turnsPass(2)
  void each.return?.()
  const order: string[] = []
  record(order, 'b', requestTurn('b'))
  await turnsPass(4)
  t.deepEqual(order, [])
  making.resolve()
  await first
  await turnsPass(4)
  t.deepEqual(order, ['b'])
})

test('makes nothing for a reader that hangs up before the first piece', async (t) => {
  const requestTurn = createTurns(1)
  const holder = requestTurn('a')
  t.true(await holder.granted)
  let made = 0
  async function* pieces() {
    made += 1
    yield made
  }
  let close = (): void => {}
  const all = inTurns(
    pieces(),
    () => requestTurn('b'),
    (cancel) => {
      close = cancel
    },
  )
  const first = all[Symbol.asyncIterator]().next()
  close()
  t.like(await first, { done: true })
  holder.end()
  t.true(await requestTurn('c').granted)
  t.is(made, 0)
})

test('grants every turn that is not cancelled, and never more at once than there are slots', async (t) => {
  const tenant = fc.constantFrom('a', 'b', 'c', 'd')
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.record({ tenant, cancelled: fc.boolean() }), { maxLength: 60 }),
      async (slots, requests) => {
        const requestTurn = createTurns(slots)
        let [held, granted] = [0, 0]
        const all = requests.map(async ({ tenant: name, cancelled }) => {
          const turn = requestTurn(name)
          if (cancelled) turn.cancel()
          await within(turn, async () => {
            held += 1
            granted += 1
            t.true(held <= slots)
            await loopTurn()
            held -= 1
          })
        })
        await Promise.all(all)
        t.is(granted, requests.filter(({ cancelled }) => !cancelled).length)
      },
    ),
    { numRuns: 50 },
  )
})
