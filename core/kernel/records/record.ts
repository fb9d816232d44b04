import { t } from '../../fp.ts'

/** A stored record: exactly these fields, all present; absent is null. */
export const record = <P extends t.Props>(fields: P) => t.strict(fields)

export const orNull = <C extends t.Mixed>(codec: C) => t.union([codec, t.null])

/** One of these words, as stored. */
export const word = <W extends string>(...words: readonly W[]): t.Type<W> => {
  const known: ReadonlySet<unknown> = new Set(words)
  const is = (value: unknown): value is W => known.has(value)
  return new t.Type<W>(
    words.join(' | '),
    is,
    (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
    (value) => value,
  )
}

/** What says more of an object than its fields. */
const NARROWED: ReadonlySet<unknown> = new Set(['ExactType', 'RefinementType', 'ReadonlyType'])

/** The fields of an io-ts codec of an object, with their codecs; null for any other, and for one that does not tell. */
export const propsOf = (codec: object): Readonly<Record<string, object>> | null => {
  if ('props' in codec && typeof codec.props === 'object' && codec.props) return { ...codec.props }
  if (!('_tag' in codec && NARROWED.has(codec._tag))) return null
  return 'type' in codec && typeof codec.type === 'object' && codec.type ? propsOf(codec.type) : null
}
