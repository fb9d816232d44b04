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

interface Choice<V> extends About {
  /** Those that the documentation speaks of, where the others are not served yet. */
  readonly offered?: readonly V[]
}

/** One of these words or numbers, exactly. Fails: `required`, `one-of` (its values, comma-separated). */
export const oneOf = <const V extends string | number>(
  values: readonly V[],
  { offered = values, ...about }: Choice<NoInfer<V>> = {},
): Field<V> => {
  const among = (value: unknown): value is V => values.some((each) => each === value)
  const params = { values: values.join(', ') }
  return field(
    {
      name: `one of ${params.values}`,
      schema: enumSchema(offered),
      is: among,
      read: (value) => (among(value) ? right(value) : wrong('one-of', params)),
    },
    about,
  )
}
