import { map, t } from '../../fp.ts'
import type { Fields } from '../input/table.ts'
import { stored } from '../input/table.ts'
import type { Collection, Field, Id, Rec } from '../records/collection.ts'
import { orNull, record } from '../records/record.ts'
import { eq } from '../records/where.ts'
import type { Business, FilterKind, ResourceSpec } from './spec.ts'

/** The text of a unique key: no other record of the tenant that is not removed may have it. */
export const tenantKey = (tenant: Id, text: string): string => `${tenant}|${text}`

/** What a resource says that its collection is made of. */
type Kept = Pick<
  ResourceSpec<string, Fields, Fields, string, string>,
  'many' | 'given' | 'kept' | 'unique' | 'across' | 'filters' | 'besides'
>

/** The collection of a resource: its record, what is unique in it, and what it is listed by. */
export const collectionOf = <R extends Rec>(
  { name, tenant, ids, coded }: Business<string>,
  { many, given, kept, unique = [], across = [], filters = {}, besides = {} }: Kept,
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
  const fieldsBy = (...kinds: readonly FilterKind[]) =>
    Object.entries(filters).flatMap(([field, kind]) =>
      kind !== undefined && kinds.includes(kind) ? [asField(field)] : [],
    )
  const createdAt = asField('createdAt')
  // Its rows name fields of the tables, which are those of the record.
  const more = besides as Partial<Pick<Collection<R>, 'conditions' | 'indexes' | 'tallies' | 'days'>>
  return {
    name: `${name}.${many}`,
    ids,
    codec: { ...codec, decode: (sent) => asTyped(codec.decode(sent)) },
    owner: asField(tenant),
    conditions: { live: eq(asField('removedAt'), null), ...more.conditions },
    ...(more.days && { days: more.days }),
    keys: {
      ...(coded && { code: (each: Rec) => `${each.code}` }),
      ...Object.fromEntries(unique.map((field) => [field, keyOf(field)])),
    },
    indexes: [
      { sort: createdAt, when: 'live', search: asField('search') },
      ...fieldsBy('index', 'own').map((field) => ({ eq: field, sort: createdAt, when: 'live' })),
      ...across.map((field) => ({ eq: asField(field), sort: createdAt, across: true as const })),
      ...(more.indexes ?? []),
    ],
    tallies: [{ by: [asField(tenant), ...fieldsBy('few')], sum: [], when: 'live' }, ...(more.tallies ?? [])],
  }
}
