import {
  all,
  type Change,
  type Collection,
  eq,
  type Field,
  fieldCodecs,
  fieldsOf,
  gt,
  gte,
  type Id,
  lt,
  not,
  type Rec,
  type Where,
} from '../kernel/records/record.ts'
import { tooOldMessage } from '../kernel/records/stored-shape.ts'
import { type Job, type JobRow, type JobSlice, ONCE } from '../kernel/running/jobs.ts'
import { processEach } from '../kernel/running/slices.ts'
import { MAX_DECISIONS } from '../limits.ts'
import { byId, listOf, type Store, StoreUnavailable } from '../ports/store.ts'

/** A migration of records of earlier releases. The worker runs it once, in slices. */
export interface Migration {
  /** Stored, and must not change: a migration that ended does not run again. */
  readonly name: string
  /** Migrates the records after the cursor, and returns the next cursor; null at the end. */
  readonly slice: (store: Store, slice: JobSlice) => Promise<string | null>
}

export interface MigrationRow<R extends Rec> {
  readonly name: string
  readonly from: Collection<R>
  /** The records to migrate; must not match migrated ones. */
  readonly where: Where<Field<R> | RetiredField>
  /**
   * Returns the changes that migrate a record; none if nothing is to be done. They must be idempotent, and guarded
   * because other processes may migrate the record too. The record includes retired fields. `store` reads other
   * records.
   */
  readonly changes: (record: R, store: Store) => readonly Change[] | Promise<readonly Change[]>
}

/** A field that only the collection's `retired` names, and no type. */
type RetiredField = string

const RECORDS_PER_SLICE = 100

interface Cursor {
  readonly after: Id
  /** Failures in the slices before. */
  readonly failed: number
}

/**
 * Builds a migration of the records of a collection. Throws if its condition names a field that the collection never
 * had.
 */
export const migrationOf = <R extends Rec>({ name, from, where, changes }: MigrationRow<R>): Migration => {
  assertKnownFields(name, from, where)
  return {
    name,
    async slice(store, { cursor, report }) {
      const before: Cursor | null = cursor === null ? null : JSON.parse(cursor)
      const condition = all(where, ...(before ? [gt('id', before.after)] : [])) as Where<Field<R>>
      const { records } = await store.list(listOf(from, { where: condition, limit: RECORDS_PER_SLICE }))
      const failures = await processEach(from, records, (record) => migrate(store, { from, changes }, record), report)
      const failed = (before?.failed ?? 0) + failures
      const last = records.at(-1)
      if (last && records.length === RECORDS_PER_SLICE)
        return JSON.stringify({ after: last.id, failed } satisfies Cursor)
      // The job then runs again, over the records that are not migrated yet.
      if (failed > 0) throw new Error(`${name}: ${failed} records of ${from.name} could not be migrated`)
      return null
    },
  }
}

/** No type checks a retired field. With a misspelt one a migration would find no record, end, and never run again. */
const assertKnownFields = <R extends Rec>(
  migration: string,
  { name, codec, retired = [] }: Collection<R>,
  where: Where,
): void => {
  const known = fieldCodecs(codec)
  const unknown = known && fieldsOf(where).find((field) => !Object.hasOwn(known, field) && !retired.includes(field))
  if (unknown) throw new Error(`${migration}: ${name} has no field ${unknown}, neither current nor retired`)
}

const migrate = async <R extends Rec>(
  store: Store,
  { from, changes }: Pick<MigrationRow<R>, 'from' | 'changes'>,
  record: R,
): Promise<void> => {
  let current: R | null = record
  for (let attempt = 1; attempt <= MAX_DECISIONS; attempt += 1) {
    const wanted = current ? await changes(current, store) : []
    if (wanted.length === 0 || (await store.commit(wanted)).ok) return
    current = await store.find(byId(from, record.id))
  }
  throw new Error(`the record changed during each of ${MAX_DECISIONS} attempts`)
}

/**
 * Throws `StoreUnavailable` if an earlier release has not finished a migration that this one no longer has: this one
 * would misread the records that it has not reached.
 */
export const refuseUnmigrated = async (store: Store, jobs: Collection<Job>, migrations: readonly Migration[]) => {
  const where = all(gte('id', STEP), lt('id', AFTER_STEP), not(eq('dueAt', null)))
  const { records } = await store.list(listOf(jobs, { where, limit: RECORDS_PER_SLICE }))
  const known = new Set(migrations.map(({ name }) => STEP + name))
  const unfinished = records.find(({ id }) => !known.has(id))
  if (unfinished) throw new StoreUnavailable(tooOldMessage(unfinished.id))
}

const STEP = 'step:'
/** `;` is the code point after `:`. */
const AFTER_STEP = 'step;'

/** Returns migrations as jobs that run once. */
export const migrationJobs = (store: Store, migrations: readonly Migration[]): readonly JobRow[] =>
  migrations.map(({ name, slice }) => ({ name: STEP + name, schedule: ONCE, run: (job) => slice(store, job) }))
