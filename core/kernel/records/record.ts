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
