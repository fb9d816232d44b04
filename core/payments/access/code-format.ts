import { right } from '../../failure.ts'
import { type Field, type FieldOptions, field } from '../../kernel/input/field.ts'
import { codePoints, digitsAndLetters } from '../../kernel/values/text.ts'

export interface CodeFormat {
  readonly alphabet: string
  readonly length: number
}

export const DIGITS: CodeFormat = { alphabet: '0123456789', length: 6 }
/** The codes of a registration. */
export const LETTERS: CodeFormat = { alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', length: 4 }
/** A code that cannot be guessed: 100 random bits, in 32 characters without the similar I, 1, O and 0. */
export const LONG: CodeFormat = { alphabet: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789', length: 20 }

/** A typed code in the form in which it is compared. */
export interface TypedText {
  readonly text: string
  /** The length of the codes that it can match. */
  readonly length: number
}

/** Accepts any case and any separators. */
const parseLongCode = (typed: string): string | null => {
  const bare = digitsAndLetters(typed).toUpperCase()
  return bare.length === LONG.length ? bare : null
}

/** Parses a short or a long code, letters in any case; null if it is neither. */
export const parseTypedCode = (typed: string, short: CodeFormat): TypedText | null => {
  if (codePoints(typed) === short.length) return { text: typed.toUpperCase(), length: short.length }
  const text = parseLongCode(typed)
  return text === null ? null : { text, length: LONG.length }
}

/** Leaves room for separators in a long code. */
const MAX_TYPED = 2 * LONG.length

/**
 * Builds the field of a typed code: a short code, as `short` reads it, or a long one. The use case checks which of the
 * two was mailed. Fails: as `short` does.
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
        const long = typeof value === 'string' && value.length <= MAX_TYPED ? parseLongCode(value) : null
        return long === null ? short.read(value) : right(long)
      },
    },
    about,
  )
}
