import { isLeft } from '../../fp.ts'
import {
  anyField,
  CAMEL_CASE,
  type Field,
  type FieldOptions,
  type InputCode,
  list,
  nullIfAbsent,
  PROGRAM,
  type Side,
} from '../../kernel/input/field.ts'
import { input, object } from '../../kernel/input/input.ts'
import { json } from '../../kernel/input/json.ts'
import { line } from '../../kernel/input/texts.ts'

const MAX_LABELS = 200

const labels = list(
  object(
    input(null, {
      label: line({ max: 255, about: 'Rótulo' }),
      value: nullIfAbsent(json({ about: 'Valor' })),
    }),
  ),
  { max: MAX_LABELS },
)

const place = object(
  input(null, {
    street: line({ max: 255, about: 'Logradouro' }),
    number: nullIfAbsent(line({ max: 20, about: 'Número' })),
    city: line({ max: 255, about: 'Cidade' }),
    state: line({ max: 60, about: 'Estado' }),
    zip: nullIfAbsent(line({ max: 20, about: 'CEP' })),
    country: nullIfAbsent(line({ max: 60, about: 'País' })),
    observation: nullIfAbsent(line({ max: 255, about: 'Observação' })),
  }),
)

/** Returns the value to store; null stores the value as sent, with any fields that the form does not have. */
type Kept<A> = ((read: A) => unknown) | null

/** A form that is kept as one canonical text of JSON, which a program may give as well. Fails: as the form and JSON do. */
const inJson = <A, G>(form: Field<A, G>, kept: Kept<A>, about: FieldOptions, side: Side): Field<string, string | G> => {
  const { schema, nested, read } = form.on(side)
  const text = json().on(PROGRAM)
  return anyField<string, string | G, InputCode>(
    {
      name: 'form in JSON',
      schema,
      is: (value): value is string => typeof value === 'string',
      read: (sent) => {
        const given = side.is === 'program' && typeof sent === 'string' ? text.read(sent) : null
        if (given && isLeft(given)) return given
        const value: unknown = given ? JSON.parse(given.right) : sent
        const got = read(value)
        // What is kept is a text of JSON itself, whichever side gave it.
        return isLeft(got) ? got : json().read(kept ? kept(got.right) : value)
      },
      encode: (value) => JSON.parse(value),
    },
    { ...about, nested: kept && nested, on: (other) => inJson(form, kept, about, other) },
  )
}

/** The legacy form of metadata: a list of labels and whatever they say, kept as it was given. Source: 02-billing.md, Client. */
export const labelled = (about: FieldOptions) => inJson(labels, null, about, CAMEL_CASE)

/** Where a client lives; what is not said of it is null. Source: 02-billing.md, Client. */
export const address = (about: FieldOptions) => inJson(place, (read) => read, about, CAMEL_CASE)
