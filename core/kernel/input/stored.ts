import { t } from '../../fp.ts'
import type { AnyField } from './codec.ts'
import type { Fields } from './table.ts'

/**
 * The fields of a table as a record keeps them: as a program has them. Only their kind is checked, since their rules may
 * have been others when a record was written.
 */
export const stored = <F extends Fields>(fields: F): { readonly [K in keyof F]: t.Type<t.TypeOf<F[K]>> } =>
  Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, storedField(each)])) as {
    readonly [K in keyof F]: t.Type<t.TypeOf<F[K]>>
  }

const storedField = ({ name, is }: AnyField): t.Mixed =>
  new t.Type(name, is, (value, context) => (is(value) ? t.success(value) : t.failure(value, context)), t.identity)
