import test from 'ava'
import fc from 'fast-check'
import { waitQueue } from '../../../adapters/concurrency/wait-queue.ts'
import { printSeed, SEED } from '../../size.ts'

interface Waiting {
  readonly key: string
  readonly name: string
}

/** A queue with these waiters, in order: `a1 b1 a2`. */
const queueOf = (...names: readonly string[]) => {
  const queue = waitQueue<Waiting>()
  for (const name of names) queue.add(name[0] ?? '', { key: name[0] ?? '', name })
  return queue
}

const namesOf = (waiting: readonly (Waiting | undefined)[]) => waiting.map((each) => each?.name)

test('a key with infinite load gets no turn', (t) => {
  const queue = waitQueue<Waiting>()
  queue.add('', { key: '', name: 'nameless' })
  t.is(
    queue.next(() => Number.POSITIVE_INFINITY),
    undefined,
  )
  t.is(queue.size, 1)
})

for (const [waiting, max, gone] of [
  [['a1', 'a2', 'a3', 'b1'], 2, ['a1']],
  [['a1', 'a2', 'a3', 'b1', 'b2', 'b3'], 1, ['a1', 'a2', 'b1', 'b2']],
  // Only one key waits.
  [['a1', 'a2', 'a3'], 1, []],
  [['a1', 'b1'], 1, []],
] as const) {
  test(`of ${waiting.join(' ')}, the excess over ${max} is ${gone.join(' ') || 'none'}`, (t) => {
    const queue = queueOf(...waiting)
    t.deepEqual(namesOf(queue.takeExcess(max)), [...gone])
    t.is(queue.size, waiting.length - gone.length)
  })
}

test('a waiter is added once, and leaves when it is removed', (t) => {
  const queue = waitQueue<Waiting>()
  const [one, other] = [
    { key: 'a', name: 'a1' },
    { key: 'a', name: 'a2' },
  ]
  queue.add('a', one)
  queue.add('a', one)
  queue.add('a', other)
  t.is(queue.size, 2)
  queue.remove('b', one)
  queue.remove('a', one)
  queue.remove('a', one)
  t.is(queue.size, 1)
  t.deepEqual(namesOf(queue.takeWhere(({ name }) => name === 'a2')), ['a2'])
  t.is(queue.size, 0)
})

type Move = readonly ['add' | 'next' | 'evict' | 'remove' | 'drop', string]

const model = () => {
  let all: Waiting[] = []
  let turns: string[] = []
  const out = (gone: Waiting | undefined) => {
    all = all.filter((each) => each !== gone)
    turns = turns.filter((key) => all.some((each) => each.key === key))
    return gone
  }
  const of = (key: string) => all.filter((each) => each.key === key)
  return {
    all: () => all,
    add(waiting: Waiting) {
      all.push(waiting)
      if (!turns.includes(waiting.key)) turns.push(waiting.key)
    },
    next() {
      const [key = ''] = turns
      const gone = out(of(key)[0])
      if (turns.includes(key)) turns = [...turns.filter((each) => each !== key), key]
      return gone
    },
    evictFor(newcomer: string) {
      const held = turns.map((key) => of(key).length + (key === newcomer ? 1 : 0))
      return out(of(turns[held.indexOf(Math.max(...held))] ?? '')[0])
    },
    out,
  }
}

test('any sequence of moves has the result of plain lists', (t) => {
  const key = fc.constantFrom('a', 'b', 'c', 'd')
  const move: fc.Arbitrary<Move> = fc.tuple(fc.constantFrom('add', 'add', 'next', 'evict', 'remove', 'drop'), key)
  printSeed(t)
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const [queue, plain] = [waitQueue<Waiting>(), model()]
      for (const [number, [what, of]] of moves.entries()) {
        if (what === 'add') {
          const waiting = { key: of, name: `${of}${number}` }
          queue.add(of, waiting)
          plain.add(waiting)
        } else if (what === 'next') t.is(queue.next(), plain.next())
        else if (what === 'evict') t.is(queue.evictFor(of), plain.evictFor(of))
        else if (what === 'remove') {
          const last = plain
            .all()
            .filter((each) => each.key === of)
            .at(-1)
          if (last) queue.remove(of, last)
          plain.out(last)
        } else {
          const gone = plain.all().filter((each) => each.key === of)
          t.deepEqual(
            queue.takeWhere((each) => each.key === of),
            gone.map((each) => plain.out(each) ?? each),
          )
        }
        t.is(queue.size, plain.all().length)
      }
    }),
    { seed: SEED },
  )
})
