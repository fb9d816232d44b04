import test from 'ava'
import fc from 'fast-check'
import { waitQueue } from '../../../adapters/concurrency/wait-queue.ts'
import { printSeed, SEED } from '../../size.ts'

interface Waiting {
  readonly key: string
  readonly name: string
}

/** They come in this order: `a1 b1 a2`. */
const come = (...names: readonly string[]) => {
  const line = waitQueue<Waiting>()
  for (const name of names) line.add(name[0] ?? '', { key: name[0] ?? '', name })
  return line
}

const namesOf = (waiting: readonly (Waiting | undefined)[]) => waiting.map((each) => each?.name)

test('keys take turns, and each has its own in the order they came', (t) => {
  const line = come('a1', 'a2', 'a3', 'b1', 'c1', 'b2')
  t.deepEqual(namesOf(Array.from({ length: 7 }, () => line.next())), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
  t.is(line.size, 0)
})

test('nobody comes out whose key may have no more under way, whatever the key is', (t) => {
  const line = waitQueue<Waiting>()
  line.add('', { key: '', name: 'nameless' })
  t.is(
    line.next(() => Number.POSITIVE_INFINITY),
    undefined,
  )
  t.is(line.size, 1)
})

for (const [waiting, newcomer, gone] of [
  [['a1', 'b1', 'a2'], 'c', 'a1'],
  [['b1', 'a1', 'a2', 'b2', 'b3'], 'a', 'b1'],
  // The newcomer counts with its own.
  [['a1', 'b1', 'a2', 'b2'], 'b', 'b1'],
  [['a1', 'b1'], 'b', 'b1'],
  // Of those who hold alike, whoever has waited longest.
  [['b1', 'a1'], 'c', 'b1'],
  [['b1', 'a1', 'b2', 'a2'], 'c', 'b1'],
  [[], 'a', undefined],
] as const) {
  test(`of ${waiting.join(' ') || 'nobody'} ${gone ?? 'nobody'} gives way to one of ${newcomer}`, (t) => {
    const line = come(...waiting)
    t.is(line.evictFor(newcomer)?.name, gone)
    t.is(line.size, Math.max(0, waiting.length - 1))
  })
}

for (const [waiting, most, gone] of [
  [['a1', 'a2', 'a3', 'b1'], 2, ['a1']],
  [['a1', 'a2', 'a3', 'b1', 'b2', 'b3'], 1, ['a1', 'a2', 'b1', 'b2']],
  // Nobody else waits.
  [['a1', 'a2', 'a3'], 1, []],
  [['a1', 'b1'], 1, []],
] as const) {
  test(`of ${waiting.join(' ')} those beyond ${most} are ${gone.join(' ') || 'none'}`, (t) => {
    const line = come(...waiting)
    t.deepEqual(namesOf(line.takeExcess(most)), [...gone])
    t.is(line.size, waiting.length - gone.length)
  })
}

test('who leaves is not there any more, and who is there comes in once', (t) => {
  const line = waitQueue<Waiting>()
  const [one, other] = [
    { key: 'a', name: 'a1' },
    { key: 'a', name: 'a2' },
  ]
  line.add('a', one)
  line.add('a', one)
  line.add('a', other)
  t.is(line.size, 2)
  line.remove('b', one)
  line.remove('a', one)
  line.remove('a', one)
  t.is(line.size, 1)
  t.deepEqual(namesOf(line.takeWhere(({ name }) => name === 'a2')), ['a2'])
  t.is(line.size, 0)
})

type Move = readonly ['add' | 'next' | 'give way' | 'remove' | 'drop', string]

/** The same by plain lists, the slow way. */
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
    giveWay(newcomer: string) {
      const held = turns.map((key) => of(key).length + (key === newcomer ? 1 : 0))
      return out(of(turns[held.indexOf(Math.max(...held))] ?? '')[0])
    },
    out,
  }
}

test('whatever happens, it does as plain lists do', (t) => {
  const key = fc.constantFrom('a', 'b', 'c', 'd')
  const move: fc.Arbitrary<Move> = fc.tuple(fc.constantFrom('add', 'add', 'next', 'give way', 'remove', 'drop'), key)
  printSeed(t)
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const [line, plain] = [waitQueue<Waiting>(), model()]
      for (const [number, [what, whose]] of moves.entries()) {
        if (what === 'add') {
          const waiting = { key: whose, name: `${whose}${number}` }
          line.add(whose, waiting)
          plain.add(waiting)
        } else if (what === 'next') t.is(line.next(), plain.next())
        else if (what === 'give way') t.is(line.evictFor(whose), plain.giveWay(whose))
        else if (what === 'remove') {
          const last = plain
            .all()
            .filter((each) => each.key === whose)
            .at(-1)
          if (last) line.remove(whose, last)
          plain.out(last)
        } else {
          const gone = plain.all().filter((each) => each.key === whose)
          t.deepEqual(
            line.takeWhere((each) => each.key === whose),
            gone.map((each) => plain.out(each) ?? each),
          )
        }
        t.is(line.size, plain.all().length)
      }
    }),
    { seed: SEED },
  )
})
