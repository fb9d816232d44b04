import { t } from '../../../core/fp.ts'
import type { AnyCollection, Collection } from '../../../core/kernel/records/collection.ts'
import { orNull, record } from '../../../core/kernel/records/record.ts'
import { sweepOf } from '../../../core/kernel/running/jobs.ts'
import { throttleIn } from '../../../core/office/throttle.ts'

const devAccount = record({
  /** What tokens name as `sub`. */
  id: t.string,
  /** Lower-case. */
  email: t.string,
  /** As the hasher has it. */
  passwordHash: t.string,
  displayName: orNull(t.string),
  photoUrl: orNull(t.string),
  /** When a mailed code last confirmed the e-mail; an e-mail counts as verified without it. */
  verifiedAt: orNull(t.string),
  createdAt: t.string,
  signedInAt: t.string,
})

/** Somebody who signs in at the development issuer. Source: decisions.md §6, Identity. */
export type DevAccount = t.TypeOf<typeof devAccount>

export const devAccounts: Collection<DevAccount> = {
  name: 'estate.dev-accounts',
  ids: 'text',
  codec: devAccount,
  owner: null,
  keys: { email: ({ email }) => email },
}

export const guesses = throttleIn('estate')

/** What the development issuer keeps: a store is opened with these, whether it runs or not. */
export const devIssuerCollections: readonly AnyCollection[] = [devAccounts, guesses.throttles]

/** What the worker does for it. */
export const devIssuerPart = { sweeps: [sweepOf(guesses.throttles)] }
