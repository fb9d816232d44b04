import { isLeft, map, right } from '../../failure.ts'
import type { Json } from '../records/record.ts'
import { compareCodePoints } from '../values/text.ts'
import {
  type Field,
  type FieldOptions,
  field,
  type InputCode,
  type JsonSchema,
  PROGRAM,
  type ReadResult,
  reject,
  type Side,
} from './field.ts'
import { isObject } from './input.ts'
import { storable } from './scalars.ts'

/** The deepest nesting of free-form JSON. */
const MAX_JSON_DEPTH = 10
/** The largest size of free-form JSON, as UTF-8. */
const MAX_JSON_BYTES = 16_384

// Names that every object inherits: copying a value with such a key could change the prototype of the copy.
const INHERITED = new Set(['__proto__', 'constructor', 'prototype'])

interface JsonBounds extends FieldOptions {
  readonly maxDepth?: number
  readonly maxBytes?: number
}

/**
 * Free-form JSON; decodes to one canonical text: keys in order, texts in NFC, no spaces. The program passes the text.
 * Fails: `required`, `json.depth`, `json.bytes`, `json.number` (beyond 2^53, where they are not exact), `json.key`
 * (`__proto__`, `constructor`, `prototype`, or the same one twice), `text.malformed`.
 */
export const json = (bounds: JsonBounds = {}): Field<string> => jsonField<string>({}, bounds)

/** A JSON object that a program may pass. */
export type JsonObject = { readonly [key: string]: Json }

/** As `json`, for an object, which a program may pass as such or as text. Fails: `object`, and as `json`. */
export const jsonObject = (bounds: JsonBounds = {}): Field<string, string | JsonObject> =>
  jsonField<string | JsonObject>({ type: 'object' }, bounds)

/** As `json`, for an object or a list, which a program may pass as such or as text. Fails: `object`, and as `json`. */
export const jsonTree = (bounds: JsonBounds = {}): Field<string, string | JsonObject | readonly Json[]> =>
  jsonField<string | JsonObject | readonly Json[]>({ type: ['object', 'array'], items: {} }, bounds)

/**
 * Free-form JSON, sent on both sides as a text or as an object; decodes to one canonical text.
 * Fails: `json` (a text that is not JSON, or a value that is neither text nor object), and as `json`.
 */
export const jsonText = (bounds: JsonBounds = {}): Field<string, string | JsonObject> => {
  const { maxDepth: _depth, maxBytes: _bytes, ...about } = bounds
  const inner = json(bounds).on(PROGRAM)
  const read = (sent: unknown): ReadResult<string> => {
    if (typeof sent !== 'string') return isObject(sent) ? inner.read(sent) : reject('json')
    return sent.trim() === '' ? reject('required') : inner.read(sent)
  }
  return field<string, string | JsonObject, InputCode>({ ...inner, read }, about)
}

const jsonField = <G>(schema: JsonSchema, bounds: JsonBounds, side?: Side): Field<string, G> => {
  const { maxDepth = MAX_JSON_DEPTH, maxBytes = MAX_JSON_BYTES, ...about } = bounds
  const isProgram = side?.is === 'program'
  return field<string, G, InputCode>(
    {
      name: 'json',
      schema,
      is: (value): value is string => typeof value === 'string',
      read: (sent) => {
        const value = isProgram && typeof sent === 'string' ? parsed(sent) : sent
        if (value === undefined) return reject('json')
        if (schema.type !== undefined && !isOf(schema.type, value)) return reject('object')
        const text = canonical(value, maxDepth)
        if (isLeft(text)) return text
        return new TextEncoder().encode(text.right).length > maxBytes ? reject('json.bytes', { max: maxBytes }) : text
      },
      encode: (text) => JSON.parse(text),
    },
    { ...about, on: (other) => jsonField<G>(schema, bounds, other) },
  )
}

const isOf = (types: Json, value: unknown): boolean =>
  typeof value === 'object' && [types].flat().includes(Array.isArray(value) ? 'array' : 'object')

/** Parses a text; undefined if it is not JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const canonical = (value: unknown, depthLeft: number): ReadResult<string> => {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') {
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? right(JSON.stringify(value)) : reject('json.number')
  }
  if (typeof value === 'boolean' || value === null) return right(`${value}`)
  if (typeof value !== 'object') return reject('json')
  if (depthLeft === 0) return reject('json.depth')
  if (Array.isArray(value)) {
    const items = allOf(value, (item) => canonical(item, depthLeft - 1))
    return map((texts: readonly string[]) => `[${texts.join(',')}]`)(items)
  }
  // A date or a map would silently lose its content.
  return isPlain(value) ? members(Object.entries(value), depthLeft - 1) : reject('json')
}

const isPlain = (value: object): boolean => Object.prototype.toString.call(value) === '[object Object]'

const quoted = (sent: string): ReadResult<string> => {
  const text = storable(sent)
  return text === null ? reject('text.malformed') : right(JSON.stringify(text))
}

const members = (entries: readonly (readonly [string, unknown])[], depthLeft: number): ReadResult<string> => {
  const read = allOf(entries, ([key, value]) => {
    if (INHERITED.has(key)) return reject('json.key', { key })
    const name = quoted(key)
    return isLeft(name) ? name : map((text: string) => [name.right, text] as const)(canonical(value, depthLeft))
  })
  if (isLeft(read)) return read
  const sorted = [...read.right].sort(([a], [b]) => compareCodePoints(a, b))
  const twice = sorted.find(([key], index) => key === sorted[index - 1]?.[0])
  return twice ? reject('json.key') : right(`{${sorted.map((each) => each.join(':')).join(',')}}`)
}

/** Decodes items in order, up to the first failure. */
const allOf = <A, B>(items: readonly A[], read: (item: A) => ReadResult<B>): ReadResult<readonly B[]> => {
  const all: B[] = []
  for (const item of items) {
    const got = read(item)
    if (isLeft(got)) return got
    all.push(got.right)
  }
  return right(all)
}
