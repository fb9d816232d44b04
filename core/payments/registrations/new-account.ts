import { failure } from '../../failure.ts'
import { type Change, eq, insert, newRecord, patch, remove } from '../../kernel/records/record.ts'
import { type Fresh, randomCode } from '../../kernel/running/use-case.ts'
import type { Bank, OpenedAccount } from '../../ports/bank.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts, NEW_SETTINGS, newSecrets } from '../accounts/account.ts'
import { BANK_CALLS, type Operation, type Verdict } from '../bank/operation.ts'
import { type Claim, claimId, claims, reserveUnique } from '../claim.ts'
import { newLedgerAccount } from '../ledger/ledger.ts'
import { memberships, newMembership } from '../members/membership.ts'
import type { User } from '../members/user.ts'
import { type AuditActor, auditAccount, changesOf } from '../office.ts'
import { ADMIN, type PaymentsPorts } from '../payments-ports.ts'

export const ACCOUNT_CALLS = { ...BANK_CALLS, firstWaitSeconds: 2 } as const

/** The request to the bank for an account with our id. */
export type AccountOrder = Parameters<Bank['openAccount']>[0]

/** A repeated request with the same id returns the account that was opened. */
export const sendAccount =
  ({ bank }: { readonly bank: Bank }): Bank['openAccount'] =>
  (order) =>
    bank.openAccount(order)

const CODE_LENGTH = 22

interface NewAccount extends Pick<Account, 'name' | 'email' | 'document' | 'status'> {
  /** Our id of the account at the bank, which holds the claim of the document. */
  readonly uuid: string
  readonly atBank: OpenedAccount
  /** The actor of the request, also if the worker receives the bank's answer. */
  readonly by: AuditActor
}

/** Builds the record of an account that the bank has opened, and the changes that store it with its owner as ADMIN. */
export const newAccount = (
  { cipher, digest, bank }: Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank'>,
  { uuid, name, email, document, status, atBank, by }: NewAccount,
  owner: Pick<User, 'id' | 'name' | 'email' | 'document'>,
  fresh: Fresh,
): { readonly account: Account; readonly changes: readonly Change[] } => {
  const { now } = fresh
  const id = fresh.id(accounts)
  const { apiKey, sealed } = newSecrets(cipher, fresh, id)
  const account = newRecord(accounts, {
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
    ...NEW_SETTINGS,
    admins: 1,
    createdAt: now,
    updatedAt: now,
  })
  return {
    account,
    changes: [
      insert(accounts, account),
      patch(claims, claimId('document', document), { set: { holder: id, accountId: id }, when: eq('holder', uuid) }),
      reserveUnique('api-key', digest.sha256(apiKey), id, id),
      newLedgerAccount(id, 'main', fresh.steady),
      insert(memberships, newMembership(fresh, owner, { accountId: id, roleId: ADMIN.id })),
      ...auditAccount(
        fresh,
        by,
        id,
        'account.opened',
        changesOf({}, { name, email, document, ...atBank, bankCode: bank.compe }),
      ),
    ],
  }
}

const KIND = 'bank-account'
const ONLY = 'only'
const ID = claimId(KIND, ONLY)

/** The claim on the only account of a bank that opens no others; held from the request on. */
export const onlyAccountClaim = byId(claims, ID)

export const NO_ACCOUNT = failure('refused', 'bank.unsupported')

type Can = Pick<Bank, 'can'>

const opensAccounts = ({ can }: Can): boolean => can.includes('open-account')

/** Reports whether the bank opens no accounts and its only one is taken. */
export const isOnlyAccountTaken = (bank: Can, only: Claim | null): boolean => !opensAccounts(bank) && only !== null

/** Claims the only account: of two simultaneous requests one is rejected. */
export const claimOnlyAccount = (bank: Can, uuid: string): readonly Change[] =>
  opensAccounts(bank) ? [] : [reserveUnique(KIND, ONLY, uuid, null)]

/** Adds the release of the only account to a verdict that ends the operation without an account. */
export const releaseOnlyAccount = <V, C extends string>(
  { id }: Pick<Operation, 'id'>,
  only: Claim | null,
  verdict: Verdict<V, C>,
): Verdict<V, C> => {
  const hasEnded = verdict.is === 'refused' || verdict.is === 'withdrawn'
  if (!hasEnded || only?.holder !== id) return verdict
  return { ...verdict, changes: [...(verdict.changes ?? []), remove(claims, ID, eq('holder', id))] }
}
