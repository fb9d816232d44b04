import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { eq } from '../../kernel/records/where.ts'
import { ROLES } from '../role.ts'

const user = record({
  id: t.string,
  companyId: t.string,
  /** The identity provider's id of them. */
  firebaseUid: t.string,
  /** Lower-case. */
  email: t.string,
  name: t.string,
  role: word(...ROLES),
  createdAt: t.string,
  updatedAt: t.string,
  /**
   * True for a user who registered with an e-mail that the provider had not verified, until a sign-in with it verified. Such an
   * e-mail links no client.
   */
  emailUnproven: orNull(t.boolean),
  /** Always null: users cannot be removed yet. */
  removedAt: orNull(t.string),
})

/** Somebody of a company who signs in at the identity provider. Source: 03-real-estate.md, User. */
export type User = t.TypeOf<typeof user>

export const users: Collection<User> = {
  name: 'estate.users',
  ids: 'text',
  codec: user,
  owner: 'companyId',
  conditions: { live: eq('removedAt', null) },
  keys: { uid: ({ firebaseUid }) => firebaseUid, email: ({ email }) => email },
  indexes: [{ eq: 'role', sort: 'createdAt', when: 'live' }],
}
