import { type Either, type Failure, isLeft, right } from '../failure.ts'
import {
  always,
  type Change,
  type Collection,
  eq,
  insert,
  not,
  orNull,
  patch,
  record,
  remove,
  t,
  word,
} from '../kernel/records/record.ts'
import { leaseGuard, queueOf, queueParts } from '../kernel/running/queue.ts'
import { accept, decideAndCommit, type Fresh, type RunnerCode, type Runtime } from '../kernel/running/use-case.ts'
import { addSeconds } from '../kernel/values/day.ts'
import type { Chunks, Files } from '../ports/files.ts'
import { byId } from '../ports/store.ts'

/** The kinds and content types of a business's files. */
export interface FileTypes<K extends string, C extends string> {
  readonly kinds: readonly K[]
  readonly contentTypes: readonly C[]
}

const fileOf = <K extends string, C extends string>({ kinds, contentTypes }: FileTypes<K, C>) =>
  record({
    /** Also its name in the files port. */
    id: t.string,
    /** Decides who may read the file. */
    kind: word(...kinds),
    contentType: word(...contentTypes),
    sizeBytes: t.number,
    /** The time of its removal, set until the file is attached to a record and again once it is detached; else null. */
    dueAt: orNull(t.string),
    attempts: t.number,
    createdAt: t.string,
  })

/**
 * The record of a file, committed before the file itself is written, so that the files port has no file without a
 * record.
 */
export type StoredFile<K extends string, C extends string> = t.TypeOf<ReturnType<typeof fileOf<K, C>>>

export interface FilePorts extends Runtime {
  readonly files: Files
}

export interface NewFile<C extends string> {
  readonly contentType: C
  readonly bytes: Uint8Array
}

export interface OpenFile<C extends string> {
  readonly contentType: C
  readonly sizeBytes: number
  readonly chunks: Chunks
}

/** The time in which a saved file must be attached: exceeds any request. */
const UNATTACHED_SECONDS = 3_600
/** Exceeds the time of removing a file. */
const REMOVAL_LEASE_SECONDS = 60
const REMOVALS_AT_ONCE = 4

/**
 * Creates the files of a business. A file is saved before the commit of the record that refers to it, and removed by
 * the worker once no record does.
 */
export const filesIn = <K extends string, C extends string>(business: string, types: FileTypes<K, C>) => {
  const storedFiles: Collection<StoredFile<K, C>> = {
    name: `${business}.files`,
    ids: 'text',
    codec: fileOf(types),
    owner: null,
    ...queueParts(),
  }
  return {
    storedFiles,
    /**
     * Saves a file and returns its id. It is removed after an hour unless it is attached. Fails: `store.unavailable`.
     * Rejects if the files port does.
     */
    async save(
      ports: FilePorts,
      kind: K,
      { contentType, bytes }: NewFile<C>,
    ): Promise<Either<Failure<RunnerCode>, string>> {
      const saved = await decideAndCommit(
        ports,
        () => null,
        (_, { now, steady, uuid }) => {
          const id = uuid()
          const dueAt = addSeconds(steady, UNATTACHED_SECONDS)
          const file = { id, kind, contentType, sizeBytes: bytes.length, dueAt, attempts: 0, createdAt: now }
          return accept(id, insert(storedFiles, file))
        },
      )
      if (isLeft(saved)) return saved
      await ports.files.write(saved.right, bytes)
      return right(saved.right)
    },
    /** Returns the change that keeps a file, for the commit of the record that refers to it. */
    attach: (id: string): Change => patch(storedFiles, id, { set: { dueAt: null }, when: not(eq('dueAt', null)) }),
    /** Returns the change that lets the worker remove a file, for the commit that ends the reference. */
    detach: (id: string, { steady }: Pick<Fresh, 'steady'>): Change =>
      patch(storedFiles, id, { set: { dueAt: steady }, when: always }),
    /** Returns an attached file of a kind, else null. */
    async open({ store, files }: Pick<FilePorts, 'store' | 'files'>, kind: K, id: string): Promise<OpenFile<C> | null> {
      const file = await store.find(byId(storedFiles, id))
      if (file?.kind !== kind || file.dueAt !== null) return null
      const chunks = await files.open(id)
      return chunks && { contentType: file.contentType, sizeBytes: file.sizeBytes, chunks }
    },
    part: {
      collections: [storedFiles],
      queues: ({ files, store }: FilePorts) => [
        queueOf({
          collection: storedFiles,
          leaseSeconds: REMOVAL_LEASE_SECONDS,
          atOnce: REMOVALS_AT_ONCE,
          handle: async (file) => {
            await files.remove(file.id)
            await store.commit([remove(storedFiles, file.id, leaseGuard(file))])
          },
        }),
      ],
    },
  }
}
