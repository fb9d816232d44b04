import { map, t } from '../../fp.ts'
import { stored } from '../input/stored.ts'
import type { Fields } from '../input/table.ts'
import type { Collection, Field, Id, Rec } from '../records/collection.ts'
import { orNull, record } from '../records/record.ts'
import { eq } from '../records/where.ts'
import type { Business, ResourceSpec } from './spec.ts'

/** The text of a unique key: no other record of the tenant that is not removed may have it. */
export const tenantKey = (tenant: Id, text: string): string => `${tenant}|${text}`

/** What a resource says that its collection is made of. */
type Kept = Pick<ResourceSpec<string, Fields, Fields, string, string>, 'many' | 'given' | 'kept' | 'unique' | 'filters'>

/** The collection of a resource: its record, what is unique in it, and what it is listed by. */
export const collectionOf = <R extends Rec>(
  { name, tenant, ids, coded }: Business<string>,
  { many, given, kept, unique = [], filters = {} }: Kept,
): Collection<R> => {
  const id = ids === 'integer' ? t.number : t.string
  const codec = record({
    id,
    [tenant]: id,
    ...(coded && { code: t.string }),
    ...stored(given),
    ...stored(kept),
    search: t.string,
    createdAt: t.string,
    updatedAt: t.string,
    removedAt: orNull(t.string),
  })
  // Which fields a record has, the types of its tables say.
  const asTyped = map((each: object) => each as R)
  const asField = (field: string) => field as Field<R>
  const keyOf = (field: string) => (each: Rec) =>
    each.removedAt === null && each[field] !== null ? tenantKey(each[tenant] as Id, `${each[field]}`) : null
  const indexed = Object.entries(filters).filter(([, how]) => how !== 'walk')
  const createdAt = asField('createdAt')
  return {
    name: `${name}.${many}`,
    ids,
    codec: { ...codec, decode: (sent) => asTyped(codec.decode(sent)) },
    owner: asField(tenant),
    conditions: { live: eq(asField('removedAt'), null) },
    keys: {
      ...(coded && { code: (each: Rec) => `${each.code}` }),
      ...Object.fromEntries(unique.map((field) => [field, keyOf(field)])),
    },
    indexes: [
      { sort: createdAt, when: 'live', search: asField('search') },
      ...indexed.map(([field]) => ({ eq: asField(field), sort: createdAt, when: 'live' })),
    ],
    tallies: [{ by: [asField(tenant)], sum: [], when: 'live' }],
  }
}
