import test from 'ava'
import {
  type EntryCount,
  entriesToTest,
  estimateEntries,
  nextStep,
  pageDays,
  sortBounds,
  UNCOUNTED,
} from '../../../../core/kernel/planner/pages.ts'

const ordered = { isOrdered: true, isExact: false, isCovering: false }
const sorted = { ...ordered, isOrdered: false }
const seen = { ...ordered, isCovering: true }

/** Returns the path taken for these numbers of entries, and the entries counted to decide. */
const taken = (paths: readonly (typeof ordered)[], entries: readonly number[], isPage = true) => {
  const figures: EntryCount[] = paths.map(() => UNCOUNTED)
  let counted = 0
  for (;;) {
    const step = nextStep(paths, figures, isPage)
    if ('take' in step) return { path: step.take, counted }
    const all = entries[step.count] ?? 0
    counted += Math.min(all, step.upTo)
    figures[step.count] = { entries: Math.min(all, step.upTo), isComplete: all < step.upTo }
  }
}

test('counts nothing if there is no choice', (t) => {
  t.deepEqual(taken([ordered], [1_000_000]), { path: 0, counted: 0 })
  t.deepEqual(taken([{ ...ordered, isExact: true }, sorted], [1_000_000, 1]), { path: 0, counted: 0 })
})

const choiceTable: readonly (readonly [string, readonly (typeof ordered)[], readonly number[], number])[] = [
  ['a rare match is sorted instead of scanning in order', [ordered, sorted], [1_000_000, 500], 1],
  ['of equal paths, the ordered one', [ordered, sorted], [500, 500], 0],
  ['the rarest of three', [ordered, sorted, sorted], [700_000, 90_000, 1_200], 2],
  ['a covering path with up to ten times the entries', [seen, sorted], [9_000, 1_000], 0],
  ['not a covering path with more', [seen, sorted], [14_000, 1_000], 1],
  ['if all paths exceed the count limit, the ordered one', [ordered, sorted], [9_000_000, 9_000_000], 0],
  ['a path without entries', [ordered, sorted], [1_000_000, 0], 1],
]

test('takes the cheapest path by the counts', (t) => {
  for (const [title, paths, entries, path] of choiceTable) t.is(taken(paths, entries).path, path, title)
})

test('a total ignores the order', (t) => {
  t.is(taken([ordered, sorted], [1_000, 950], false).path, 1)
  t.is(taken([ordered, sorted], [1_000, 950], true).path, 0)
})

test('counting costs about as much as the chosen path', (t) => {
  t.true(taken([ordered, sorted], [1_000_000, 10]).counted <= 2_100)
  t.true(taken([seen, sorted, sorted], [1_000_000, 800_000, 5_000]).counted <= 3 * 75_000)
})

test('estimates the entries of a page from the share of matches, with a margin', (t) => {
  t.deepEqual(estimateEntries(15, 500_000, 1_000_000), { entries: 240, isComplete: true })
  t.deepEqual(estimateEntries(15, 3, 1_000), { entries: 1_000, isComplete: true })
  t.deepEqual(estimateEntries(15, 0, 1_000), { entries: 1_000, isComplete: true })
})

test('an estimated path is tested as far as its estimate, or for half of what the next path costs', (t) => {
  const found = (entries: number, isComplete = true) => ({ entries, isComplete })
  t.is(entriesToTest([ordered, sorted], [found(100), UNCOUNTED], 0), 100)
  t.is(entriesToTest([ordered, sorted], [found(100), found(1_000, false)], 0), 600)
  t.is(entriesToTest([sorted, seen], [found(2_000), found(300)], 1), 12_000)
})

const counts = [
  { day: '2026-11-23', count: 10 },
  { day: '2026-11-22', count: 5 },
  { day: '2026-11-20', count: 20 },
]

test('finds the days of a page from counts by day', (t) => {
  const of = (offset: number, limit: number) => pageDays(counts, { offset, limit })
  t.deepEqual(of(0, 10), { first: '2026-11-23', last: '2026-11-23', offset: 0 })
  t.deepEqual(of(9, 2), { first: '2026-11-23', last: '2026-11-22', offset: 9 })
  t.deepEqual(of(10, 5), { first: '2026-11-22', last: '2026-11-22', offset: 0 })
  t.deepEqual(of(12, 4), { first: '2026-11-22', last: '2026-11-20', offset: 2 })
  t.deepEqual(of(34, 1), { first: '2026-11-20', last: '2026-11-20', offset: 19 })
  t.is(of(34, 2), null)
  t.is(of(35, 1), null)
})

test('bounds an instant field by the first and last day in either order, and other fields by their values', (t) => {
  const days = { createdDay: 'createdAt' }
  const [from, to] = ['2026-11-20T03:00:00.000Z', '2026-11-24T02:59:59.999Z']
  t.deepEqual(sortBounds({ days }, 'createdDay', { first: '2026-11-23', last: '2026-11-20' }), { from, to })
  t.deepEqual(sortBounds({ days }, 'createdDay', { first: '2026-11-20', last: '2026-11-23' }), { from, to })
  t.deepEqual(sortBounds({ days }, 'dueDate', { first: 'b', last: 'a' }), { from: 'a', to: 'b' })
  t.is(sortBounds({ days }, 'createdDay', { first: 'b', last: 'a' }), null)
  t.is(sortBounds({}, 'dueDate', { first: null, last: 'a' }), null)
})
