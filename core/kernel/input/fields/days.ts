import { right } from '../../../fp.ts'
import { type Day, dayOf, type Instant, isDay } from '../../values/day.ts'
import { type Field, field, wrong } from '../codec.ts'
import type { JsonSchema } from '../json-schema.ts'
import { toInstant } from './text-shape.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

const momentField = (name: string, schema: JsonSchema, take: (sent: string) => string | null): Field<string> =>
  field({
    name,
    schema: { type: 'string', ...schema },
    is: isText,
    read: (value) => {
      const taken = isText(value) ? take(value) : null
      return taken === null ? wrong(name) : right(taken)
    },
  })

/** A day of the calendar, `YYYY-MM-DD`. Fails: `required`, `day`. */
export const day = (): Field<Day> => momentField('day', { format: 'date' }, (sent) => (isDay(sent) ? sent : null))

/** A month, `YYYY-MM`. Fails: `required`, `month`. */
export const month = (): Field<string> =>
  momentField('month', { pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' }, (sent) => (isDay(`${sent}-01`) ? sent : null))

/** An ISO 8601 date and time with its offset or `Z`, as the instant in UTC. Fails: `required`, `instant`. */
export const instant = (): Field<Instant> => momentField('instant', { format: 'date-time' }, toInstant)

/** A day, or an instant of which the São Paulo day is taken. Fails: `required`, `day`. Source: decisions.md §10. */
export const dayOrInstant = (): Field<Day> =>
  momentField('day', { anyOf: [{ format: 'date' }, { format: 'date-time' }] }, (sent) => {
    if (isDay(sent)) return sent
    const moment = toInstant(sent)
    return moment && dayOf(moment)
  })
