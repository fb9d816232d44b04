import { failure } from '../../failure.ts'
import { type Change, insert, patch, remove } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import { type Fresh, randomCode } from '../../kernel/running/fresh.ts'
import type { Bank, OpenedAccount } from '../../ports/bank.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts, UNSET_SETTINGS } from '../accounts/account.ts'
import { newSecrets } from '../accounts/account-secrets.ts'
import { ADMIN } from '../actor.ts'
import type { Operation, Verdict } from '../bank/operation.ts'
import { type Claim, claimId, claims, reserveUnique } from '../claim.ts'
import { newLedgerAccount } from '../ledger/ledger.ts'
import { memberships, newMembership } from '../members/membership.ts'
import type { User } from '../members/user.ts'
import { type By, changesOf, recordAudit } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/** The kind of the operations that open an account. */
export const OPEN_ACCOUNT = 'open-account'

/** What the bank is ordered: an account, by our own id of it. */
export type AccountOrder = Parameters<Bank['openAccount']>[0]

/** Asks for an account: asked again by the same id, the bank tells what it has opened. */
export const sendAccount =
  ({ bank }: { readonly bank: Bank }): Bank['openAccount'] =>
  (order) =>
    bank.openAccount(order)

/** How accounts are asked for: a lease is longer than one call's time-out. */
export const ACCOUNT_CALLS = { places: 4, leaseSeconds: 60, firstWaitSeconds: 2 } as const

const CODE_LENGTH = 22

interface NewAccount extends Pick<Account, 'name' | 'email' | 'document' | 'status'> {
  /** Our own id of it at the bank, which has claimed its document. */
  readonly uuid: string
  readonly atBank: OpenedAccount
  /** Who asked for it, wherever the bank's answer found us. */
  readonly by: By
}

/** An account that the bank has opened, and the changes that make it, with its owner as ADMIN. */
export const newAccount = (
  { cipher, digest, bank }: Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank'>,
  { uuid, name, email, document, status, atBank, by }: NewAccount,
  owner: Pick<User, 'id' | 'name' | 'email' | 'document'>,
  fresh: Fresh,
): { readonly account: Account; readonly changes: readonly Change[] } => {
  const { now } = fresh
  const id = fresh.id(accounts)
  const { apiKey, sealed } = newSecrets(cipher, fresh, id)
  const account: Account = {
    id,
    uuid,
    codeAccount: randomCode(fresh, CODE_LENGTH),
    name,
    email,
    document,
    status,
    ...atBank,
    bankCode: bank.compe,
    ...sealed,
    ...UNSET_SETTINGS,
    admins: 1,
    removedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  return {
    account,
    changes: [
      insert(accounts, account),
      patch(claims, claimId('document', document), { set: { holder: id, accountId: id }, when: eq('holder', uuid) }),
      reserveUnique('api-key', digest.sha256(apiKey), id, id),
      newLedgerAccount(id, 'main', fresh.steady),
      insert(memberships, newMembership(fresh, owner, { accountId: id, roleId: ADMIN.id })),
      ...auditOpening(account, by, fresh),
    ],
  }
}

const auditOpening = (opened: Account, by: By, fresh: Fresh): readonly Change[] => {
  const { id, name, email, document, agency, account, bankCode, pixKey } = opened
  const named = `account:${id}` as const
  const changes = changesOf({}, { name, email, document, agency, account, bankCode, pixKey })
  return recordAudit(fresh, by, { chain: named, action: 'account.opened', subject: named, changes })
}

const KIND = 'bank-account'
const ONLY = 'only'
const ID = claimId(KIND, ONLY)

/** Who has the account of a bank that opens none: what holds it, or is about to. */
export const onlyAccountClaim = byId(claims, ID)

/** The bank opens no further account. */
export const NO_ACCOUNT = failure('refused', 'bank.unsupported')

type Can = Pick<Bank, 'can'>

const opensAccounts = ({ can }: Can): boolean => can.includes('open-account')

/** Whether nobody can be given an account any more. Source: decisions.md §7, `BANK`. */
export const isOnlyAccountTaken = (bank: Can, only: Claim | null): boolean => !opensAccounts(bank) && only !== null

/** What holds the one account for whoever it is being opened for: of two at once one is refused. */
export const claimOnlyAccount = (bank: Can, uuid: string): readonly Change[] =>
  opensAccounts(bank) ? [] : [reserveUnique(KIND, ONLY, uuid, null)]

/** The same verdict; where it came to no account, the one that was held for it is free again. */
export const releaseOnlyAccount = <V, C extends string>(
  { id }: Pick<Operation, 'id'>,
  only: Claim | null,
  verdict: Verdict<V, C>,
): Verdict<V, C> => {
  const hasEnded = verdict.is === 'refused' || verdict.is === 'withdrawn'
  if (!hasEnded || only?.holder !== id) return verdict
  return { ...verdict, changes: [...(verdict.changes ?? []), remove(claims, ID, eq('holder', id))] }
}
