import { patch } from '../../../kernel/records/change.ts'
import { all, eq, gt, not } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { addSeconds, type Instant, secondsBetween } from '../../../kernel/values/day.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import { CODE_SECONDS, RESEND_SECONDS } from '../../access/codes/code.ts'
import { drawCode, LETTERS, LONG } from '../../access/codes/code-format.ts'
import { type CodeTries, isReached, TRIES_AT_CODE, TRIES_BEFORE_LONG_CODES } from '../../access/codes/code-tries.ts'
import { codeHash, type MailedCode } from '../../access/codes/try-code.ts'
import { type Registration, registrations } from '../registration.ts'

type CodeFields = Pick<Registration, 'codeId' | 'codeHash' | 'codeTriesLeft' | 'codeSentAt' | 'codeLength'>

interface NewLetters {
  readonly letters: string
  readonly fields: CodeFields
}

/** What wrong tries at the codes of a registration are counted by. */
export const registrationTriesId = (registrationId: number): string => `registration|${registrationId}`

/** A new code of 4 letters, or a long one, and how a registration keeps it. Source: decisions.md §1 and §12, Codes. */
export const newCodeMails = (cipher: Cipher, fresh: Fresh, tries: CodeTries | null): NewLetters => {
  const format = isReached(tries, TRIES_BEFORE_LONG_CODES, fresh.steady) ? LONG : LETTERS
  const letters = drawCode(fresh, format)
  const codeId = fresh.uuid()
  const fields = {
    codeId,
    codeHash: codeHash(cipher, codeId, letters),
    codeTriesLeft: TRIES_AT_CODE,
    codeSentAt: fresh.steady,
    codeLength: format.length,
  }
  return { letters, fields }
}

/** How long a registration waits before it may ask for another code; 0 where it may now. */
export const secondsToNextCodeMails = ({ codeSentAt }: Pick<Registration, 'codeSentAt'>, now: Instant): number =>
  Math.max(0, secondsBetween(now, addSeconds(codeSentAt, RESEND_SECONDS)))

/** The code that may be typed in; null where it was used, or none is asked for any more. */
export const mailedCodes = (found: Registration): MailedCode | null => {
  const { id, codeId, codeHash: hash, codeTriesLeft: triesLeft, codeSentAt, codeLength, state } = found
  if (state !== 'PENDING_EMAIL' || hash === null) return null
  const takeTry = patch(registrations, id, {
    add: { codeTriesLeft: -1 },
    when: all(unconfirmed(codeId), not(eq('codeHash', null)), gt('codeTriesLeft', 0)),
  })
  const expiresAt = addSeconds(codeSentAt, CODE_SECONDS)
  return { codeId, hash, length: codeLength ?? LETTERS.length, triesLeft, expiresAt, takeTry }
}

/** While a registration waits to be confirmed by this code. */
export const unconfirmed = (codeId: string) =>
  all(eq<keyof Registration & string>('codeId', codeId), eq('state', 'PENDING_EMAIL'))
