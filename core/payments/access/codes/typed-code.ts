import { right } from '../../../fp.ts'
import { type Field, type FieldOptions, field } from '../../../kernel/input/field.ts'
import { type CodeFormat, LONG, readLongCode } from './code-format.ts'

/** Room for whatever separates the groups of a long code. */
const MAX_TYPED = 2 * LONG.length

/**
 * A code as a person types it: one that its field of short codes takes, or a long one. Which of the two is out its use
 * case knows. Fails: as the field of short codes does. Source: decisions.md §1, Sessions and codes.
 */
export const typedCode = <I extends string>(
  short: Field<string, string, I>,
  { length }: CodeFormat,
  about: FieldOptions = {},
): Field<string, string, I | 'required'> => {
  const description = `${length} caracteres; depois de muitas tentativas erradas, ${LONG.length} letras e dígitos.`
  const { pattern: _, ...schema } = short.schema
  return field(
    {
      name: 'code',
      schema: { ...schema, minLength: length, maxLength: MAX_TYPED, description },
      is: short.is,
      read: (value) => {
        const long = typeof value === 'string' && value.length <= MAX_TYPED ? readLongCode(value) : null
        return long === null ? short.read(value) : right(long)
      },
    },
    about,
  )
}
