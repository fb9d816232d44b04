import { isLeft } from '../../../core/fp.ts'
import { paging } from '../../../core/kernel/input/query.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { Page } from '../../../core/kernel/values/page.ts'
import type { Dialect } from '../replies/dialect.ts'
import type { AnyCrud, Verb } from './crud-spec.ts'

/** What an envelope calls one, and many. */
export const keysOf = ({ keys, resource }: AnyCrud) => keys ?? resource.spec

type Names = Readonly<Record<string, Json>>

/** The example as it is shown once it was changed: what is sent otherwise than before, where it is shown at all. */
export const changedExample = ({ example: { sent, change, shown } }: AnyCrud): Json => {
  const [before, after] = [Object(sent) as Names, Object(shown) as Names]
  const isOther = ([name, value]: readonly [string, Json]): boolean =>
    Object.hasOwn(after, name) && JSON.stringify(value) !== JSON.stringify(before[name])
  return { ...after, ...Object.fromEntries(Object.entries(Object(change) as Names).filter(isOther)) }
}

/** A verb's answer as its dialect words it, for its example. */
export const worded = ({ words }: AnyCrud, dialect: Dialect, verb: Verb, key: string | null, data?: Json): Json => {
  const { status = 200, message = '' } = words[verb]
  return JSON.parse(JSON.stringify(dialect.ok({ status, key, data, message, more: {} })))
}

/** Which page is given to who names none. */
const usualPage = ({ pages = paging, module }: AnyCrud, { side }: Dialect): Page => {
  const usual = pages.on(side).decode({})
  if (isLeft(usual)) throw new TypeError(`a list of ${module} cannot be asked for without a page`)
  return usual.right
}

/** A list of one, as its dialect words it: a page, where a list is always one. */
export const wordedList = (spec: AnyCrud, dialect: Dialect): Json => {
  const { words, example, unpaged } = spec
  const { many } = keysOf(spec)
  const { status = 200, message = '' } = words.list
  const data = [example.shown]
  if (unpaged) return worded(spec, dialect, 'list', many, data)
  const { page: number, perPage } = usualPage(spec, dialect)
  const counted = { page: { page: number, perPage, total: data.length }, meta: null }
  const success = { status, key: many, data, message, more: {}, ...counted }
  return JSON.parse(JSON.stringify(dialect.page(success)))
}
