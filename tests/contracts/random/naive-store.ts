import type { PendingCommit } from '../../../core/kernel/records/apply-commits.ts'
import {
  type AnyCollection,
  type At,
  type Change,
  type Id,
  matches,
  type Rec,
  type Taken,
} from '../../../core/kernel/records/record.ts'
import { compareCodePoints } from '../../../core/kernel/values/text.ts'

/** The records of every collection, by `collection/id`. */
export type NaiveState = ReadonlyMap<string, { readonly collection: string; readonly record: Rec }>

/** The comparable outcome of a commit. `error` stands for all errors of programmers. */
export type Verdict =
  | { readonly taken: Readonly<Record<string, unknown>> }
  | { readonly stale: At }
  | { readonly conflict: { readonly collection: string; readonly key: string } }
  | 'error'

class Broken extends Error {
  readonly verdict: Verdict
  constructor(verdict: Verdict) {
    super('broken')
    this.verdict = verdict
  }
}

const nameOf = (at: At): string => at.join('/')

/**
 * Applies a commit in the simplest way: changes a copy of the whole state step by step, and discards it on failure.
 * Searches keys in all records. The interpreter must have the same results.
 */
export const naiveCommit = (
  collections: readonly AnyCollection[],
  state: NaiveState,
  { changes, hook }: PendingCommit,
): { readonly state: NaiveState; readonly verdict: Verdict } => {
  const next = new Map(state)
  const wrote = new Set<string>()
  const taken: Record<string, unknown> = {}
  const give: Taken = (at, field) => {
    const value = taken[`${nameOf(at)} ${field}`]
    if (value === undefined) throw new Error('not taken')
    return value as ReturnType<Taken>
  }
  const run = (change: Change) => naiveChange(collections, next, change, wrote, taken)
  try {
    for (const change of changes) run(change)
    for (const change of hook?.(give) ?? []) run(change)
    return { state: next, verdict: { taken } }
  } catch (error) {
    return { state, verdict: error instanceof Broken ? error.verdict : 'error' }
  }
}

type Next = Map<string, { readonly collection: string; readonly record: Rec }>

const naiveChange = (
  collections: readonly AnyCollection[],
  state: Next,
  change: Change,
  wrote: Set<string>,
  taken: Record<string, unknown>,
): void => {
  const name = nameOf(change.at)
  const collection = collections.find((one) => one.name === change.at[0])
  if (!collection) throw new Error('no collection')
  const now = state.get(name)?.record
  if (change.kind === 'insert') {
    if (now) throw new Broken({ conflict: { collection: collection.name, key: 'id' } })
    const record: Record<string, Rec[string]> = { ...change.record }
    for (const [field, from] of Object.entries(change.take ?? {})) {
      if (!from) continue
      const source = state.get(nameOf(from[0]))?.record
      const value = source?.[from[1]]
      if (!wrote.has(nameOf(from[0])) || value === undefined || (typeof value === 'object' && value !== null))
        throw new Error('nothing to take')
      record[field] = value
      taken[`${name} ${field}`] = value
    }
    put(collection, state, change.at, record)
  } else if (change.kind === 'ensure') {
    if (now) return
    put(collection, state, change.at, { ...change.record })
  } else {
    if (!now || !matches(change.when, now)) throw new Broken({ stale: change.at })
    if (change.kind === 'remove') state.delete(name)
    if (change.kind === 'patch') put(collection, state, change.at, naivePatch(now, change))
    if (change.kind === 'check') return
  }
  wrote.add(name)
}

const naivePatch = (now: Rec, { set, add, max }: Extract<Change, { kind: 'patch' }>): Record<string, Rec[string]> => {
  const record: Record<string, Rec[string]> = { ...now, ...set }
  for (const [field, by] of Object.entries(add ?? {})) {
    record[field] = Number(record[field] ?? 0) + by
    if (!Number.isSafeInteger(record[field])) throw new Error('unsafe')
  }
  for (const [field, bound] of Object.entries(max ?? {})) {
    const value = record[field] ?? bound
    if (typeof value !== typeof bound) throw new Error('no order')
    const isLess =
      typeof value === 'string' ? compareCodePoints(value, String(bound)) < 0 : Number(value) < Number(bound)
    record[field] = isLess ? bound : value
  }
  return record
}

const put = (collection: AnyCollection, state: Next, at: At, raw: Record<string, Rec[string]>): void => {
  const decoded = collection.codec.decode(raw)
  if (decoded._tag === 'Left' || decoded.right.id !== at[1]) throw new Error('does not decode')
  for (const [key, textOf] of Object.entries(collection.keys ?? {})) {
    const text = textOf(decoded.right)
    const holder = text === null ? null : naiveOwner(collection, state, key, text)
    if (holder !== null && holder !== at[1]) throw new Broken({ conflict: { collection: collection.name, key } })
  }
  state.set(nameOf(at), { collection: collection.name, record: decoded.right })
}

const naiveOwner = (collection: AnyCollection, state: NaiveState, key: string, text: string): Id | null => {
  for (const { record } of recordsOf(state, collection)) if (collection.keys?.[key]?.(record) === text) return record.id
  return null
}

export const recordsOf = (state: NaiveState, collection: { readonly name: string }): { readonly record: Rec }[] =>
  [...state.values()].filter((one) => one.collection === collection.name)
