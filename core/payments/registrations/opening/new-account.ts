import { type Change, insert, patch } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { randomCode } from '../../../kernel/running/fresh.ts'
import type { OpenedAccount } from '../../../ports/bank.ts'
import { type Account, accounts, UNSET } from '../../accounts/account.ts'
import { newSecrets } from '../../accounts/account-secrets.ts'
import { claimId, claims, reserveUnique } from '../../claim.ts'
import { newLedgerAccount } from '../../ledger/ledger-account.ts'
import { memberships, newMembership } from '../../members/membership.ts'
import type { User } from '../../members/user.ts'
import { type By, changesOf, recordAudit } from '../../office/audit.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { ADMIN } from '../../role.ts'

const CODE_LENGTH = 22

interface AccountToBe extends Pick<Account, 'name' | 'email' | 'document' | 'status'> {
  /** Our own id of it at the bank, which has claimed its document. */
  readonly uuid: string
  readonly atBank: OpenedAccount
  /** Who asked for it, wherever the bank's answer found us. */
  readonly by: By
}

/** An account that the bank has opened, and the changes that make it, with its owner as ADMIN. */
export const newAccount = (
  { cipher, digest, bank }: Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank'>,
  { uuid, name, email, document, status, atBank, by }: AccountToBe,
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
    ...UNSET,
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
      ...auditedOpening(account, by, fresh),
    ],
  }
}

const auditedOpening = (opened: Account, by: By, fresh: Fresh): readonly Change[] => {
  const { id, name, email, document, agency, account, bankCode, pixKey } = opened
  const named = `account:${id}` as const
  const changes = changesOf({}, { name, email, document, agency, account, bankCode, pixKey })
  return recordAudit(fresh, by, { chain: named, action: 'account.opened', subject: named, changes })
}
