import type { Json } from '../../kernel/records/record.ts'

/** What became of each field, by its path (`limits.chargeMinCents`); of a secret it tells only that it changed. */
export type FieldChanges = Readonly<Record<string, { readonly from: Json; readonly to: Json } | typeof HIDDEN>>

type Fields = { readonly [field: string]: Json | undefined }

const HIDDEN = '***'
/** What is kept of a secret ends so. */
const SECRET = /(hash|sealed|token|secret|password|apikey)$/i
/** They follow every change and tell nothing of their own. */
const UNTOLD = ['updatedAt', 'search']

/**
 * Which fields a change sets to something else, before and after; those that it leaves out stay. Objects are told field by
 * field, so that a secret within one is hidden too.
 */
export const changesBut = ({
  secrets = [],
  untold = [],
}: {
  readonly secrets?: readonly string[]
  readonly untold?: readonly string[]
}) => {
  const unsaid = new Set([...UNTOLD, ...untold])
  const isSecret = (path: string): boolean => SECRET.test(path) || secrets.includes(path)
  return (before: Fields, set: Fields): FieldChanges =>
    Object.fromEntries(
      Object.entries(set)
        .filter(([field, value]) => value !== undefined && !unsaid.has(field))
        .flatMap(([field, value]) => compared(isSecret, field, before[field] ?? null, value ?? null)),
    )
}

const compared = (
  isSecret: (path: string) => boolean,
  path: string,
  from: Json,
  to: Json,
): [string, FieldChanges[string]][] => {
  if (isSecret(path)) return isSame(from, to) ? [] : [[path, HIDDEN]]
  if (isObject(from) || isObject(to)) {
    const [old, now] = [isObject(from) ? from : {}, isObject(to) ? to : {}]
    const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    return fields.flatMap((field) => compared(isSecret, `${path}.${field}`, old[field] ?? null, now[field] ?? null))
  }
  return isSame(from, to) ? [] : [[path, { from, to }]]
}

const isSame = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
