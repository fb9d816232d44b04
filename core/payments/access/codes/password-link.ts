import { t } from '../../../fp.ts'
import { type Change, insert } from '../../../kernel/records/change.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { orNull, record } from '../../../kernel/records/record.ts'
import { type Fresh, randomCode } from '../../../kernel/running/fresh.ts'
import { addSeconds } from '../../../kernel/values/day.ts'
import type { Digest } from '../../../ports/runtime.ts'

const passwordLink = record({
  /** The SHA-256 of its token: what is stored opens nothing. */
  id: t.string,
  userId: t.number,
  /** The code that was mailed with it: one of the two is used, once. Null where there was none. */
  codeId: orNull(t.string),
  expiresAt: t.string,
})

/** A link that sets a password: its token is good once. Source: decisions.md §1, Sessions and codes; §12, Onboarding. */
export type PasswordLink = t.TypeOf<typeof passwordLink>

export const passwordLinks: Collection<PasswordLink> = {
  name: 'payments.password-links',
  ids: 'text',
  codec: passwordLink,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

const TOKEN_LENGTH = 43

export const passwordLinkId = (digest: Digest, token: string): string => digest.sha256(token)

/** A new link of a user, and the change that keeps it. */
export const newPasswordLink = (
  digest: Digest,
  fresh: Fresh,
  of: { readonly userId: number; readonly codeId: string | null; readonly lifeSeconds: number },
): { readonly token: string; readonly change: Change } => {
  const token = randomCode(fresh, TOKEN_LENGTH)
  const { userId, codeId, lifeSeconds } = of
  const expiresAt = addSeconds(fresh.steady, lifeSeconds)
  return { token, change: insert(passwordLinks, { id: passwordLinkId(digest, token), userId, codeId, expiresAt }) }
}
