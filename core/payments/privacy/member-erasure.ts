import { invalid, issue, left } from '../../failure.ts'
import { id, nullable, oneOf, output, timestamp, view } from '../../kernel/input/mod.ts'
import {
  all,
  always,
  type Change,
  type Collection,
  eq,
  insert,
  newRecord,
  not,
  orNull,
  patch,
  record,
  remove,
  t,
  word,
} from '../../kernel/records/record.ts'
import { applyOutcome, type Lease, type Queue, queueOf, queueParts } from '../../kernel/running/queue.ts'
import { accept, type FactsOf, type Fresh, freshOf, useCase } from '../../kernel/running/use-case.ts'
import { addSeconds, type Day, dayOf, type Instant } from '../../kernel/values/day.ts'
import { type AuditEntry, type ErasedParts, entriesAbout, entriesAfter, VALUES_ERASED } from '../../office/audit.ts'
import { byId, listAll, type QueryResults, type Store } from '../../ports/store.ts'
import { type Code, codes } from '../access/code.ts'
import { otherMembership } from '../access/team-changes.ts'
import { factorOf, factors } from '../challenges/factor.ts'
import { passkeys, passkeysOf } from '../challenges/passkey.ts'
import { trustedDevices, trustedDevicesOf } from '../challenges/trusted-device.ts'
import { notifications, notificationsNaming } from '../inbox/inbox.ts'
import { memberKey, membershipOf } from '../members/membership.ts'
import { mailsToUser, UNKNOWN_USER, type User, users } from '../members/user.ts'
import { audit, auditInAccount, mails, type QueuedMail } from '../office.ts'
import type { AccountActor, PaymentsPorts } from '../payments-ports.ts'
import { ERASED, ERASURE_STATUSES, KEPT_AUDIT, type KeptFields, keptView } from './erasure.ts'

const memberErasure = record({
  /** The account and the user: `7|9`. */
  id: t.string,
  accountId: t.number,
  userId: t.number,
  /** True if the user was a member of no account: then the user's own record and audit chain are erased too. */
  isWhole: t.boolean,
  status: word(...ERASURE_STATUSES),
  requestedBy: t.number,
  requestedAt: t.string,
  completedAt: orNull(t.string),
  /** The time from which the law no longer requires the newest access record; null if none is stored. */
  accessKeptUntil: orNull(t.string),
  /** The position of the worker in the audit chains; null before a pass. */
  place: orNull(t.string),
  dueAt: orNull(t.string),
  attempts: t.number,
})

/** The erasure of the personal data of a former member of an account. */
export type MemberErasure = t.TypeOf<typeof memberErasure>

export const memberErasures: Collection<MemberErasure> = {
  name: 'payments.member-erasures',
  ids: 'text',
  codec: memberErasure,
  owner: 'accountId',
  ...queueParts('accountId'),
}

/** Finds a member of an account, or one who left it; null if the user never belonged to it. */
export const findMember = async (store: Store, accountId: number, userId: number | null) => {
  if (userId === null) return null
  const { user, membership, erasure } = await store.read({
    user: byId(users, userId),
    membership: membershipOf(accountId, userId),
    erasure: byId(memberErasures, memberKey(accountId, userId)),
  })
  if (!user) return null
  const about = { chain: `account:${accountId}`, subject: `user:${userId}`, action: 'user.removed' }
  const removed = await store.list({ ...entriesAbout(audit, about), limit: 1 })
  if (!membership && removed.records.length === 0) return null
  const isShared = (await otherMembership(store, accountId, userId)) !== null
  return { user, membership, erasure, isShared }
}

export const eraseMember = (ports: PaymentsPorts) => (actor: AccountActor, userId: number | null) =>
  useCase(
    ports,
    async (store) => {
      const found = await findMember(store, actor.accountId, userId)
      if (!found) return null
      const { id, email } = found.user
      return {
        ...found,
        factorRecords: await store.read(factorQueries(id)),
        sent: await listAll(store, mailsToUser(id)),
        code: await store.find(byId(codes, email)),
      }
    },
    (found, fresh) => decideMemberErasure(found, actor, fresh),
  )

/** The records of a user's second factor: names of devices, addresses, public keys and sealed secrets. */
export const factorQueries = (userId: number) => ({
  factor: factorOf(userId),
  known: passkeysOf(userId),
  devices: trustedDevicesOf(userId),
})

type FactorRecords = QueryResults<ReturnType<typeof factorQueries>>

/** The stored mails to a user, queued or sent, and the last mailed code. */
interface UserMails {
  readonly sent: readonly QueuedMail[]
  readonly code: Code | null
}

type Found = FactsOf<typeof findMember> & UserMails & { readonly factorRecords: FactorRecords }

const decideMemberErasure = (found: Found | null, { accountId, ...by }: AccountActor, fresh: Fresh) => {
  if (!found) return left(UNKNOWN_USER)
  const { user, membership, erasure: known, isShared, factorRecords } = found
  if (membership) return left(invalid([issue('id', 'user.member')], 'user.member'))
  const isWhole = !isShared && user.removedAt !== null
  if (known && (known.isWhole || !isWhole)) return accept<MemberErasure>(known)
  const erasure = newRecord(memberErasures, {
    id: memberKey(accountId, user.id),
    accountId,
    userId: user.id,
    isWhole,
    status: 'processing',
    requestedBy: by.userId,
    requestedAt: fresh.now,
    dueAt: fresh.steady,
    attempts: 0,
  })
  return accept<MemberErasure>(
    erasure,
    known
      ? patch(memberErasures, known.id, { set: erasure, when: eq('isWhole', false) })
      : insert(memberErasures, erasure),
    ...(isWhole ? [...eraseUser(user, fresh.now), ...removeFactorRecords(factorRecords), ...removeMails(found)] : []),
    ...auditInAccount(fresh, by, accountId, 'member-data.erased', `user:${user.id}`),
  )
}

/** The personal data of a user; the id stays in the records of the user's actions. */
const USER_ERASED = {
  name: ERASED,
  email: '',
  phone: null,
  document: null,
  emailVerifiedAt: null,
  passwordHash: null,
  secondFactorAt: null,
} as const

const eraseUser = (user: User, now: Instant): readonly Change[] => {
  if (user.name === ERASED && user.email === '') return []
  const when = all(not(eq('removedAt', null)), eq('updatedAt', user.updatedAt))
  return [patch(users, user.id, { set: { ...USER_ERASED, updatedAt: now }, when })]
}

const removeFactorRecords = ({ factor, known, devices }: FactorRecords): readonly Change[] => [
  ...(factor ? [remove(factors, factor.id, always)] : []),
  ...known.records.map(({ id }) => remove(passkeys, id, always)),
  ...devices.records.map(({ id }) => remove(trustedDevices, id, always)),
]

const removeMails = ({ user, sent, code }: Found): readonly Change[] => [
  ...sent.map(({ id }) => remove(mails, id, always)),
  ...(code?.userId === user.id ? [remove(codes, code.id, eq('userId', user.id))] : []),
]

/** Longer than one slice takes under load. */
const LEASE_SECONDS = 60
const AT_ONCE = 2
/** The wait for audit entries that are not linked to their chain yet. */
const RETRY_SECONDS = 60
/** Access records are kept for six months: Lei 12.965/2014 (Marco Civil da Internet), art. 15. */
const ACCESS_SECONDS = 184 * 24 * 3_600

/** The position of a pass: the chain, the last entry read, and the results so far. */
interface Place {
  readonly chain: number
  readonly seq: number
  readonly isPartial: boolean
  readonly keptUntil: string | null
}

const START: Place = { chain: 0, seq: 0, isPartial: false, keptUntil: null }

/** The queue of erasures of members. An interrupted pass continues at its last slice, and may repeat it. */
export const memberErasureQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: memberErasures,
    owner: 'accountId',
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: (claimed, _report, lease) => runPass(ports, claimed, lease),
  })

export type ChainName = `account:${number}` | `user:${number}`

export const isChainName = (text: string): text is ChainName => /^(account|user):\d+$/.test(text)

const chainsOf = ({ accountId, userId, isWhole }: MemberErasure): readonly ChainName[] => {
  const own: readonly ChainName[] = isWhole ? [`user:${userId}`] : []
  return [`account:${accountId}`, ...own]
}

const runPass = async (ports: PaymentsPorts, claimed: MemberErasure, lease: Lease<MemberErasure>): Promise<void> => {
  const { store, clock } = ports
  const chains = chainsOf(claimed)
  let leased = claimed
  let place: Place = claimed.place === null ? START : JSON.parse(claimed.place)
  for (let chain = chains[place.chain]; chain; chain = chains[place.chain]) {
    const { records } = await store.list(entriesAfter(audit, chain, place.seq))
    place = await eraseEntries(ports, claimed, chain, records, place)
    const renewed = await lease.renew(clock.now(), { place: JSON.stringify(place) })
    // Another process has claimed the erasure since.
    if (!renewed) return
    leased = renewed
  }
  await eraseNotices(store, claimed)
  const { isPartial, keptUntil } = place
  const dueAt = isPartial ? addSeconds(clock.steady(), RETRY_SECONDS) : keptUntil
  const completed = { status: 'completed', completedAt: leased.completedAt ?? clock.now() } as const
  await applyOutcome(store, memberErasures, leased, {
    ...(isPartial ? {} : completed),
    accessKeptUntil: keptUntil,
    dueAt,
    place: null,
    attempts: 0,
  })
}

/** Reports whether an entry has values about a user, and an origin of the user. */
export const partsOf = (
  userId: number,
  { chain, subject, actorUserId }: Pick<AuditEntry, 'chain' | 'subject' | 'actorUserId'>,
): ErasedParts => ({
  changes: subject === `user:${userId}`,
  origin: actorUserId === userId || chain === `user:${userId}`,
})

const eraseEntries = async (
  ports: PaymentsPorts,
  { userId }: MemberErasure,
  chain: ChainName,
  entries: readonly AuditEntry[],
  place: Place,
): Promise<Place> => {
  const { fresh } = freshOf(ports)
  let { isPartial, keptUntil } = place
  const erasures = entries.flatMap((entry) => {
    const { changes, origin } = partsOf(userId, entry)
    if (entry.action === VALUES_ERASED || !(changes || origin)) return []
    if (entry.hash === null) isPartial = true
    const until = addSeconds(entry.createdAt, ACCESS_SECONDS)
    const isKept = origin && entry.address !== null && until > fresh.now
    if (isKept && (keptUntil === null || until > keptUntil)) keptUntil = until
    return [{ entry, parts: { changes, origin: origin && !isKept } }]
  })
  const changes = audit.eraseValues(ports.digest, fresh, { chain, subject: `user:${userId}` }, erasures)
  if (changes.length > 0 && !(await ports.store.commit(changes)).ok) isPartial = true
  const last = entries.at(-1)
  return last
    ? { ...place, seq: last.seq, isPartial, keptUntil }
    : { chain: place.chain + 1, seq: 0, isPartial, keptUntil }
}

/**
 * Removes the e-mail and address of the user from the notifications of the account's ADMINs, and the mails to them that
 * name the user, queued or sent.
 */
const eraseNotices = async (store: Store, { id: member, accountId, userId }: MemberErasure): Promise<void> => {
  for await (const { id, data } of notificationsNaming(store, accountId, userId)) {
    const known = JSON.parse(data)
    if (known.email === '') continue
    const erased = JSON.stringify({ ...known, email: '', address: null })
    await store.commit([patch(notifications, id, { set: { data: erased }, when: always })])
  }
  for await (const { id, names } of store.scan(mails, not(eq('names', null))))
    if (names?.includes(member)) await store.commit([remove(mails, id, always)])
}

const BY_ACCESS_LAW = 'Registro de acesso, por seis meses: LGPD, art. 16, I; Lei 12.965/2014, art. 15'
const BY_SHARING = 'O usuário pertence a outra organização'

const KEPT_RECORDS = ['user', 'access', 'audit'] as const

type KeptMemberFields = KeptFields<(typeof KEPT_RECORDS)[number]>

/** Returns the fields that stay after the erasure of a member. */
export const keptMemberFieldsOf = (erasure: MemberErasure): readonly KeptMemberFields[] => {
  const { isWhole, accessKeptUntil, status } = erasure
  const until: Day | null = accessKeptUntil && dayOf(accessKeptUntil)
  return [
    ...(isWhole
      ? []
      : [{ record: 'user', fields: ['name', 'email', 'phone', 'document'], reason: BY_SHARING, until: null } as const]),
    ...(until === null && status === 'completed'
      ? []
      : [{ record: 'access', fields: ['address', 'device', 'created_at'], reason: BY_ACCESS_LAW, until } as const]),
    KEPT_AUDIT,
  ]
}

const keptMemberFieldsView = keptView('KeptMemberFields', KEPT_RECORDS, 'Desde quando não ficam mais; null sem prazo')

export const memberErasureView = view(
  'MemberErasure',
  {
    userId: id({ about: 'Usuário' }),
    status: oneOf(ERASURE_STATUSES, {
      about: '`processing` enquanto a auditoria é percorrida, alguns minutos; depois `completed`',
    }),
    requestedAt: timestamp({ about: 'Quando foi pedida' }),
    completedAt: nullable(timestamp({ about: 'Quando terminou' })),
    kept: output.views(keptMemberFieldsView, { about: 'O que fica, por que e até quando' }),
  },
  (of: MemberErasure) => ({ ...of, kept: keptMemberFieldsOf(of) }),
)
