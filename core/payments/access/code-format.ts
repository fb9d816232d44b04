import { right } from '../../fp.ts'
import { type Field, type FieldOptions, field } from '../../kernel/input/field.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { codePoints, digitsAndLetters } from '../../kernel/values/text.ts'

/** What a code looks like that a person types in. */
export interface CodeFormat {
  readonly alphabet: string
  readonly length: number
}

/** Source: decisions.md §1, Sessions and codes. */
export const DIGITS: CodeFormat = { alphabet: '0123456789', length: 6 }
/** Source: decisions.md §12, Codes. */
export const LETTERS: CodeFormat = { alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', length: 4 }
/** A code that nobody guesses: 100 random bits, in 32 signs of which none is taken for another (no I or 1, no O or 0). */
export const LONG: CodeFormat = { alphabet: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789', length: 20 }

export const drawCode = (fresh: Fresh, { alphabet, length }: CodeFormat): string => fresh.text(alphabet, length)

/** A typed code as it is compared. */
export interface TypedText {
  readonly text: string
  /** Of the codes that it may be. */
  readonly length: number
}

/** A long code, in whatever case and with whatever between its groups it was typed; null for what is none. */
export const parseLongCode = (typed: string): string | null => {
  const bare = digitsAndLetters(typed).toUpperCase()
  return bare.length === LONG.length ? bare : null
}

/** What somebody typed, where it may be a short or a long code; null for what can be neither. Letters are good in any case. */
export const parseTypedCode = (typed: string, short: CodeFormat): TypedText | null => {
  if (codePoints(typed) === short.length) return { text: typed.toUpperCase(), length: short.length }
  const text = parseLongCode(typed)
  return text === null ? null : { text, length: LONG.length }
}

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
        const long = typeof value === 'string' && value.length <= MAX_TYPED ? parseLongCode(value) : null
        return long === null ? short.read(value) : right(long)
      },
    },
    about,
  )
}
