import { isJsonObject, type Json } from '../kernel/records/record.ts'

/** The old and new value of each changed field, by its path (`limits.chargeMinCents`); for a secret only `***`. */
export type FieldChanges = Readonly<Record<string, { readonly from: Json; readonly to: Json } | typeof HIDDEN>>

export type Fields = { readonly [field: string]: Json | undefined }

/** The text in the place of a secret or erased value. */
export const HIDDEN = '***'
/** Matches names of fields with secrets, also hashed or sealed. */
const SECRET = /(hash|sealed|token|secret|password|apikey)$/i
/** Fields that follow from other changes. */
const IGNORED = ['updatedAt', 'search']

export interface ComparedFields {
  /** Paths of fields with secrets whose names `SECRET` does not match. */
  readonly secrets?: readonly string[]
  /** Further fields that follow from other changes. */
  readonly ignored?: readonly string[]
}

/**
 * Returns a function that compares a record with the fields to set; absent fields stay as they are. Objects are
 * compared field by field, so that a secret within one is hidden too.
 */
export const fieldComparer = ({ secrets = [], ignored = [] }: ComparedFields) => {
  const skipped = new Set([...IGNORED, ...ignored])
  const isSecret = (path: string): boolean => SECRET.test(path) || secrets.includes(path)
  return (before: Fields, set: Fields): FieldChanges =>
    Object.fromEntries(
      Object.entries(set)
        .filter(([field, value]) => value !== undefined && !skipped.has(field))
        .flatMap(([field, value]) => compare(isSecret, field, before[field] ?? null, value ?? null)),
    )
}

const compare = (
  isSecret: (path: string) => boolean,
  path: string,
  from: Json,
  to: Json,
): [string, FieldChanges[string]][] => {
  if (isSecret(path)) return isEqual(from, to) ? [] : [[path, HIDDEN]]
  if (isJsonObject(from) || isJsonObject(to)) {
    const [old, now] = [isJsonObject(from) ? from : {}, isJsonObject(to) ? to : {}]
    const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    return fields.flatMap((field) => compare(isSecret, `${path}.${field}`, old[field] ?? null, now[field] ?? null))
  }
  return isEqual(from, to) ? [] : [[path, { from, to }]]
}

const isEqual = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)
