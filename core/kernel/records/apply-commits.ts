import { MAX_CHANGES_PER_COMMIT } from '../../limits.ts'
import { isStorable } from '../values/text.ts'
import { BatchState, type KeyMove, type NetWrite, type RecordState, type StoreReader } from './batch-state.ts'
import {
  type AnyCollection,
  type At,
  type Change,
  type CommitHook,
  compareBounds,
  type Id,
  matches,
  type Outcome,
  type Rec,
  type Scalar,
  scalarOf,
  type Take,
  type Taken,
} from './record.ts'
import { assertCountable, type TallyDelta, tallyDeltas } from './tally.ts'

/** A commit that waits in a batch. The hook may run several times and must return the same changes each time. */
export interface PendingCommit {
  readonly changes: readonly Change[]
  readonly hook?: CommitHook
}

/**
 * The outcome of a commit, or the programming error that broke this commit alone and with which its promise rejects.
 */
export type CommitResult = Outcome | { readonly error: unknown }

/** The result of a batch: one result per commit, in order, and the net writes. */
export interface BatchResult {
  readonly outcomes: readonly CommitResult[]
  readonly writes: readonly NetWrite[]
  readonly keys: readonly KeyMove[]
  readonly tallies: readonly TallyDelta[]
}

type Failed = Extract<Outcome, { ok: false }>
type Kind<K extends Change['kind']> = Extract<Change, { kind: K }>

interface Member {
  readonly state: BatchState
  readonly number: number
  readonly taken: Map<string, Scalar>
}

/**
 * Applies a batch of commits in order, each on the result of the earlier ones. This is the one interpreter of changes,
 * which all stores use; it is pure and synchronous. A commit that fails or throws is undone. Throws only if `reader`
 * throws.
 */
export const applyCommits = (
  collections: ReadonlyMap<string, AnyCollection>,
  reader: StoreReader,
  commits: readonly PendingCommit[],
): BatchResult => {
  const state = new BatchState(collections, reader)
  const outcomes = commits.map((commit) => resolve(state, commit))
  const writes = state.writes()
  return { outcomes, writes, keys: state.keyMoves(), tallies: tallyDeltas(writes) }
}

const resolve = (state: BatchState, commit: PendingCommit): CommitResult => {
  const member: Member = { state, number: state.begin(), taken: new Map() }
  try {
    const taken = takenOf(member)
    const failed = runAll(member, commit.changes, 0) ?? runHook(member, commit, taken)
    if (failed === null) return { ok: true, taken }
    state.undo()
    return failed
  } catch (error) {
    state.undo()
    if (state.readFailure) throw state.readFailure.error
    return { error }
  }
}

const runHook = (member: Member, { changes, hook }: PendingCommit, taken: Taken): Failed | null =>
  hook ? runAll(member, hook(taken), changes.length) : null

const runAll = (member: Member, changes: readonly Change[], earlier: number): Failed | null => {
  if (earlier + changes.length > MAX_CHANGES_PER_COMMIT)
    throw new Error(`a commit of ${earlier + changes.length} changes: at most ${MAX_CHANGES_PER_COMMIT}`)
  for (const change of changes) {
    const failed = run(member, change)
    if (failed) return failed
  }
  return null
}

const run = (member: Member, change: Change): Failed | null => {
  if (change.kind === 'insert') return insertOne(member, change)
  const recordState = member.state.record(change.at)
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

const insertOne = (member: Member, change: Kind<'insert'>): Failed | null => {
  const recordState = member.state.record(change.at)
  if (recordState.now !== null) return conflict(recordState, 'id')
  return insertAt(member, recordState, change.take ? withTaken(member, change, change.take) : change.record)
}

const insertAt = (member: Member, recordState: RecordState, record: Rec): Failed | null =>
  write(member, recordState, assertStorable(recordState.collectionState.collection, recordState.id, record, null))

const write = (member: Member, recordState: RecordState, after: Rec | null): Failed | null => {
  const key = member.state.write(recordState, after)
  return key === null ? null : conflict(recordState, key)
}

const conflict = ({ collectionState: state }: RecordState, key: string): Failed => ({
  ok: false,
  conflict: { collection: state.collection.name, key },
})

/** Returns the same object if the patch changes no value, so that nothing is written. */
const patched = (now: Rec, { set = {}, add = {}, max = {} }: Kind<'patch'>): Rec => {
  const after: Record<string, Rec[string]> = { ...now, ...set }
  for (const field in add) after[field] = sumOf(after[field] ?? 0, add[field] ?? 0, field)
  for (const field in max) after[field] = maxOf(after[field] ?? null, max[field] ?? null, field)
  for (const field in after) if (after[field] !== now[field]) return after as Rec
  return now
}

const sumOf = (value: Rec[string], by: number, field: string): number => {
  const sum = typeof value === 'number' ? value + by : Number.NaN
  if (!Number.isSafeInteger(sum)) throw new Error(`${field}: ${by} cannot be added to ${value}`)
  return sum
}

const maxOf = (value: Rec[string], bound: string | number | null, field: string): Rec[string] => {
  if (bound === null || value === null) return bound ?? value
  const order = compareBounds(value, bound)
  if (order === null) throw new Error(`${field}: ${bound} and ${value} cannot be compared`)
  return order < 0 ? bound : value
}

const takeName = ([collection, id]: At, field: string): string => `${collection} ${id} ${field}`

const withTaken = (member: Member, { at, record }: Kind<'insert'>, take: Take): Rec => {
  const taken: Record<string, Scalar> = {}
  for (const [field, from] of Object.entries(take)) {
    if (!from) continue
    const value = takenFrom(member, from)
    taken[field] = value
    member.taken.set(takeName(at, field), value)
  }
  return { ...record, ...taken }
}

const takenFrom = (member: Member, [from, field]: readonly [At, string]): Scalar => {
  const recordState = member.state.record(from)
  if (recordState.writer !== member.number || recordState.now === null)
    throw new Error(`${from.join('/')}: cannot take from a record that no earlier change of this commit wrote`)
  const value = scalarOf(recordState.now, field)
  if (value === undefined || recordState.now[field] === undefined)
    throw new Error(`${from.join('/')}: cannot take ${field}, which is absent or no scalar`)
  return value
}

const takenOf =
  (member: Member): Taken =>
  (at: At, field: string) => {
    const value = member.taken.get(takeName(at, field))
    if (value === undefined) throw new Error(`${at.join('/')}: ${field} was not taken`)
    return value
  }

/**
 * Returns the record as decoded by its codec. Throws if it does not decode, changes its id, or contains a value that a
 * store cannot keep exactly: a text that is not NFC or has NUL or a lone surrogate, or a number that is not finite.
 */
const assertStorable = (collection: AnyCollection, id: Id, raw: Rec, before: Rec | null): Rec => {
  const decoded = collection.codec.decode(raw)
  if (decoded._tag === 'Left')
    throw new Error(`${collection.name}/${id} does not decode: ${invalidPaths(decoded.left)}`, { cause: decoded.left })
  const record = before ? withUnknownFields(collection, decoded.right, before) : decoded.right
  if (record.id !== id) throw new Error(`${collection.name}/${id}: its id cannot change to ${record.id}`)
  for (const field in record) {
    // Unchanged fields were checked when they were written.
    if (before === null || record[field] !== before[field])
      assertStorableJson(record[field], `${collection.name}.${field}`)
  }
  if (collection.tallies) assertCountable(collection, record)
  return record
}

/** Keeps the fields that a later release has added, while one of its processes serves the same store. */
const withUnknownFields = ({ retired = [] }: AnyCollection, record: Rec, before: Rec): Rec => {
  let unknown: Record<string, Rec[string]> | null = null
  for (const field in before)
    if (record[field] === undefined && !retired.includes(field)) {
      unknown ??= {}
      unknown[field] = before[field] ?? null
    }
  return unknown ? { ...record, ...unknown } : record
}

/** Returns the paths of the invalid fields. Values are left out because the message is logged. */
const invalidPaths = (errors: unknown): string =>
  Array.isArray(errors) ? [...new Set(errors.map(pathOf))].filter((path) => path !== '').join(', ') : ''

const pathOf = (error: { path?: unknown; context?: readonly { key: string }[] }): string =>
  typeof error.path === 'string' ? error.path : (error.context ?? []).map(({ key }) => key).join('.')

const assertStorableJson = (value: unknown, path: string): void => {
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'string') {
    if (!isStorable(value)) throw new Error(`${path}: a text must be NFC, without NUL or lone surrogates`)
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${path}: ${value} is not JSON`)
  } else if (typeof value === 'object') {
    for (const part of Object.values(value)) assertStorableJson(part, path)
  } else throw new Error(`${path}: ${typeof value} is not JSON`)
}
