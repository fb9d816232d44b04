import { t } from '../fp.ts'
import { type Change, insert, remove } from '../kernel/records/change.ts'
import type { Collection } from '../kernel/records/collection.ts'
import { orNull, record } from '../kernel/records/record.ts'
import { always } from '../kernel/records/where.ts'

const claim = record({
  id: t.string,
  /** The account the claimed thing belongs to, where it has one: a public look-up learns the owner here. */
  accountId: orNull(t.number),
  /** The id of the record that holds the claim. */
  holder: t.union([t.string, t.number]),
})

/** What is unique across collections and tenants, and what public look-ups begin with. */
export type Claim = t.TypeOf<typeof claim>

export const claims: Collection<Claim> = {
  name: 'payments.claims',
  ids: 'text',
  codec: claim,
  owner: null,
}

/**
 * Kinds: `email` (users and registrations), `document` (organizations and registrations), `user-document`, `code` and
 * `txid` (charges), `api-key` (accounts, by digest), `pix-in` (payments, by the bank's id, held by the charge they paid).
 */
export type ClaimKind = 'email' | 'document' | 'user-document' | 'code' | 'txid' | 'api-key' | 'pix-in'

export const claimId = (kind: ClaimKind, text: string): string => `${kind}:${text}`

export const reserveUnique = (
  kind: ClaimKind,
  text: string,
  holder: string | number,
  accountId: number | null,
): Change => insert(claims, { id: claimId(kind, text), accountId, holder })

export const releaseUnique = (kind: ClaimKind, text: string): Change => remove(claims, claimId(kind, text), always)
