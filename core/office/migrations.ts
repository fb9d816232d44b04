import type { Change } from '../kernel/records/change.ts'
import type { Collection } from '../kernel/records/collection.ts'
import { type Field, fieldCodecs, type Id, type Rec } from '../kernel/records/record.ts'
import { all, fieldsOf, gt, type Where } from '../kernel/records/where.ts'
import { type JobRow, type JobSlice, ONCE } from '../kernel/running/jobs.ts'
import { processEach } from '../kernel/running/slices.ts'
import { MAX_DECISIONS } from '../limits.ts'
import { byId, listOf, type Store } from '../ports/store.ts'

/** What moves the records of earlier releases to where those of this one are: once, by the worker. */
export interface Migration {
  /** Known by its name for ever: one that ended is not run again. */
  readonly name: string
  /** Moves some records after a place, and says where the next ones begin. */
  readonly slice: (store: Store, slice: JobSlice) => Promise<string | null>
}

export interface MigrationRow<R extends Rec> {
  readonly name: string
  readonly from: Collection<R>
  /** Which records are to be moved: those that were are none of them. */
  readonly where: Where<Field<R> | RetiredField>
  /**
   * The changes that move a record; none where there is nothing to be done. Guarded, since somebody else may move it too, and
   * idempotent. Fields that are retired stand in the record.
   */
  readonly changes: (record: R) => readonly Change[]
}

/** A field that no type knows any more: only its collection's `retired` does. */
type RetiredField = string

const RECORDS_A_SLICE = 100

/** Where a step has got to, and whether it left any behind on the way. */
interface Place {
  readonly after: Id
  readonly failed: number
}

/** A step over the records of a collection. Throws where it asks for a field that none has or had. Source: design, section 3. */
export const migrationOf = <R extends Rec>({ name, from, where, changes }: MigrationRow<R>): Migration => {
  assertKnown(name, from, where)
  return {
    name,
    async slice(store, { cursor: place, report }) {
      const at: Place | null = place === null ? null : JSON.parse(place)
      const condition = all(where, ...(at ? [gt<'id'>('id', at.after)] : [])) as Where<Field<R>>
      const { records } = await store.list(listOf(from, { where: condition, limit: RECORDS_A_SLICE }))
      const failing = await processEach(from, records, (record) => moved(store, { from, changes }, record), report)
      const failed = (at?.failed ?? 0) + failing
      const last = records.at(-1)
      if (last && records.length === RECORDS_A_SLICE) return JSON.stringify({ after: last.id, failed } satisfies Place)
      // It is run anew: those that were moved are not met again.
      if (failed > 0) throw new Error(`${name}: ${failed} of ${from.name} could not be moved`)
      return null
    },
  }
}

/** A step that finds nothing has ended for ever, and no type checks a retired field: a slip would lose what it is to move. */
const assertKnown = <R extends Rec>(step: string, { name, codec, retired = [] }: Collection<R>, where: Where): void => {
  const known = fieldCodecs(codec)
  const unknown = known && fieldsOf(where).find((field) => !Object.hasOwn(known, field) && !retired.includes(field))
  if (unknown) throw new Error(`${step}: no field of ${name} is or was ${unknown}`)
}

/** Moves a record as it is at the moment of commit. */
const moved = async <R extends Rec>(
  store: Store,
  { from, changes }: Pick<MigrationRow<R>, 'from' | 'changes'>,
  record: R,
): Promise<void> => {
  let now: R | null = record
  for (let attempt = 1; attempt <= MAX_DECISIONS; attempt += 1) {
    const wanted = now ? changes(now) : []
    if (wanted.length === 0 || (await store.commit(wanted)).ok) return
    now = await store.find(byId(from, record.id))
  }
  throw new Error('others keep writing it')
}

/** Steps as jobs that run once. */
export const migrationJobs = (store: Store, steps: readonly Migration[]): readonly JobRow[] =>
  steps.map(({ name, slice }) => ({
    name: `step:${name}`,
    schedule: ONCE,
    run: (job) => slice(store, job),
  }))
