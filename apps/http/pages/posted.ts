import { right } from '../../../core/fp.ts'
import { anyField } from '../../../core/kernel/input/field.ts'

/** Whatever a form posts by a name: what is wrong with it the page says, and not a list of fields. */
export const posted = (about: string) =>
  anyField<string>(
    {
      name: 'posted',
      schema: {},
      is: (value): value is string => typeof value === 'string',
      read: (value) => right(typeof value === 'string' ? value : ''),
    },
    { isOptional: true, about },
  )
