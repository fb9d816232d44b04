import type { Failure } from '../failure.ts'
import { type Either, isLeft, right, t } from '../fp.ts'
import { type Change, insert, patch, remove } from '../kernel/records/change.ts'
import type { Collection } from '../kernel/records/collection.ts'
import { orNull, record, word } from '../kernel/records/record.ts'
import { always, eq, not } from '../kernel/records/where.ts'
import type { Fresh } from '../kernel/running/fresh.ts'
import { leaseGuard, queueOf, WAITING } from '../kernel/running/queue.ts'
import { accept, decideAndCommit, type RunnerCode, type Runtime } from '../kernel/running/use-case.ts'
import { addSeconds } from '../kernel/values/day.ts'
import type { Chunks, Files } from '../ports/files.ts'
import { byId } from '../ports/store.ts'

/** What the files of a business are, and of which types. */
export interface FileTypes<K extends string, C extends string> {
  readonly kinds: readonly K[]
  readonly contentTypes: readonly C[]
}

const fileOf = <K extends string, C extends string>({ kinds, contentTypes }: FileTypes<K, C>) =>
  record({
    /** Also its name behind the files port. */
    id: t.string,
    /** What it is: who may see it depends on that. */
    kind: word(...kinds),
    contentType: word(...contentTypes),
    sizeBytes: t.number,
    /** When it is to be removed: soon, until something refers to it; null while something does. */
    dueAt: orNull(t.string),
    attempts: t.number,
    createdAt: t.string,
  })

/** That there is a file behind the files port: written before the file is, so that none is ever forgotten there. */
export type StoredFile<K extends string, C extends string> = t.TypeOf<ReturnType<typeof fileOf<K, C>>>

export const filesCollection = <K extends string, C extends string>(
  business: string,
  words: FileTypes<K, C>,
): Collection<StoredFile<K, C>> => ({
  name: `${business}.files`,
  ids: 'text',
  codec: fileOf(words),
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: WAITING, acrossOwners: true }],
})

/** How long a file waits for what refers to it: longer than any request takes. */
const UNCLAIMED_SECONDS = 3_600
/** Longer than removing a file takes. */
const REMOVAL_LEASE_SECONDS = 60
const REMOVALS_AT_ONCE = 4

export interface FilePorts extends Runtime {
  readonly files: Files
}

/** A file as somebody sent it. */
export interface NewFile<C extends string> {
  readonly contentType: C
  readonly bytes: Uint8Array
}

/** A file as it is shown. */
export interface OpenFile<C extends string> {
  readonly contentType: C
  readonly sizeBytes: number
  readonly chunks: Chunks
}

/**
 * The files of a business: kept before the commit that refers to them, and removed by the worker once nothing does.
 */
export const filesIn = <K extends string, C extends string>(business: string, words: FileTypes<K, C>) => {
  const storedFiles = filesCollection(business, words)
  return {
    storedFiles,
    /**
     * Keeps a file behind the files port, for the commit that will refer to it (`referTo`); nobody's, it is removed again.
     * Fails: `store.unavailable`. Rejects where the files port does.
     */
    async keep(
      ports: FilePorts,
      kind: K,
      { contentType, bytes }: NewFile<C>,
    ): Promise<Either<Failure<RunnerCode>, string>> {
      const begun = await decideAndCommit(
        ports,
        () => null,
        (_, { now, steady, uuid }) => {
          const id = uuid()
          const dueAt = addSeconds(steady, UNCLAIMED_SECONDS)
          const file = { id, kind, contentType, sizeBytes: bytes.length, dueAt, attempts: 0, createdAt: now }
          return accept(id, insert(storedFiles, file))
        },
      )
      if (isLeft(begun)) return begun
      await ports.files.write(begun.right, bytes)
      return right(begun.right)
    },
    /** The change that rides with whatever refers to a file from now on. */
    referTo: (id: string): Change =>
      patch(storedFiles, id, { set: { dueAt: null }, when: not(eq<'dueAt'>('dueAt', null)) }),
    /** The change that rides with whatever no longer refers to it: the worker removes it. */
    letGo: (id: string, { steady }: Pick<Fresh, 'steady'>): Change =>
      patch(storedFiles, id, { set: { dueAt: steady }, when: always }),
    /** A file of this kind that something refers to; null for any other. */
    async open({ store, files }: Pick<FilePorts, 'store' | 'files'>, kind: K, id: string): Promise<OpenFile<C> | null> {
      const file = await store.find(byId(storedFiles, id))
      if (file?.kind !== kind || file.dueAt !== null) return null
      const chunks = await files.open(id)
      return chunks && { contentType: file.contentType, sizeBytes: file.sizeBytes, chunks }
    },
    /** What a store has to hold of it, and a worker to run: what nothing refers to is removed, and then its record. */
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
