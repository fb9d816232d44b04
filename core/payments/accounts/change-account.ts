import { type Either, type Failure, invalid, issue, left, right } from '../../failure.ts'
import { all, type Change, eq, patch } from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import type { Fresh, UseCase } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import type { Store } from '../../ports/store.ts'
import { type Claim, releaseUnique, reserveUnique } from '../claim.ts'
import { type AuditActor, type AuditedAction, auditAccount, changesOf } from '../office.ts'
import { type Account, accounts } from './account.ts'

const MILLISECOND_SECONDS = 0.001

/** Returns a later time than the stored one, so that the second of two simultaneous changes is retried and merges. */
export const nextUpdatedAt = ({ updatedAt }: Pick<Account, 'updatedAt'>, now: Instant): Instant =>
  now > updatedAt ? now : addSeconds(updatedAt, MILLISECOND_SECONDS)

/** The changed fields of an account; undefined leaves a field unchanged. */
type AccountPatch = { readonly [K in keyof Account]?: Account[K] | undefined }

/**
 * Returns the account after a change of its settings, and the changes that store it. Claims a new document and releases
 * the old one. Fails: `fields` (`document.taken`).
 */
export const changeAccount = (
  account: Account,
  wanted: AccountPatch,
  /** `claim` is that on the new document, if it is taken. */
  { claim, by, action }: { readonly claim: Claim | null; readonly by: AuditActor; readonly action: AuditedAction },
  fresh: Fresh,
): Either<Failure<'fields', 'document.taken'>, { readonly account: Account; readonly changes: readonly Change[] }> => {
  const isOther = wanted.document !== account.document
  if (claim && claim.holder !== account.id && isOther) return left(invalid([issue('document', 'document.taken')]))
  const fields: Partial<Account> = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
  if (Object.keys(fields).length === 0) return right({ account, changes: [] })
  const isMoved = fields.document !== undefined && isOther
  const set = {
    ...fields,
    ...(isMoved ? { documentPassedAt: null } : {}),
    updatedAt: nextUpdatedAt(account, fresh.now),
  }
  const when = all(eq('removedAt', null), eq('updatedAt', account.updatedAt))
  return right({
    account: { ...account, ...set },
    changes: [
      patch(accounts, account.id, { set, when }),
      ...moveDocument(account, fields.document),
      ...auditAccount(fresh, by, account.id, action, changesOf(account, fields)),
    ],
  })
}

const moveDocument = ({ id, document: old, documentPassedAt }: Account, document = old): readonly Change[] => {
  if (document === old) return []
  const released = documentPassedAt === null ? [releaseUnique('document', old)] : []
  return [...released, reserveUnique('document', document, id, id)]
}

const serials = new WeakMap<Store, ReturnType<typeof serialByName>>()

/**
 * Runs the changes of one account one by one in this process, across use cases: each merges into the stored settings, and
 * simultaneous ones would exhaust their retries. Between processes the guards decide.
 */
export const serialByAccount = <V, C extends string, I extends string>(
  store: Store,
  accountId: number,
  change: UseCase<V, C, I>,
): UseCase<V, C, I> => {
  const inSequence = serials.get(store) ?? serialByName()
  serials.set(store, inSequence)
  return (hooks) => inSequence(`${accountId}`, () => change(hooks))
}
