import { always, type Change, type Collection, insert, orNull, record, remove, t } from '../kernel/records/record.ts'

const claim = record({
  id: t.string,
  /** The account of the claimed value, if any. */
  accountId: orNull(t.number),
  /** The id of the record that holds the claim. */
  holder: t.union([t.string, t.number]),
})

/** A value that is unique across collections and tenants. */
export type Claim = t.TypeOf<typeof claim>

export const claims: Collection<Claim> = { name: 'payments.claims', ids: 'text', codec: claim, owner: null }

/**
 * Kinds: `email` (users and registrations), `document` (organizations and registrations), `user-document`, `api-key`
 * (accounts, by digest), `bank-account` (the only account of a bank that opens no others), `pix-in` and `boleto-in`
 * (payments, by the bank's id, held by the charge they paid; a nosso número under its account).
 */
export type ClaimKind = 'email' | 'document' | 'user-document' | 'api-key' | 'pix-in' | 'boleto-in' | 'bank-account'

export const claimId = (kind: ClaimKind, text: string): string => `${kind}:${text}`

export const reserveUnique = (
  kind: ClaimKind,
  text: string,
  holder: string | number,
  accountId: number | null,
): Change => insert(claims, { id: claimId(kind, text), accountId, holder })

export const releaseUnique = (kind: ClaimKind, text: string): Change => remove(claims, claimId(kind, text), always)
