import { right } from '../../../fp.ts'
import { type Field, type FieldOptions, field, type InputCode, reject } from '../../../kernel/input/field.ts'
import { instant } from '../../../kernel/input/scalars.ts'
import {
  addDays,
  type Day,
  dayOf,
  type Instant,
  isDay,
  isInstant,
  startOfDay,
  withOffset,
} from '../../../kernel/values/day.ts'

/** When a link ends: a day, to whose end it lives, or an instant. Source: decisions.md §9, Links. */
export type Expiry = Day | Instant

/** The instant from which it is over. */
export const overAt = (expiry: Expiry): Instant => (isDay(expiry) ? startOfDay(addDays(expiry, 1)) : expiry)

/** Its last São Paulo day. */
export const lastDayOf = (expiry: Expiry): Day => (isDay(expiry) ? expiry : dayOf(expiry))

/** A day or an instant, kept as it was given; an instant is shown with São Paulo's offset. Fails: `required`, `instant`. */
export const expiryField = (about: FieldOptions = {}): Field<Expiry, Expiry, InputCode> =>
  field<Expiry, Expiry, InputCode>(
    {
      name: 'expiry',
      schema: { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] },
      is: (value): value is Expiry => typeof value === 'string',
      read: (value) => {
        if (typeof value === 'string' && isDay(value)) return right(value)
        return typeof value === 'string' ? instant().read(value) : reject('instant')
      },
      encode: (kept) => (isInstant(kept) ? withOffset(kept) : kept),
    },
    about,
  )
