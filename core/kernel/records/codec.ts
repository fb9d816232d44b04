import * as t from 'io-ts'
import { isLeft } from '../../failure.ts'

/** Every codec of the project uses this import: deep paths of io-ts fail in Node's ESM and in Deno. */
export { t }

/** Builds the codec of a stored record: exactly these fields, all present. */
export const record = <P extends t.Props>(fields: P): t.ExactC<t.TypeC<P>> => {
  const codec = t.strict(fields)
  const { decode } = codec
  let decodeQuickly: QuickDecoder | null = null
  // Every change of a record decodes it whole. io-ts makes two objects for each field, most of which need a comparison alone.
  return Object.assign(codec, {
    decode: (value: unknown) => {
      decodeQuickly ??= quickDecoder(fields)
      const decoded = isPlain(value) ? decodeQuickly(value) : null
      return decoded ? t.success(decoded as t.TypeOf<typeof codec>) : decode(value)
    },
  })
}

export const orNull = <C extends t.Mixed>(codec: C) => t.union([codec, t.null])

/** Builds the codec of a stored enumeration. */
export const word = <W extends string>(...words: readonly W[]): t.Type<W> =>
  t.keyof(Object.fromEntries(words.map((each) => [each, null])) as Record<W, null>, words.join(' | '))

/** The tags of io-ts codecs that wrap the codec of an object. */
const WRAPPERS: ReadonlySet<unknown> = new Set(['ExactType', 'RefinementType', 'ReadonlyType'])

/** Returns the field codecs of an io-ts object codec, or null for any other codec. */
export const fieldCodecs = (codec: object): Readonly<Record<string, object>> | null => {
  if ('props' in codec && typeof codec.props === 'object' && codec.props) return { ...codec.props }
  if (!('_tag' in codec && WRAPPERS.has(codec._tag))) return null
  return 'type' in codec && typeof codec.type === 'object' && codec.type ? fieldCodecs(codec.type) : null
}

type PlainObject = Readonly<Record<string, unknown>>

/** Returns the decoded object, or null if io-ts has to decode it: it is invalid, or has other keys. */
type QuickDecoder = (value: PlainObject) => PlainObject | null

const quickDecoder = (fields: t.Props): QuickDecoder => {
  const rows = Object.entries(fields).map(([name, codec]) => ({ name, codec, test: testOf(codec) }))
  return (value) => {
    let decoded: Record<string, unknown> | null = null
    for (const { name, codec, test } of rows) {
      const part = value[name]
      if (part === undefined) return null
      if (test) {
        if (!test(part)) return null
        continue
      }
      const got = codec.decode(part)
      if (isLeft(got)) return null
      if (got.right === part) continue
      decoded ??= { ...value }
      decoded[name] = got.right
    }
    return countKeys(value) === rows.length ? (decoded ?? value) : null
  }
}

type Test = (value: unknown) => boolean

const SCALARS = [t.StringType, t.NumberType, t.BooleanType, t.NullType, t.LiteralType, t.KeyofType]

/** Returns a test that accepts the values which a codec decodes to themselves; null for a codec of another kind. */
const testOf = (codec: t.Mixed): Test | null => {
  if (isScalar(codec)) return codec.is
  if (codec instanceof t.UnionType) return unionTest(codec.types)
  if (codec instanceof t.ArrayType) return listTest(testOf(codec.type))
  if (codec instanceof t.ExactType && codec.type instanceof t.InterfaceType) return objectTest(codec.type.props)
  return null
}

const isScalar = (codec: t.Mixed): boolean =>
  SCALARS.some((scalar) => codec instanceof scalar) || (codec instanceof t.RefinementType && isScalar(codec.type))

/** With several lists or objects, an earlier member may accept the value without some of its keys. */
const unionTest = (codecs: readonly t.Mixed[]): Test | null => {
  if (codecs.filter((codec) => !isScalar(codec)).length > 1) return null
  const tests = codecs.map(testOf)
  if (!tests.every((test) => test !== null)) return null
  return (value) => {
    for (const test of tests) if (test(value)) return true
    return false
  }
}

const listTest = (test: Test | null): Test | null =>
  test &&
  ((value) => {
    if (!Array.isArray(value)) return false
    for (const item of value) if (!test(item)) return false
    return true
  })

const objectTest = (fields: t.Props): Test | null => {
  const rows = Object.entries(fields).map(([name, codec]) => ({ name, test: testOf(codec) }))
  if (rows.some(({ test }) => test === null)) return null
  return (value) => {
    if (!isPlain(value)) return false
    for (const { name, test } of rows) if (!test?.(value[name])) return false
    return countKeys(value) === rows.length
  }
}

const isPlain = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const countKeys = (value: object): number => {
  let count = 0
  for (const _ in value) count += 1
  return count
}
