import type { Fresh } from '../../kernel/running/fresh.ts'
import { type Instant, plusSeconds, secondsBetween } from '../../kernel/values/day.ts'
import type { Cipher } from '../../ports/cipher.ts'
import { CODE_SECONDS, CODE_TRIES, type Comparing, codeHash, RESEND_SECONDS } from '../identity/codes/code.ts'
import type { Registration } from './registration.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const CODE_LETTERS = 4

type CodeFields = Pick<Registration, 'codeId' | 'codeHash' | 'codeTriesLeft' | 'codeSentAt'>

/** A new code of 4 letters, and how a registration keeps it. Source: decisions.md §12, Codes. */
export const newLetters = (cipher: Cipher, fresh: Fresh): { readonly letters: string; readonly fields: CodeFields } => {
  const letters = fresh.text(LETTERS, CODE_LETTERS)
  const codeId = fresh.uuid()
  const hash = codeHash(cipher, codeId, letters)
  return { letters, fields: { codeId, codeHash: hash, codeTriesLeft: CODE_TRIES, codeSentAt: fresh.now } }
}

/** How long a registration waits before it may ask for another code; 0 where it may now. */
export const secondsToNextLetters = ({ codeSentAt }: Pick<Registration, 'codeSentAt'>, now: Instant): number =>
  Math.max(0, secondsBetween(now, plusSeconds(codeSentAt, RESEND_SECONDS)))

/** Whether there is a code that may still be tried. */
export const hasLetters = ({ codeHash: hash, codeTriesLeft, codeSentAt }: CodeFields, now: Instant): boolean =>
  hash !== null && codeTriesLeft > 0 && plusSeconds(codeSentAt, CODE_SECONDS) > now

/** Whether it is the right one, in any case. */
export const areLetters = (
  { cipher, digest }: Comparing,
  { codeId, codeHash: hash }: CodeFields,
  typed: string,
): boolean => hash !== null && digest.equal(hash, codeHash(cipher, codeId, typed.toUpperCase()))
