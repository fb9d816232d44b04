import { isLeft, right } from '../../fp.ts'
import { type Field, type FieldOptions, field, type InputCode, reject } from '../../kernel/input/field.ts'
import { text } from '../../kernel/input/texts.ts'
import { readPixKey } from './pix-key.ts'

/** The longest text that is taken for a key: an e-mail of 77, or what is typed around it. */
const MAX_KEY = 99

/** A Pix key as a person types it, read in the one form of the DICT. Fails: as a text does, and `pix-key`. */
export const pixKey = (about: FieldOptions = {}): Field<string, string, InputCode | 'pix-key'> => {
  const { schema, read, is } = text({ max: MAX_KEY })
  return field<string, string, InputCode | 'pix-key'>(
    {
      name: 'Pix key',
      schema,
      is,
      read: (value) => {
        const typed = read(value)
        if (isLeft(typed)) return typed
        const known = readPixKey(typed.right)
        return known ? right(known.key) : reject('pix-key')
      },
    },
    about,
  )
}
