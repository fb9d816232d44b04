import { isLeft, t } from '../../fp.ts'
import { isDay } from '../values/day.ts'
import { centsFromReais } from '../values/money.ts'
import { toInstant } from './fields/text-shape.ts'
import { enumSchema, type JsonSchema } from './json-schema.ts'

const annotated = <A>(name: string, schema: JsonSchema, is: (value: unknown) => value is A): t.Type<A> =>
  Object.assign(
    new t.Type<A>(name, is, (value, context) => (is(value) ? t.success(value) : t.failure(value, context)), t.identity),
    { schema },
  )

const texts = (name: string, schema: JsonSchema, holds: (text: string) => boolean) =>
  annotated(name, { type: 'string', ...schema }, (value): value is string => typeof value === 'string' && holds(value))

const numbers = (name: string, schema: JsonSchema, holds: (value: number) => boolean) =>
  annotated(name, schema, (value): value is number => typeof value === 'number' && holds(value))

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/
const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2}) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Codecs for answers that say more than io-ts's own: they check, and document, what a JSON text or number means. */
export const out = {
  id: numbers('id', { type: 'integer', minimum: 1 }, (value) => Number.isSafeInteger(value) && value > 0),
  /** A count of things. */
  count: numbers('count', { type: 'integer', minimum: 0 }, (value) => Number.isSafeInteger(value) && value >= 0),
  integer: numbers('integer', { type: 'integer' }, Number.isSafeInteger),
  /** An amount in reais, as JSON shows it. */
  reais: numbers(
    'reais',
    { type: 'number', description: 'Reais, com até 2 casas decimais.' },
    (value) => !isLeft(centsFromReais(value)),
  ),
  day: texts('day', { format: 'date' }, isDay),
  /** `YYYY-MM`. */
  month: texts('month', { pattern: MONTH.source }, (text) => MONTH.test(text)),
  /** ISO 8601 with `Z` or an offset. */
  instant: texts('instant', { format: 'date-time' }, (text) => toInstant(text) !== null),
  /** `YYYY-MM-DD HH:MM:SS` in São Paulo. */
  localTime: texts('local time', { pattern: LOCAL_TIME.source }, (text) => LOCAL_TIME.test(text)),
  guid: texts('guid', { format: 'uuid' }, (text) => GUID.test(text)),
  url: texts('url', { format: 'uri' }, (text) => /^https?:\/\/\S+$/.test(text)),
  /** One of these words or numbers. */
  oneOf: <const V extends string | number>(values: readonly V[]): t.Type<V> =>
    annotated(`one of ${values.join(', ')}`, enumSchema(values), (value): value is V =>
      values.some((each) => each === value),
    ),
  nullable: <C extends t.Mixed>(codec: C) => t.union([codec, t.null]),
  /** Free-form JSON. */
  json: t.unknown,
}
