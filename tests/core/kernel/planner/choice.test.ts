import test from 'ava'
import { type EntryCount, estimateEntries, nextStep, UNCOUNTED } from '../../../../core/kernel/planner/access-paths.ts'

const ordered = { isOrdered: true, isExact: false, isCovering: false }
const sorted = { ...ordered, isOrdered: false }
const seen = { ...ordered, isCovering: true }

/** The path that is taken where they lead to so many entries, and how many entries were counted to find out. */
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

test('where there is no choice nothing is counted', (t) => {
  t.deepEqual(taken([ordered], [1_000_000]), { path: 0, counted: 0 })
  t.deepEqual(taken([{ ...ordered, isExact: true }, sorted], [1_000_000, 1]), { path: 0, counted: 0 })
})

const table: readonly (readonly [string, readonly (typeof ordered)[], readonly number[], number])[] = [
  ['an old day is sorted, whatever the order walks through', [ordered, sorted], [1_000_000, 500], 1],
  ['what is as rare either way comes in its order', [ordered, sorted], [500, 500], 0],
  ['the rarest of three', [ordered, sorted, sorted], [700_000, 90_000, 1_200], 2],
  ['what the index itself shows is worth ten records', [seen, sorted], [9_000, 1_000], 0],
  ['and no more than that', [seen, sorted], [14_000, 1_000], 1],
  ['where all lead to too much, its order', [ordered, sorted], [9_000_000, 9_000_000], 0],
  ['nothing at all is the best of all', [ordered, sorted], [1_000_000, 0], 1],
]

test('the path is taken that has least to look through, by what was counted', (t) => {
  for (const [title, paths, entries, path] of table) t.is(taken(paths, entries).path, path, title)
})

test('who counts a total asks for no order', (t) => {
  t.is(taken([ordered, sorted], [1_000, 950], false).path, 1)
  t.is(taken([ordered, sorted], [1_000, 950], true).path, 0)
})

test('counting costs about as much as what it finds, and not what it does not', (t) => {
  t.true(taken([ordered, sorted], [1_000_000, 10]).counted <= 2_100)
  t.true(taken([seen, sorted, sorted], [1_000_000, 800_000, 5_000]).counted <= 3 * 75_000)
})

test('what is as common as all is met soon, though it may lie thinner where one looks', (t) => {
  t.deepEqual(estimateEntries(15, 500_000, 1_000_000), { entries: 240, isAll: true })
  t.deepEqual(estimateEntries(15, 3, 1_000), { entries: 1_000, isAll: true })
  t.deepEqual(estimateEntries(15, 0, 1_000), { entries: 1_000, isAll: true })
})
