import { deepEqual, fail } from 'node:assert/strict'
import fc from 'fast-check'
import type { PendingCommit } from '../../../core/kernel/records/apply-commits.ts'
import { type AnyCollection, always, compareIds, compile, type Rec } from '../../../core/kernel/records/record.ts'
import { groupRecords } from '../../../core/kernel/records/tally.ts'
import { type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { thingCollections } from '../../fixtures/things.ts'
import { sortedRows } from '../store/tallies.ts'
import { placeOf, randomBatches } from './changes.ts'
import { type NaiveState, naiveCommit, recordsOf, type Verdict } from './naive-store.ts'

const PLACES = 4
const BATCHES = 8
/** The commits of a batch. All their orders are tried. */
const TOGETHER = 4

/** Asserts that simultaneous commits have the result of some sequential order. */
export const anyBatches = async (store: Store): Promise<void> => {
  const drawn = fc.tuple(
    ...Array.from({ length: PLACES }, (_, index) => randomBatches(placeOf(index), BATCHES, TOGETHER)),
  )
  const property = fc.asyncProperty(drawn, async (places) => {
    let state: NaiveState = new Map()
    for (const batch of places.flat()) {
      state = await commitAlike(store, state, batch)
      await recordsAlike(store, state)
    }
    await keysAlike(store, state)
    await talliesAlike(store, state)
  })
  await fc.assert(property, { numRuns: 1, endOnFailure: true })
}

const commitAlike = async (store: Store, state: NaiveState, batch: readonly PendingCommit[]): Promise<NaiveState> => {
  const settled = await Promise.allSettled(batch.map(({ changes, hook }) => store.commit(changes, hook)))
  const verdicts = settled.map((one, index) => verdictOf(one, batch[index]))
  const stored = await allRecords(store)
  const tried: unknown[] = []
  for (const order of ordersOf(batch.length)) {
    const run = inOrder(state, batch, order)
    if (isSame(run.verdicts, verdicts) && isSame(snapshot(run.state), stored)) return run.state
    tried.push(run.verdicts)
  }
  const facts = { before: snapshot(state), batch, verdicts, tried, stored }
  fail(`no order of these commits has this result: ${JSON.stringify(facts, null, 1)}`)
  return state
}

const verdictOf = (
  settled: PromiseSettledResult<Awaited<ReturnType<Store['commit']>>>,
  commit: PendingCommit | undefined,
): Verdict => {
  if (settled.status === 'rejected') {
    if (settled.reason instanceof StoreUnavailable) throw settled.reason
    return 'error'
  }
  const { value } = settled
  if (!value.ok) return 'stale' in value ? { stale: value.stale } : { conflict: value.conflict }
  const taken = (commit?.changes ?? []).flatMap((change) =>
    change.kind === 'insert'
      ? Object.keys(change.take ?? {}).map((field) => [
          `${change.at.join('/')} ${field}`,
          value.taken(change.at, field),
        ])
      : [],
  )
  return { taken: Object.fromEntries(taken) }
}

const inOrder = (state: NaiveState, batch: readonly PendingCommit[], order: readonly number[]) => {
  const verdicts: Verdict[] = []
  let now = state
  for (const index of order) {
    const run = naiveCommit(thingCollections, now, batch[index] ?? { changes: [] })
    now = run.state
    verdicts[index] = run.verdict
  }
  return { verdicts, state: now }
}

/** Returns all orders of `count` commits, the order of arrival first. */
const ordersOf = (count: number): number[][] => {
  const orders = (left: readonly number[]): number[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((one) => orders(left.filter((other) => other !== one)).map((rest) => [one, ...rest]))
  return orders(Array.from({ length: count }, (_, index) => index))
}

const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
const isSame = (a: unknown, b: unknown): boolean => sortedJson(a) === sortedJson(b)

type Snapshot = Record<string, Rec[]>

const snapshot = (state: NaiveState): Snapshot =>
  Object.fromEntries(
    thingCollections.map((one) => [
      one.name,
      recordsOf(state, one)
        .map(({ record }) => record)
        .sort((a, b) => compareIds(a.id, b.id)),
    ]),
  )

const allRecords = async (store: Store): Promise<Snapshot> => {
  const lists = thingCollections.map(async (from): Promise<[string, Rec[]]> => {
    const { records } = await store.list<Rec>({ kind: 'list', from, where: always, limit: 500 })
    return [from.name, [...records]]
  })
  return Object.fromEntries(await Promise.all(lists))
}

const recordsAlike = async (store: Store, state: NaiveState): Promise<void> => {
  deepEqual(await allRecords(store), snapshot(state))
}

const keysAlike = async (store: Store, state: NaiveState): Promise<void> => {
  for (const from of thingCollections)
    for (const [key, textOf] of Object.entries(from.keys ?? {})) {
      const held = new Map(recordsOf(state, from).map(({ record }) => [textOf(record), record]))
      const asked = [...held.keys(), ...placeTexts].filter((text) => text !== null)
      for (const text of new Set(asked))
        deepEqual(await store.find<Rec>({ kind: 'find', from, by: { key, is: text } }), held.get(text) ?? null)
    }
}

/** Texts that a record may have claimed and released. */
const placeTexts = Array.from({ length: PLACES }, (_, index) => placeOf(index).shopId).flatMap((shop) =>
  ['|1', '|2', '|😀', ' x', ' y'].map((end) => shop + end),
)

const talliesAlike = async (store: Store, state: NaiveState): Promise<void> => {
  for (const from of thingCollections) for (const row of from.tallies ?? []) await tallyAlike(store, state, from, row)
}

type Row = NonNullable<AnyCollection['tallies']>[number]

const tallyAlike = async (store: Store, state: NaiveState, from: AnyCollection, row: Row) => {
  const { by, sum, when } = row
  const test = compile((when === undefined ? undefined : from.conditions?.[when]) ?? always)
  const counted = recordsOf(state, from)
    .map(({ record }) => record)
    .filter(test)
  const rows = await store.group<Rec>({
    kind: 'group',
    from,
    where: always,
    by,
    sum,
    ...(when !== undefined && { when }),
  })
  deepEqual(sortedRows(rows), sortedRows(groupRecords(counted, by, sum)))
}
