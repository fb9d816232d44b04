import { MAX_CHANGES_PER_COMMIT } from '../../limits.ts'
import { isStorable } from '../values/text.ts'
import { BatchState, type KeyMove, type RecordState, type StoreReader, type Written } from './batch-state.ts'
import type { Change, CommitHook, Outcome, Take, Taken } from './change.ts'
import type { AnyCollection } from './collection.ts'
import { type At, compareBounds, type Id, type Rec, type Scalar, scalarOf } from './record.ts'
import { assertTallies, type TallyDelta, tallyDeltas } from './tally.ts'
import { matches } from './where.ts'

/** A commit that waits. The hook may be called several times, and must then give the same. */
export interface Pending {
  readonly changes: readonly Change[]
  readonly hook?: CommitHook
}

/** The outcome of a commit, or the programmer's error that broke this commit alone: its promise rejects with it. */
export type Resolved = Outcome | { readonly error: unknown }

/** What a batch comes to: one resolved commit per pending one, in order, and the net of what is to be written. */
export interface Applied {
  readonly outcomes: readonly Resolved[]
  readonly writes: readonly Written[]
  readonly keys: readonly KeyMove[]
  readonly tallies: readonly TallyDelta[]
}

type Broken = Extract<Outcome, { ok: false }>
type Kind<K extends Change['kind']> = Extract<Change, { kind: K }>

interface Member {
  readonly over: BatchState
  readonly number: number
  /** What was taken so far, by record and field. */
  readonly gave: Map<string, Scalar>
}

/**
 * The one interpreter of changes, pure and synchronous: runs the commits in order, each seeing what the earlier ones
 * left. A commit that breaks, or throws, leaves no trace. Throws only what `reader` throws.
 * Source: design, section 3.
 */
export const apply = (
  collections: ReadonlyMap<string, AnyCollection>,
  reader: StoreReader,
  commits: readonly Pending[],
): Applied => {
  const over = new BatchState(collections, reader)
  const outcomes = commits.map((commit) => resolve(over, commit))
  const writes = over.writes()
  return { outcomes, writes, keys: over.keyMoves(), tallies: tallyDeltas(writes) }
}

const resolve = (over: BatchState, commit: Pending): Resolved => {
  const member: Member = { over, number: over.begin(), gave: new Map() }
  try {
    const taken = takenOf(member)
    const broken = runAll(member, commit.changes, 0) ?? ride(member, commit, taken)
    if (broken === null) return { ok: true, taken }
    over.undo()
    return broken
  } catch (error) {
    over.undo()
    if (over.lost) throw over.lost.error
    return { error }
  }
}

const ride = (member: Member, { changes, hook }: Pending, taken: Taken): Broken | null =>
  hook ? runAll(member, hook(taken), changes.length) : null

const runAll = (member: Member, changes: readonly Change[], earlier: number): Broken | null => {
  if (earlier + changes.length > MAX_CHANGES_PER_COMMIT)
    throw new Error(`a commit of ${earlier + changes.length} changes: at most ${MAX_CHANGES_PER_COMMIT}`)
  for (const change of changes) {
    const broken = run(member, change)
    if (broken) return broken
  }
  return null
}

const run = (member: Member, change: Change): Broken | null => {
  if (change.kind === 'insert') return insertOne(member, change)
  const recordState = member.over.record(change.at)
  const { now } = recordState
  if (change.kind === 'ensure') return now === null ? insertAt(member, recordState, change.record) : null
  if (now === null || !matches(change.when, now)) return { ok: false, stale: change.at }
  if (change.kind === 'check') return null
  if (change.kind === 'remove') return write(member, recordState, null)
  const after = patched(now, change)
  return write(
    member,
    recordState,
    after === now ? now : assertStorable(recordState.collectionState.collection, recordState.id, after, now),
  )
}

const insertOne = (member: Member, change: Kind<'insert'>): Broken | null => {
  const recordState = member.over.record(change.at)
  if (recordState.now !== null) return conflict(recordState, 'id')
  return insertAt(member, recordState, change.take ? withTaken(member, change, change.take) : change.record)
}

const insertAt = (member: Member, recordState: RecordState, record: Rec): Broken | null =>
  write(member, recordState, assertStorable(recordState.collectionState.collection, recordState.id, record, null))

const write = (member: Member, recordState: RecordState, after: Rec | null): Broken | null => {
  const key = member.over.write(recordState, after)
  return key === null ? null : conflict(recordState, key)
}

const conflict = ({ collectionState: state }: RecordState, key: string): Broken => ({
  ok: false,
  conflict: { collection: state.collection.name, key },
})

/** The same record where the patch changes nothing, so that nothing is written. */
const patched = (now: Rec, { set = {}, add = {}, max = {} }: Kind<'patch'>): Rec => {
  const after: Record<string, Rec[string]> = { ...now, ...set }
  for (const field in add) after[field] = added(after[field] ?? 0, add[field] ?? 0, field)
  for (const field in max) after[field] = greater(after[field] ?? null, max[field] ?? null, field)
  for (const field in after) if (after[field] !== now[field]) return after as Rec
  return now
}

const added = (value: Rec[string], by: number, field: string): number => {
  const sum = typeof value === 'number' ? value + by : Number.NaN
  if (!Number.isSafeInteger(sum)) throw new Error(`${field}: ${by} cannot be added to ${value}`)
  return sum
}

const greater = (value: Rec[string], bound: string | number | null, field: string): Rec[string] => {
  if (bound === null || value === null) return bound ?? value
  const order = compareBounds(value, bound)
  if (order === null) throw new Error(`${field}: ${bound} has no order against ${value}`)
  return order < 0 ? bound : value
}

const takeName = ([collection, id]: At, field: string): string => `${collection} ${id} ${field}`

const withTaken = (member: Member, { at, record }: Kind<'insert'>, take: Take): Rec => {
  const given: Record<string, Scalar> = {}
  for (const [field, from] of Object.entries(take)) {
    if (!from) continue
    const value = takenFrom(member, from)
    given[field] = value
    member.gave.set(takeName(at, field), value)
  }
  return { ...record, ...given }
}

const takenFrom = (member: Member, [from, field]: readonly [At, string]): Scalar => {
  const recordState = member.over.record(from)
  if (recordState.writer !== member.number || recordState.now === null)
    throw new Error(`${from.join('/')}: nothing is taken from a record that this commit did not write before`)
  const value = scalarOf(recordState.now, field)
  if (value === undefined || recordState.now[field] === undefined)
    throw new Error(`${from.join('/')}: ${field} holds nothing to take`)
  return value
}

const takenOf =
  (member: Member): Taken =>
  (at: At, field: string) => {
    const value = member.gave.get(takeName(at, field))
    if (value === undefined) throw new Error(`${at.join('/')}: ${field} was not taken`)
    return value
  }

/**
 * The record as its codec knows it, fit to be written. Throws where it does not decode, changes its id, or holds what
 * no store keeps faithfully: a text that is not NFC or has NUL or a lone surrogate, a number that is not finite.
 */
const assertStorable = (collection: AnyCollection, id: Id, raw: Rec, before: Rec | null): Rec => {
  const decoded = collection.codec.decode(raw)
  if (decoded._tag === 'Left')
    throw new Error(`${collection.name}/${id} does not decode: ${wrong(decoded.left)}`, { cause: decoded.left })
  const record = decoded.right
  if (record.id !== id) throw new Error(`${collection.name}/${id} cannot become ${record.id}`)
  for (const field in record) {
    // What the patch left alone was vetted when it was written.
    if (before === null || record[field] !== before[field])
      assertStorableJson(record[field], `${collection.name}.${field}`)
  }
  if (collection.tallies) assertTallies(collection, record)
  return record
}

/** The paths of what did not decode, never the values: a message ends in a log. */
const wrong = (errors: unknown): string =>
  Array.isArray(errors) ? [...new Set(errors.map(pathOf))].filter((path) => path !== '').join(', ') : ''

const pathOf = (error: { path?: unknown; context?: readonly { key: string }[] }): string =>
  typeof error.path === 'string' ? error.path : (error.context ?? []).map(({ key }) => key).join('.')

const assertStorableJson = (value: unknown, path: string): void => {
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'string') {
    if (!isStorable(value)) throw new Error(`${path}: a text must be NFC, without NUL or lone surrogates`)
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${path}: ${value} is no JSON`)
  } else if (typeof value === 'object') {
    for (const part of Object.values(value)) assertStorableJson(part, path)
  } else throw new Error(`${path}: ${typeof value} is no JSON`)
}
