import { type Either, type Failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import {
  allOptional,
  clearable,
  type DecodedOf,
  type InputOf,
  input,
  object,
  optional,
  output,
  text,
  view,
} from '../../kernel/input/mod.ts'
import { all, type Change, eq, patch } from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import { accept, type Fresh, randomCode, type UseCase, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { byId, type Store } from '../../ports/store.ts'
import { bankByCode } from '../banks.ts'
import { type Claim, releaseUnique, reserveUnique } from '../claim.ts'
import { type AuditActor, type AuditedAction, auditAccount, changesOf } from '../office.ts'
import { type Actor, accountRead, type Origin, type PaymentsPorts } from '../payments-ports.ts'
import { readPixKey } from '../pix/pix-key.ts'
import {
  type Account,
  API_KEY_LENGTH,
  accounts,
  apiKeyOf,
  feeFields,
  isExisting,
  limitFields,
  sealedApiKey,
  shownAccount,
  UNKNOWN_ACCOUNT,
} from './account.ts'
import { type ShownSecrets, secretsOf } from './views.ts'

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
 * Runs the changes of one account one by one in this process, across use cases: each merges into the stored settings,
 * and simultaneous ones would exhaust their retries. Between processes the guards decide.
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

/** The terms that the bank's back office sets; an omitted field stays. */
export const terms = input('Terms', {
  fees: optional(object(input(null, allOptional(feeFields)), { wire: 'taxes', about: 'Tarifas' })),
  limits: optional(object(input(null, allOptional(limitFields)), { about: 'Limites' })),
  bankCode: optional(text({ max: 3, about: 'Código do banco' })),
  pixKey: clearable(text({ max: 77, about: 'Chave Pix' })),
})
export type Terms = InputOf<typeof terms>

export const setTerms =
  (ports: PaymentsPorts) =>
  (accountId: number, submitted: Terms, origin: Origin | null = null) =>
    withValidInput(ports, terms, submitted, (changed) =>
      serialByAccount(
        ports.store,
        accountId,
        useCase(
          ports,
          (store) => store.find(byId(accounts, accountId)),
          (account, fresh) => decideTerms(account, changed, origin, fresh),
        ),
      ),
    )

export const decideTerms = (
  account: Account | null,
  { fees, limits, bankCode, pixKey }: DecodedOf<typeof terms>,
  origin: Origin | null,
  fresh: Fresh,
) => {
  if (!isExisting(account)) return left(UNKNOWN_ACCOUNT)
  const bank = bankCode === undefined ? null : bankByCode(bankCode)
  const key = pixKey == null ? null : readPixKey(pixKey)
  const issues = [
    ...(bankCode !== undefined && !bank?.code ? [issue('bankCode', 'unknown')] : []),
    ...(pixKey != null && !key ? [issue('pixKey', 'pix-key')] : []),
  ]
  if (issues.length > 0) return left(invalid(issues))
  const wanted = {
    taxes: { ...account.taxes, ...fees },
    limits: { ...account.limits, ...limits },
    bankCode: bank?.code ?? account.bankCode,
    pixKey: pixKey === undefined ? account.pixKey : (key?.key ?? null),
  }
  const about = { claim: null, by: { userId: null, origin }, action: 'terms.set' } as const
  const changed = changeAccount(account, wanted, about, fresh)
  return isLeft(changed) ? changed : accept(shownAccount(changed.right.account), ...changed.right.changes)
}

export const readSecrets = accountRead(
  'account.unknown',
  async ({ store, cipher }, accountId): Promise<ShownSecrets | null> => {
    const account = await store.find(byId(accounts, accountId))
    return isExisting(account) ? secretsOf(cipher, account) : null
  },
)

export const replaceApiKey = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'> & AuditActor) =>
  useCase(
    ports,
    (store) => store.find(byId(accounts, actor.accountId)),
    (account, fresh) => {
      if (!isExisting(account)) return left(UNKNOWN_ACCOUNT)
      const { cipher, digest } = ports
      const { id } = account
      const apiKey = randomCode(fresh, API_KEY_LENGTH)
      const set = { apiKeySealed: sealedApiKey(cipher, id, apiKey), updatedAt: nextUpdatedAt(account, fresh.now) }
      const when = all(eq('removedAt', null), eq('apiKeySealed', account.apiKeySealed))
      return accept<ShownSecrets>(
        secretsOf(cipher, { ...account, ...set }),
        patch(accounts, id, { set, when }),
        releaseUnique('api-key', digest.sha256(apiKeyOf(cipher, account))),
        reserveUnique('api-key', digest.sha256(apiKey), id, id),
        ...auditAccount(fresh, actor, id, 'key.replaced'),
      )
    },
  )

export const secretsView = view('AccountSecrets', {
  apiKey: output.text({ about: 'Chave de API' }),
  webhookSecret: output.text({ about: 'Chave que assina os webhooks' }),
})
