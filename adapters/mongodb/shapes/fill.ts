import { setTimeout as sleep } from 'node:timers/promises'
import type { Id, Rec } from '../../../core/kernel/records/record.ts'
import { tallyDeltas } from '../../../core/kernel/records/tally.ts'
import { isDuplicate, isTransient, isValidationFailure } from '../connection.ts'
import { type Database, localReader } from '../database.ts'
import { STRIPES } from '../layout/buckets.ts'
import { type Doc, docOf, keyTextsOf, newRev, notWrittenFor, recordOf } from '../layout/document.ts'
import { keyPath, type Shape, type Unfilled } from '../layout/shape.ts'
import type { Permit } from '../transactions.ts'
import { TransactionForgotten } from '../transactions.ts'
import { bucketWrites, ConcurrentWrite, executePlan, type WritePlan } from '../write-plan.ts'

/** Records that are written in one transaction: few, so that whoever waits for one of them does not wait long … */
const RECORDS_AT_ONCE = 100
/** … and more where nobody may write them yet, but all wait for the end. */
const RECORDS_AT_ONCE_CLOSED = 500
const LONGEST_PAUSE_MS = 64

/**
 * Gives the records of earlier generations what they lack, in the order of their ids, and counts them where they were not
 * counted. A record that is written meanwhile gets it by that write. It can be broken off and begun anew at any moment, and
 * be done by several at once: what is done is told by the records themselves.
 */
export const fill = async (base: Database, shape: Shape, permit: Permit, isOver: () => boolean): Promise<void> => {
  const { unfilled, isOpen } = shape
  if (!unfilled) return
  const most = isOpen ? RECORDS_AT_ONCE : RECORDS_AT_ONCE_CLOSED
  for (let last: Id | null = null, pauseMs = 1; !isOver(); ) {
    try {
      const after: Id | null = last
      const docs = await base.sessions.outsideBatches(async (session) => {
        if (!permit.isHeld()) await permit.renew()
        const found = await nextOf(base, shape, unfilled, permit.generation, after, most)
        const { generation } = permit
        if (found.length > 0) await executePlan(base, session, await planOf(base, shape, unfilled, generation, found))
        return found
      })
      last = docs.at(-1)?._id ?? null
      if (docs.length < most) return
      pauseMs = 1
    } catch (error) {
      if (isValidationFailure(error)) await permit.refused()
      else if (!isWorthAnother(error)) throw error
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
    // What is written for somebody comes first.
    await sleep(pauseMs * Math.random())
  }
}

/** Whether it happened need not be known: what is filled is not found again. */
const isWorthAnother = (error: unknown): boolean =>
  error instanceof ConcurrentWrite || error instanceof TransactionForgotten || isTransient(error) || isDuplicate(error)

const nextOf = (
  base: Database,
  { collection }: Shape,
  { since }: Unfilled,
  generation: number,
  last: Id | null,
  limit: number,
): Promise<Doc[]> => {
  const after = last === null ? {} : { _id: { $gt: last } }
  const filter = { ...after, ...notWrittenFor(since, generation) }
  return localReader(base).find(collection.name, { filter, sort: { _id: 1 }, limit, hint: '_id_' })
}

const planOf = async (
  base: Database,
  shape: Shape,
  unfilled: Unfilled,
  generation: number,
  docs: readonly Doc[],
): Promise<WritePlan> => {
  const { collection } = shape
  const rev = newRev(generation)
  const records = docs.map((doc) => recordOf(collection, doc))
  const texts = await textsFor(base, shape, unfilled, docs, records)
  const writes = docs.map((doc, index) => ({
    kind: 'replace' as const,
    id: doc._id,
    since: doc._rev,
    doc: docOf(shape, records[index] ?? { id: doc._id }, texts[index] ?? {}, rev),
  }))
  const deltas = tallyDeltas(records.map((after) => ({ collection, id: after.id, before: null, after })))
  const counted = deltas.filter(({ row }) => unfilled.tallies.has(row))
  const buckets = bucketWrites(new Map([[collection.name, shape]]), counted, Math.floor(Math.random() * STRIPES))
  return { rev, records: [{ name: collection.name, writes }], buckets }
}

/** The texts that each of the records holds: of several that have the same text of a new key, the first by id. */
const textsFor = async (
  base: Database,
  shape: Shape,
  unfilled: Unfilled,
  docs: readonly Doc[],
  records: readonly Rec[],
): Promise<readonly Record<string, string>[]> => {
  const texts = docs.map((doc): Record<string, string> => ({ ...keyTextsOf(shape, doc) }))
  for (const key of unfilled.keys) {
    const wanted = records.map((record) => shape.collection.keys?.[key]?.(record) ?? null)
    const holders = await holdersOf(base, shape, key, wanted)
    for (const [index, text] of wanted.entries()) {
      const [own, id] = [texts[index], docs[index]?._id]
      if (text === null || !own || id === undefined) continue
      if (!holders.has(text)) holders.set(text, id)
      if (holders.get(text) === id) own[key] = text
    }
  }
  return texts
}

const holdersOf = async (base: Database, shape: Shape, key: string, wanted: readonly (string | null)[]) => {
  const filter = { [keyPath(shape, key)]: { $in: wanted.filter((text) => text !== null) } }
  const docs = await localReader(base).find(shape.collection.name, { filter, projection: { _keys: 1 } })
  return new Map<string, Id>(
    docs.flatMap((doc) =>
      Object.entries(keyTextsOf(shape, doc)).flatMap(([of, text]) => (of === key ? [[text, doc._id] as const] : [])),
    ),
  )
}
