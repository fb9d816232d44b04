import { failure, invalid } from '../../../failure.ts'
import { isLeft, left, right } from '../../../fp.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { hashingUseCaseOf } from '../../../office/guesses.ts'
import { byId, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type Claim, claimId, claims } from '../../claim.ts'
import type { By } from '../../office/audit.ts'
import { attachImage, detachImage, saveImage } from '../../office/files.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Account, accounts } from '../account.ts'
import { type AccountDetail, accountDetail } from '../account-view.ts'
import { accountLine } from './account-line.ts'
import { changeAccount } from './change-account.ts'
import { addressAfter, boletoAfter, rulesAfter, smtpAfter } from './merge-settings.ts'
import { type Reminders, reminders, remindersOf } from './reminders.ts'
import { type AccountChange, accountChange, type CheckedChange } from './settings-change.ts'

interface Facts {
  readonly account: Account | null
  /** Who has the new document. */
  readonly claim: Claim | null
  /** How far the account's payers are reminded. */
  readonly reminded: Reminders | null
}

/** What was made of a change before it is decided: slow things, and what lies outside. */
interface Prepared {
  /** Undefined where the logo stays. */
  readonly logoFileId: string | null | undefined
  readonly pinHash: string | undefined
}

/**
 * Changes an account's settings; whether the caller knows its PIN was asked before.
 * Fails: `account.unknown`, `fields` (`document.taken`, `charge.discount`, and what a mail server lacks: a new one asks for its password), `server.busy`.
 * Source: 01-access.md, PUT /access/account; decisions.md §12, Account.
 */
export const updateAccount = (ports: PaymentsPorts) => {
  const line = accountLine(ports.store)
  return (actor: Pick<Actor, 'accountId' | 'permissions'> & By, given: AccountChange) =>
    withValidInput(ports, accountChange, given, (change) =>
      hashingUseCaseOf<AccountDetail>()(async (hooks) => {
        const prepared = await prepare(ports, change, actor)
        if (isLeft(prepared)) return prepared
        const update = useCase(
          ports,
          (store) => readFacts(store, actor.accountId, change),
          (facts, fresh) => {
            const after = decideAccount(ports, facts, actor, change, prepared.right, fresh)
            if (isLeft(after)) return after
            const { changes, value } = after.right
            return accept((taken) => accountDetail(ports, value(taken), actor.permissions), ...changes)
          },
        )
        return line(actor.accountId)(() => update(hooks))
      }),
    )
}

const prepare = async (ports: PaymentsPorts, { logo, newPin }: CheckedChange, { origin }: By) => {
  const pinHash = newPin === undefined ? undefined : await ports.hasher.hash(newPin, origin)
  if (!logo) return right({ pinHash, logoFileId: logo })
  const kept = await saveImage(ports, 'logo', logo)
  return isLeft(kept) ? kept : right({ pinHash, logoFileId: kept.right })
}

const readFacts = async (store: Store, accountId: number, { document }: CheckedChange): Promise<Facts> => {
  const asks = { account: byId(accounts, accountId), reminded: byId(reminders, accountId) }
  if (document === undefined) return { ...(await store.read(asks)), claim: null }
  return store.read({ ...asks, claim: byId(claims, claimId('document', document)) })
}

export const decideAccount = (
  { cipher, settings }: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  { account, claim, reminded }: Facts,
  by: By,
  change: CheckedChange,
  { logoFileId, pinHash }: Prepared,
  fresh: Fresh,
) => {
  if (!account || account.removedAt !== null) return left(failure('not-found', 'account.unknown'))
  const smtp = smtpAfter(cipher, account, change.smtp)
  const configs = boletoAfter(account.boletoConfigs, change.boletoConfigs)
  const { name, email, document, webhookUrl } = change
  const wanted = {
    ...{ name, email, document, webhookUrl, logoFileId, pinHash },
    address: addressAfter(account.address, change.address),
    notificationRules: rulesAfter(account.notificationRules, change.notificationRules),
    ...(isLeft(configs) ? {} : { boletoConfigs: configs.right }),
    ...(isLeft(smtp) || smtp.right === undefined ? {} : { smtp: smtp.right, smtpToldAt: null }),
  }
  const changed = changeAccount(account, wanted, { claim, by, action: 'account.updated' }, fresh)
  const issues = [
    ...(isLeft(smtp) ? smtp.left : []),
    ...(isLeft(configs) ? configs.left : []),
    ...(isLeft(changed) && changed.left.tag === 'invalid' ? changed.left.issues : []),
  ]
  if (issues.length > 0) return left(invalid(issues))
  if (isLeft(changed)) return changed
  const files = logoFileId === undefined ? [] : movedLogo(account.logoFileId, logoFileId, fresh)
  const { account: after, changes } = changed.right
  const reminding = remindersOf(settings, fresh, after.id, after.notificationRules, reminded)
  return accept(after, ...changes, ...files, ...reminding)
}

const movedLogo = (old: string | null, id: string | null, fresh: Fresh) => [
  ...(old === null ? [] : [detachImage(old, fresh)]),
  ...(id === null ? [] : [attachImage(id)]),
]
