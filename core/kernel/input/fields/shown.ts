import { right } from '../../../fp.ts'
import type { Json } from '../../records/collection.ts'
import { localDateTime } from '../../values/day.ts'
import { reaisFromCents } from '../../values/money.ts'
import { type About, anyField, type Field, list, type Read } from '../codec.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Side } from '../side.ts'
import type { Viewing } from '../view.ts'

/** A field that is only shown: nobody sends it. */
const only = <A>(
  name: string,
  schema: JsonSchema,
  about: About,
  encode?: (value: A) => unknown,
  on?: (side: Side) => Field<A>,
): Field<A> =>
  anyField<A>(
    {
      name,
      schema,
      is: (value): value is A => value !== undefined,
      read: (value) => right(value) as Read<A>,
      ...(encode && { encode }),
    },
    { ...about, ...(on && { on }) },
  )

const REAIS: JsonSchema = { type: 'number', description: 'Reais, com até 2 casas decimais.' }

const amount = (about: About = {}): Field<number> =>
  only<number>('amount', REAIS, about, reaisFromCents, ({ is }) =>
    is === 'program' ? only<number>('amount', { type: 'integer' }, about) : amount(about),
  )

const viewOn = <D>(of: Viewing<D>, side: Side | null, about: About): Field<D> => {
  const on = (other: Side) => viewOn(of, other, about)
  if (side === null) return anyField<D>(only<D>('view', {}, about), { ...about, on })
  const { schema, encode } = of.on(side)
  return anyField<D>(only('view', schema, about, encode), { ...about, on })
}

async function* mapped<A, B>(all: AsyncIterable<A>, to: (each: A) => B): AsyncGenerator<B, void> {
  for await (const each of all) yield to(each)
}

const flowOn = <D>(of: Viewing<D>, side: Side | null, about: About): Field<AsyncIterable<D>> => {
  const on = (other: Side) => flowOn(of, other, about)
  if (side === null) return anyField<AsyncIterable<D>>(only<AsyncIterable<D>>('flow', {}, about), { ...about, on })
  const { schema, encode } = of.on(side)
  const listed: JsonSchema = { type: 'array', items: schema }
  return anyField<AsyncIterable<D>>(
    only<AsyncIterable<D>>('flow', listed, about, (all) => mapped(all, encode)),
    { ...about, on },
  )
}

/** Fields of answers alone, beside those that are also sent. */
export const shown = {
  /** Any text: a token, a message. */
  text: (about: About = {}) => only<string>('text', { type: 'string' }, about),
  /** How many there are. */
  count: (about: About = {}) => only<number>('count', { type: 'integer', minimum: 0 }, about),
  /** Money of any sign and size, a balance or a sum: integer cents, on the wire reais. */
  money: amount,
  /** A number as it is. */
  number: (about: About = {}) => only<number>('number', { type: 'number' }, about),
  /** What is always null: some generations have a place for it, and nothing to put there. */
  nothing: (about: About = {}) => only<null>('nothing', { type: 'null' }, about),
  /** Any JSON, as it is. */
  json: (about: About = {}) => only<Json>('json', {}, about),
  /** `YYYY-MM-DD HH:MM:SS` in São Paulo. */
  localTime: (about: About = {}) =>
    only<string>('local time', { type: 'string', pattern: LOCAL_TIME }, about, localDateTime),
  /** What another view shows. */
  view: <D>(of: Viewing<D>, about: About = {}) => viewOn(of, null, about),
  /** What another view shows of each. */
  views: <D>(of: Viewing<D>, about: About = {}) => list(viewOn(of, null, {}), { max: MANY, ...about }),
  /** The same of what is read while it is sent: an answer that has such a field is one that flows. */
  flow: <D>(of: Viewing<D>, about: About = {}) => flowOn(of, null, about),
}

const LOCAL_TIME = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$'
/** More than any answer has. */
const MANY = 1_000_000
