import type { AnyCollection, Collection } from '../../../core/kernel/records/collection.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { all } from '../../../core/kernel/records/where.ts'
import type { ApiUnderTest, RowsApi } from './api-under-test.ts'

/** Every record of a store as JSON, by collection and id: what counts guesses and requests is left out. */
export type Dump = ReadonlyMap<string, string>

/** Dumps the stores of an API. */
export const dumpsOf = <A extends RowsApi>({
  collections,
  counts,
}: Pick<ApiUnderTest<A>, 'collections' | 'counts'>) => {
  const dumped = collections.filter(({ name }) => !counts.collections.includes(name))
  const fields = new Set(counts.fields)
  const uncounted = (field: string, value: unknown): unknown => (fields.has(field) ? undefined : value)
  // The memory store gives a record that nobody has changed as it gave it before.
  const texts = new WeakMap<Rec, string>()
  const textOf = (record: Rec): string => {
    const text = texts.get(record) ?? JSON.stringify(record, uncounted)
    texts.set(record, text)
    return text
  }
  return async ({ host: { store } }: RowsApi): Promise<Dump> => {
    const dump = new Map<string, string>()
    for (const collection of dumped) {
      for await (const record of store.scan(read(collection), all())) {
        dump.set(`${collection.name}/${record.id}`, textOf(record))
      }
    }
    return dump
  }
}

/** Whatever is in it, it is only read. */
const read = (collection: AnyCollection) => collection as Collection<Rec>

/** What was written between two dumps, a line for each record that is new, other or gone. */
export const writtenBetween = (before: Dump, after: Dump): readonly string[] => [
  ...[...after].flatMap(([at, record]) => (before.get(at) === record ? [] : [`${at} ${record}`])),
  ...[...before.keys()].filter((at) => !after.has(at)).map((at) => `${at} is gone`),
]
