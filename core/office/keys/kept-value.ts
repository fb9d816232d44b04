import type { KeptForm } from './keys.ts'

/** What JSON gives back as it was: no undefined, no bytes, no functions, and nothing that is made of them. */
export type Keepable<V> = V extends string | number | boolean | null
  ? V
  : V extends (...given: never[]) => unknown
    ? never
    : V extends object
      ? { readonly [K in keyof V]: Keepable<V[K]> }
      : never

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))

const isKeepable = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (Array.isArray(value)) return value.every(isKeepable)
  return isRecord(value) && Object.values(value).every(isKeepable)
}

/**
 * What a program got, as JSON: a record of it has neither status nor type nor headers. What would come back changed is
 * not kept, and so not done: the compiler offers no key where there can be such a thing.
 */
export const keptValue: KeptForm<unknown> = {
  write(value) {
    if (!isKeepable(value)) throw new TypeError('what JSON does not give back cannot be kept for its key')
    return { status: null, type: null, text: JSON.stringify(value), headers: null }
  },
  read: ({ text }) => JSON.parse(text),
}
