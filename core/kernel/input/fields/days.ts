import { right } from '../../../fp.ts'
import { type Day, dayOf, type Instant, isDay, withOffset } from '../../values/day.ts'
import { type About, type Field, field, wrong } from '../codec.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Side } from '../side.ts'
import { toInstant } from './text-shape.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

type Moment = 'day' | 'month' | 'instant'

interface MomentKind {
  readonly schema: JsonSchema
  readonly take: (sent: string) => string | null
}

const momentField = (
  name: Moment,
  { schema, take }: MomentKind,
  about: About,
  encode: (kept: string) => string = (kept) => kept,
  on?: (side: Side) => Field<string>,
): Field<string> =>
  field(
    {
      name,
      schema: { type: 'string', ...schema },
      is: isText,
      read: (value) => {
        const taken = isText(value) ? take(value) : null
        return taken === null ? wrong(name) : right(taken)
      },
      encode,
    },
    { ...about, ...(on && { on }) },
  )

const DAY: MomentKind = { schema: { format: 'date' }, take: (sent) => (isDay(sent) ? sent : null) }
const MONTH: MomentKind = {
  schema: { pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' },
  take: (sent) => (isDay(`${sent}-01`) ? sent : null),
}
const INSTANT: MomentKind = { schema: { format: 'date-time' }, take: toInstant }
/** A date as many programs send it. It names no moment of a day, which in São Paulo would be the evening before. */
const MIDNIGHT_UTC = /^(.{10})T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:00)$/
const DAY_OR_INSTANT: MomentKind = {
  schema: { anyOf: [{ format: 'date' }, { format: 'date-time' }] },
  take: (sent) => {
    const [, date = sent] = MIDNIGHT_UTC.exec(sent) ?? []
    if (isDay(date)) return date
    const moment = toInstant(sent)
    return moment && dayOf(moment)
  },
}

/** A day of the calendar, `YYYY-MM-DD`. Fails: `required`, `day`. */
export const day = (about: About = {}): Field<Day> => momentField('day', DAY, about)

/** A month, `YYYY-MM`. Fails: `required`, `month`. */
export const month = (about: About = {}): Field<string> => momentField('month', MONTH, about)

/** An ISO 8601 date and time with its offset or `Z`, as the instant in UTC. Fails: `required`, `instant`. */
export const instant = (about: About = {}): Field<Instant> => momentField('instant', INSTANT, about)

/** An instant that is only shown: on the wire to the second, with São Paulo's offset. Fails: as an instant does. */
export const timestamp = (about: About = {}): Field<Instant> =>
  momentField('instant', INSTANT, about, withOffset, ({ is }) => (is === 'program' ? instant(about) : timestamp(about)))

/** A day, or an instant of which the São Paulo day is taken; midnight UTC is its own date. Fails: `required`, `day`. */
export const dayOrInstant = (about: About = {}): Field<Day> => momentField('day', DAY_OR_INSTANT, about)
