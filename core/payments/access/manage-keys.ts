import { failure, invalid, issue, left } from '../../failure.ts'
import {
  allOptional,
  type DecodedOf,
  type InputOf,
  input,
  integer,
  pageFields,
  withDefault,
} from '../../kernel/input/mod.ts'
import { all, type Change, eq, insert, newRecord, patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, readUseCase, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { parseId } from '../../kernel/values/text.ts'
import { listPage, NEWEST_FIRST, type PageOf, type Store } from '../../ports/store.ts'
import { type AuditedAction, auditInAccount, changesOf } from '../office.ts'
import { type Actor, accountQuery, findOwn, type PaymentsPorts } from '../payments-ports.ts'
import {
  endingOf,
  type IssuedKey,
  keyFields,
  keyStatusAt,
  livingKeys,
  MAX_LIVING_KEYS,
  type NamedKey,
  namedKeys,
  randomKey,
  type ShownKey,
  shownKey,
  UNKNOWN_KEY,
} from './named-key.ts'

export const newNamedKey = input('NewApiKey', keyFields)
export type NewNamedKey = InputOf<typeof newNamedKey>

/** The change of a key; an omitted field stays. */
export const namedKeyChange = input('ApiKeyChange', allOptional(keyFields))
export type NamedKeyChange = InputOf<typeof namedKeyChange>

const DAY_SECONDS = 86_400
/** The longest time for which a rotated key works beside its successor. */
const MAX_ROTATION_SECONDS = 7 * DAY_SECONDS

export const keyRotation = input('ApiKeyRotation', {
  expiresIn: withDefault(
    integer({
      min: 0,
      max: MAX_ROTATION_SECONDS,
      wire: 'expires_in',
      about: 'Por quantos segundos a chave anterior ainda vale; 0 a encerra no mesmo instante',
    }),
    DAY_SECONDS,
  ),
})
export type KeyRotation = InputOf<typeof keyRotation>

export const keyFilter = input('ApiKeyFilter', pageFields)
export type KeyFilter = InputOf<typeof keyFilter>

type KeyActor = Pick<Actor, 'userId' | 'accountId' | 'permissions' | 'origin'>

export const createNamedKey = (ports: PaymentsPorts) => (actor: KeyActor, submitted: NewNamedKey) =>
  withValidInput(ports, newNamedKey, submitted, (request) =>
    useCase(
      ports,
      (store) => store.list({ ...livingKeys(actor.accountId, ports.clock.steady()), total: true }),
      ({ total }, fresh) => {
        const wrong = faultOf(actor, request, fresh)
        if (wrong) return left(wrong)
        if ((total ?? 0) >= MAX_LIVING_KEYS) return left(TOO_MANY)
        const { issued, change, key } = issueKey(ports, actor, request, fresh)
        return accept(issued, change, ...auditKey(fresh, actor, key.id, 'api-key.created', changesOf({}, chosen(key))))
      },
    ),
  )

const TOO_MANY = failure('conflict', 'api-key.limit')

/** Returns the failure of a request for more than its maker may do, or for an expiry in the past. */
const faultOf = (
  { permissions: held }: Pick<Actor, 'permissions'>,
  { permissions = [], expiresAt = null }: DecodedOf<typeof namedKeyChange>,
  { steady }: Pick<Fresh, 'steady'>,
) => {
  const issues = [
    ...permissions.flatMap((each, index) =>
      held.includes(each) ? [] : [issue(`permissions.${index}`, 'api-key.permission')],
    ),
    ...(expiresAt !== null && expiresAt <= steady ? [issue('expiresAt', 'api-key.expiry')] : []),
  ]
  return issues.length > 0 ? invalid(issues) : null
}

type Chosen = Pick<NamedKey, 'name' | 'permissions' | 'expiresAt' | 'addresses'>

const chosen = ({ name, permissions, expiresAt, addresses }: Chosen): Chosen => ({
  name,
  permissions: [...new Set(permissions)],
  expiresAt,
  addresses: [...new Set(addresses)],
})

const issueKey = (
  { digest, settings }: Pick<PaymentsPorts, 'digest' | 'settings'>,
  { userId, accountId }: KeyActor,
  request: Chosen,
  fresh: Fresh,
): { readonly issued: IssuedKey; readonly key: NamedKey; readonly change: Change } => {
  const text = randomKey(fresh, settings)
  const key = newRecord(namedKeys, {
    id: fresh.id(namedKeys),
    accountId,
    ...chosen(request),
    createdBy: userId,
    secretHash: digest.sha256(text),
    ending: endingOf(text),
    createdAt: fresh.now,
    updatedAt: fresh.now,
  })
  return { issued: { ...shownKey(key, fresh.steady), key: text }, key, change: insert(namedKeys, key) }
}

const auditKey = (
  fresh: Fresh,
  actor: KeyActor,
  id: number,
  action: AuditedAction,
  changes?: ReturnType<typeof changesOf>,
) => auditInAccount(fresh, actor, actor.accountId, action, `api-key:${id}`, changes)

export const listNamedKeys = accountQuery(
  keyFilter,
  async ({ store, clock }, accountId, page): Promise<PageOf<ShownKey>> => {
    const found = await listPage(store, namedKeys, page, { where: eq('accountId', accountId), sort: NEWEST_FIRST })
    return { ...found, records: found.records.map((key) => shownKey(key, clock.steady())) }
  },
)

const findKey = (store: Store, { accountId }: Pick<Actor, 'accountId'>, id: number | null): Promise<NamedKey | null> =>
  findOwn(store, namedKeys, accountId, id)

export const readNamedKey =
  ({ store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  (actor: Pick<Actor, 'accountId'>, pathId: string) =>
    readUseCase('api-key.unknown', async () => {
      const key = await findKey(store, actor, parseId(pathId))
      return key && shownKey(key, clock.steady())
    })

/** Changes that a key accepts apply to one that works and has no successor. */
const UNCHANGED = all(eq('revokedAt', null), eq('successorId', null))

const ENDED = failure('conflict', 'api-key.ended')

const isEnded = (key: NamedKey, { steady }: Pick<Fresh, 'steady'>): boolean =>
  key.successorId !== null || keyStatusAt(key, steady) !== 'active'

export const updateNamedKey = (ports: PaymentsPorts) => (actor: KeyActor, id: number, submitted: NamedKeyChange) =>
  withValidInput(ports, namedKeyChange, submitted, (request) =>
    useCase(
      ports,
      (store) => findKey(store, actor, id),
      (key, fresh) => {
        if (!key) return left(UNKNOWN_KEY)
        if (isEnded(key, fresh)) return left(ENDED)
        const wrong = faultOf(actor, request, fresh)
        if (wrong) return left(wrong)
        const after: NamedKey = { ...key, ...chosen({ ...key, ...request }), updatedAt: fresh.now }
        const set = { ...chosen(after), updatedAt: after.updatedAt }
        return accept(
          shownKey(after, fresh.steady),
          patch(namedKeys, id, { set, when: UNCHANGED }),
          ...auditKey(fresh, actor, id, 'api-key.updated', changesOf(chosen(key), chosen(after))),
        )
      },
    ),
  )

export const revokeNamedKey = (ports: PaymentsPorts) => (actor: KeyActor, id: number) =>
  useCase(
    ports,
    (store) => findKey(store, actor, id),
    (key, fresh) => {
      if (!key) return left(UNKNOWN_KEY)
      if (key.revokedAt !== null) return accept(shownKey(key, fresh.steady))
      const set = { revokedAt: fresh.now, updatedAt: fresh.now }
      return accept(
        shownKey({ ...key, ...set }, fresh.steady),
        patch(namedKeys, id, { set, when: eq('revokedAt', null) }),
        ...auditKey(fresh, actor, id, 'api-key.revoked'),
      )
    },
  )

export const rotateNamedKey = (ports: PaymentsPorts) => (actor: KeyActor, id: number, submitted: KeyRotation) =>
  withValidInput(ports, keyRotation, submitted, (request) =>
    useCase(
      ports,
      async (store) => ({
        key: await findKey(store, actor, id),
        living: await store.list({ ...livingKeys(actor.accountId, ports.clock.steady()), total: true }),
      }),
      (facts, fresh) => decideRotation(ports, actor, facts, request, fresh),
    ),
  )

/** The successor is made by the actor: the permissions that the actor lacks end with the former key. */
const decideRotation = (
  ports: PaymentsPorts,
  actor: KeyActor,
  { key: former, living }: { readonly key: NamedKey | null; readonly living: { readonly total: number | null } },
  { expiresIn }: DecodedOf<typeof keyRotation>,
  fresh: Fresh,
) => {
  if (!former) return left(UNKNOWN_KEY)
  if (isEnded(former, fresh)) return left(ENDED)
  const permissions = former.permissions.filter((each) => actor.permissions.includes(each))
  if (expiresIn > 0 && (living.total ?? 0) >= MAX_LIVING_KEYS) return left(TOO_MANY)
  const { issued, key, change } = issueKey(ports, actor, { ...former, permissions }, fresh)
  const end = addSeconds(fresh.steady, expiresIn)
  const expiresAt = former.expiresAt !== null && former.expiresAt < end ? former.expiresAt : end
  const set = { successorId: key.id, expiresAt, updatedAt: fresh.now }
  return accept(
    issued,
    change,
    patch(namedKeys, former.id, { set, when: UNCHANGED }),
    ...auditKey(
      fresh,
      actor,
      former.id,
      'api-key.rotated',
      changesOf({ successorId: null, expiresAt: former.expiresAt }, { successorId: key.id, expiresAt }),
    ),
  )
}
