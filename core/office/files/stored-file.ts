import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import { WAITING } from '../../kernel/running/queue.ts'

/** What the files of a business are, and of which types. */
export interface FileWords<K extends string, C extends string> {
  readonly kinds: readonly K[]
  readonly contentTypes: readonly C[]
}

const fileOf = <K extends string, C extends string>({ kinds, contentTypes }: FileWords<K, C>) =>
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
  words: FileWords<K, C>,
): Collection<StoredFile<K, C>> => ({
  name: `${business}.files`,
  ids: 'text',
  codec: fileOf(words),
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: WAITING, across: true }],
})
