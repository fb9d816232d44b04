import { right } from '../../../fp.ts'
import { type About, type Field, field, wrong } from '../codec.ts'
import { enumSchema } from '../json-schema.ts'

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

/** true or false. Fails: `required`, `flag`. */
export const flag = (about: About = {}): Field<boolean> =>
  field(
    {
      name: 'flag',
      schema: { type: 'boolean' },
      is: isFlag,
      read: (value) => (isFlag(value) ? right(value) : wrong('flag')),
    },
    about,
  )

/** One of these words or numbers, exactly. Fails: `required`, `one-of` (its values, comma-separated). */
export const oneOf = <const V extends string | number>(values: readonly V[], about: About = {}): Field<V> => {
  const among = (value: unknown): value is V => values.some((each) => each === value)
  const params = { values: values.join(', ') }
  return field(
    {
      name: `one of ${params.values}`,
      schema: enumSchema(values),
      is: among,
      read: (value) => (among(value) ? right(value) : wrong('one-of', params)),
    },
    about,
  )
}
