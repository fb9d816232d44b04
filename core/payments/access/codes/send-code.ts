import { invalid, issue, throttled } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept } from '../../../kernel/running/use-case.ts'
import { byId, type Store } from '../../../ports/store.ts'
import type { User } from '../../members/user.ts'
import { queueMail } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Code, type CodeFlow, codes, flowTriesId, newCode, secondsToNextCode } from './code.ts'
import { recoveryMail, verificationMail } from './code-mail.ts'
import { type CodeTries, codeTryCounts } from './code-tries.ts'

export interface CodeSendFacts {
  readonly user: User | null
  readonly code: Code | null
  /** Wrong tries at the codes of the flow so far. */
  readonly tries: CodeTries | null
}

export const withCode = async (store: Store, flow: CodeFlow, user: User | null): Promise<CodeSendFacts> =>
  user ? { user, ...(await readCodeFor(store, flow, user.email)) } : { user, code: null, tries: null }

/** What a new code for an e-mail takes the place of, and what it is to be like. */
export const readCodeFor = (store: Store, flow: CodeFlow, email: string): Promise<Omit<CodeSendFacts, 'user'>> =>
  store.read({ code: byId(codes, email), tries: byId(codeTryCounts, flowTriesId(flow, email)) })

/** A new code and its mail, unless one was asked for a moment ago: then that one stays good. */
export const decideSend = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest'>,
  { user, code, tries }: CodeSendFacts,
  flow: CodeFlow,
  fresh: Fresh,
) => {
  if (!user) return left(UNKNOWN_EMAIL)
  const retryAfterSeconds = secondsToNextCode(code, flow, fresh.steady)
  if (retryAfterSeconds > 0) return left(throttled('code.soon', retryAfterSeconds))
  const { typed, change } = newCode(ports, fresh, code, { user, flow, tries }, true)
  const mail = flow === 'verify' ? verificationMail(user.name, typed) : recoveryMail(user.name, typed)
  return accept(null, change, queueMail(ports.cipher, fresh, { to: user.email, ...mail }))
}

/** An e-mail that is not the caller's. */
export const NOT_THEIRS = invalid([issue('email', 'email.other')])

/** The field must name somebody: the specification says so aloud. */
export const UNKNOWN_EMAIL = invalid([issue('email', 'email.unknown')])
