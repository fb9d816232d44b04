import type { Failure } from '../../failure.ts'
import { type Either, isLeft, right, t } from '../../fp.ts'
import { type Change, insert, patch } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { always, eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { decideAndCommit, decided, type RunnerCode } from '../../kernel/running/use-case.ts'
import { plusSeconds } from '../../kernel/values/day.ts'
import { IMAGE_TYPES, type Image } from '../../kernel/values/image.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

const storedFile = record({
  /** Also its name behind the files port. */
  id: t.string,
  /** Whose it is: a logo is shown to anybody, all else to nobody. */
  kind: word('logo', 'registration'),
  contentType: word(...IMAGE_TYPES),
  sizeBytes: t.number,
  /** When it is to be removed: soon, until something refers to it; null while something does. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
})

/** That there is a file behind the files port: written before the file is, so that none is ever forgotten there. */
export type StoredFile = t.TypeOf<typeof storedFile>

export const storedFiles: Collection<StoredFile> = {
  name: 'payments.files',
  ids: 'text',
  codec: storedFile,
  owner: null,
  shard: 'id',
  conditions: { waiting: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: 'waiting', across: true }],
}

/** How long a file waits for what refers to it: longer than any request takes. */
const UNCLAIMED_SECONDS = 3_600

/**
 * Keeps an image behind the files port, for the commit that will refer to it (`referTo`); nobody's, it is removed again.
 * Fails: `store.unavailable`. Rejects where the files port does.
 */
export const keepImage = async (
  ports: PaymentsPorts,
  kind: StoredFile['kind'],
  { contentType, bytes }: Image,
): Promise<Either<Failure<RunnerCode>, string>> => {
  const begun = await decideAndCommit(
    ports,
    () => null,
    (_, { now, uuid }) => {
      const id = uuid()
      const dueAt = plusSeconds(now, UNCLAIMED_SECONDS)
      const file = { id, kind, contentType, sizeBytes: bytes.length, dueAt, attempts: 0, createdAt: now }
      return decided(id, insert(storedFiles, file))
    },
  )
  if (isLeft(begun)) return begun
  await ports.files.keep(begun.right, bytes)
  return right(begun.right)
}

/** The change that rides with whatever refers to a file from now on. */
export const referTo = (id: string): Change =>
  patch(storedFiles, id, { set: { dueAt: null }, when: not(eq<keyof StoredFile & string>('dueAt', null)) })

/** The change that rides with whatever no longer refers to it: the worker removes it. */
export const letGo = (id: string, { now }: Pick<Fresh, 'now'>): Change =>
  patch(storedFiles, id, { set: { dueAt: now }, when: always })
