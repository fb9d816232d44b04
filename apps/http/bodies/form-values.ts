import type { JsonSchema } from '../../../core/kernel/input/field.ts'
import { isShallow } from './json.ts'

type Parts = Readonly<Record<string, unknown>>

/** `address[city]`, `rules[on_due][channels][]` */
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])+)$/
const MAX_DEPTH = 8

const keysOf = (name: string): readonly string[] => {
  const [, first, rest] = NAME.exec(name) ?? []
  if (first === undefined || rest === undefined) return [name]
  return [first, ...rest.slice(1, -1).split('][')]
}

const put = (into: Map<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    into.set(key, value)
    return
  }
  const known = into.get(key)
  const inner = known instanceof Map ? known : new Map<string, unknown>()
  into.set(key, inner)
  put(inner, rest, value)
}

const plain = (value: unknown): unknown => {
  if (!(value instanceof Map)) return value
  // `name[]` is a list, whatever else it is called by.
  if (value.size === 1 && value.has('')) return [value.get('')].flat()
  return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]))
}

/** What a form says of objects and lists in brackets, as objects and lists. What is bracketed deeper stays as it is. */
export const nested = (parts: Parts): Parts => {
  const root = new Map<string, unknown>()
  for (const [name, value] of Object.entries(parts)) {
    const keys = keysOf(name)
    put(root, keys.length > MAX_DEPTH ? [name] : keys, value)
  }
  return Object.fromEntries([...root].map(([key, inner]) => [key, plain(inner)]))
}

const typesOf = ({ type }: JsonSchema): readonly unknown[] => [type].flat()
const WORDS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false }
const NUMBER = /^-?\d+(\.\d+)?$/

const parsed = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value) ? value : text
  } catch {
    return text
  }
}

const objectOf = (schema: JsonSchema, sent: Parts): Parts => {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>
  const typed = ([key, value]: readonly [string, unknown]) => {
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined
    return [key, inner ? asTyped(inner, value) : value] as const
  }
  return Object.fromEntries(Object.entries(sent).map(typed))
}

/**
 * A form's texts as the numbers, flags, lists and objects that a schema asks for; what reads as none of them stays a text,
 * which its codec then names. An object or a list may also be one text of JSON.
 */
export const asTyped = (schema: JsonSchema, value: unknown): unknown => {
  const types = typesOf(schema)
  if (typeof value === 'string') {
    if (types.includes('boolean')) return WORDS[value] ?? value
    if ((types.includes('number') || types.includes('integer')) && NUMBER.test(value)) return Number(value)
    if (types.includes('object') && value.startsWith('{')) return parsed(value)
    if (types.includes('array')) return value.startsWith('[') ? parsed(value) : [value]
    return value
  }
  if (Array.isArray(value)) return value.map((each) => asTyped((schema.items ?? {}) as JsonSchema, each))
  const isParts = typeof value === 'object' && value !== null && types.includes('object')
  return isParts ? objectOf(schema, value as Parts) : value
}
