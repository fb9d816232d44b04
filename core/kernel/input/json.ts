import { isLeft, map, right } from '../../fp.ts'
import type { Json } from '../records/collection.ts'
import { compareCodePoints } from '../values/text.ts'
import type { InputCode, JsonSchema } from './field.ts'
import { type About, type Field, field, PROGRAM, type Read, type Side, wrong } from './field.ts'
import { isObject } from './table.ts'
import { storable } from './texts.ts'

/** How deep free-form JSON may be nested. */
export const MAX_JSON_DEPTH = 10
/** How long free-form JSON may be, as UTF-8. */
export const MAX_JSON_BYTES = 16_384

// Names that every object inherits: whoever copies such a value one day must not meet them as its own.
const INHERITED = new Set(['__proto__', 'constructor', 'prototype'])

interface JsonBounds extends About {
  readonly maxDepth?: number
  readonly maxBytes?: number
}

/**
 * Free-form JSON, as one canonical text: keys in order, texts in NFC, no spaces. A program gives the text of it.
 * Fails: `required`, `json.depth`, `json.bytes`, `json.number` (beyond 2^53, where they are not exact), `json.key`
 * (`__proto__`, `constructor`, `prototype`, or the same one twice), `text.malformed`.
 */
export const json = (bounds: JsonBounds = {}): Field<string> => jsonField<string>({}, bounds)

/** An object of JSON, as a program may give it. */
export type JsonObject = { readonly [key: string]: Json }

/**
 * A free-form JSON object, as one canonical text; a program gives the object, or its text.
 * Fails: `object`, and as free-form JSON does.
 */
export const jsonObject = (bounds: JsonBounds = {}): Field<string, string | JsonObject> =>
  jsonField<string | JsonObject>({ type: 'object' }, bounds)

/**
 * A free-form JSON object or list, as one canonical text; a program gives the value, or its text.
 * Fails: `object`, and as free-form JSON does.
 */
export const jsonTree = (bounds: JsonBounds = {}): Field<string, string | JsonObject | readonly Json[]> =>
  jsonField<string | JsonObject | readonly Json[]>({ type: ['object', 'array'], items: {} }, bounds)

/**
 * Free-form JSON that is sent as the text of it, or as an object, on whatever side; one canonical text.
 * Fails: `json` (a text that is none, and what is no object), and as free-form JSON does.
 */
export const jsonText = (bounds: JsonBounds = {}): Field<string, string | JsonObject> => {
  const { maxDepth: _depth, maxBytes: _bytes, ...about } = bounds
  const inner = json(bounds).on(PROGRAM)
  const read = (sent: unknown): Read<string> => {
    if (typeof sent !== 'string') return isObject(sent) ? inner.read(sent) : wrong('json')
    return sent.trim() === '' ? wrong('required') : inner.read(sent)
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
        if (value === undefined) return wrong('json')
        if (schema.type !== undefined && !isOf(schema.type, value)) return wrong('object')
        const text = canonical(value, maxDepth)
        if (isLeft(text)) return text
        return new TextEncoder().encode(text.right).length > maxBytes ? wrong('json.bytes', { max: maxBytes }) : text
      },
      encode: (text) => JSON.parse(text),
    },
    { ...about, on: (other) => jsonField<G>(schema, bounds, other) },
  )
}

const isOf = (types: Json, value: unknown): boolean =>
  typeof value === 'object' && [types].flat().includes(Array.isArray(value) ? 'array' : 'object')

/** What a program's text says; undefined where it is no JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const canonical = (value: unknown, depthLeft: number): Read<string> => {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') {
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? right(JSON.stringify(value)) : wrong('json.number')
  }
  if (typeof value === 'boolean' || value === null) return right(`${value}`)
  if (typeof value !== 'object') return wrong('json')
  if (depthLeft === 0) return wrong('json.depth')
  if (Array.isArray(value)) {
    const items = allOf(value, (item) => canonical(item, depthLeft - 1))
    return map((texts: readonly string[]) => `[${texts.join(',')}]`)(items)
  }
  // Of a date or a map nothing would be kept, and nobody told.
  return isPlain(value) ? members(Object.entries(value), depthLeft - 1) : wrong('json')
}

const isPlain = (value: object): boolean => Object.prototype.toString.call(value) === '[object Object]'

const quoted = (sent: string): Read<string> => {
  const text = storable(sent)
  return text === null ? wrong('text.malformed') : right(JSON.stringify(text))
}

const members = (entries: readonly (readonly [string, unknown])[], depthLeft: number): Read<string> => {
  const read = allOf(entries, ([key, value]) => {
    if (INHERITED.has(key)) return wrong('json.key', { key })
    const name = quoted(key)
    return isLeft(name) ? name : map((text: string) => [name.right, text] as const)(canonical(value, depthLeft))
  })
  if (isLeft(read)) return read
  const sorted = [...read.right].sort(([a], [b]) => compareCodePoints(a, b))
  const twice = sorted.find(([key], index) => key === sorted[index - 1]?.[0])
  return twice ? wrong('json.key') : right(`{${sorted.map((each) => each.join(':')).join(',')}}`)
}

/** Reads one after the other, as far as the first that is wrong. */
const allOf = <A, B>(items: readonly A[], read: (item: A) => Read<B>): Read<readonly B[]> => {
  const all: B[] = []
  for (const item of items) {
    const got = read(item)
    if (isLeft(got)) return got
    all.push(got.right)
  }
  return right(all)
}
