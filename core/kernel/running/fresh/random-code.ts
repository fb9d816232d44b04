import type { Fresh } from './fresh.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LETTERS_AND_DIGITS = `${LETTERS}0123456789`

/** Random letters and digits, unguessable from 22 on; the first is a letter, so that a code is never taken for an id. */
export const randomCode = (fresh: Fresh, length: number): string =>
  fresh.text(LETTERS, 1) + fresh.text(LETTERS_AND_DIGITS, length - 1)
