import { failure, issue } from '../../failure.ts'
import { t } from '../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { pick, storedTypes } from '../../kernel/input/table.ts'
import { type Change, patch, remove } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { stateMachine } from '../../kernel/state-machine.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Claim, type ClaimKind, claimId, claims, reserveUnique } from '../claim.ts'
import { userFields } from '../members/user-fields.ts'
import { claimDocument, type Held, isTaken, readHeldDocument, readHeldUserDocument } from './founding.ts'
import { onlyAccount } from './opening/only-account.ts'
import { pairFields, type REGISTRATION_STATES, registrationFields } from './registration-fields.ts'

export type RegistrationState = (typeof REGISTRATION_STATES)[number]

/** The state machine of a registration. New images leave it under review. */
export const registrationMoves = stateMachine<RegistrationState>({
  PENDING_EMAIL: ['PENDING_DOCUMENTS'],
  PENDING_DOCUMENTS: ['UNDER_REVIEW'],
  UNDER_REVIEW: ['UNDER_REVIEW', 'APPROVED', 'REJECTED'],
  APPROVED: [],
  REJECTED: [],
})

const registration = record({
  ...storedTypes(pick(userFields, 'id', 'name', 'email', 'phone')),
  /** From where they registered; null where whoever embeds the core does not say. */
  origin: orNull(record({ address: t.string, device: orNull(t.string) })),
  /** As it was written; null for who was registered at once. */
  address: orNull(t.string),
  ...storedTypes(pick(registrationFields, 'document', 'state')),
  /** Our own id of the account at the bank, the organization's uuid to be; it holds the claims meanwhile. */
  uuid: t.string,
  /** The password chosen at registration; without one, a link that sets it is mailed. */
  passwordHash: orNull(t.string),
  /** Changes with every new code, and salts its hash. */
  codeId: t.string,
  /** Null where there is no code to be typed in. */
  codeHash: orNull(t.string),
  /** Of everybody's; no number ends a long code. */
  codeTriesLeft: t.number,
  codeSentAt: t.string,
  confirmedAt: orNull(t.string),
  /** Stored files, which nobody is shown. */
  image1Id: orNull(t.string),
  image2Id: orNull(t.string),
  /** Why the bank refused. */
  reason: orNull(t.string),
  /** What it became. */
  accountId: orNull(t.number),
  userId: orNull(t.number),
  /** When it is forgotten that nobody went on with; null where it waits for the bank, or is decided. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
  updatedAt: t.string,
  /** How many characters its code has; null for four, in records of earlier releases. */
  codeLength: orNull(t.number),
  /** What the bank is being asked of it: it has the id of the account to be. Null in records of earlier releases, too. */
  operationId: orNull(t.string),
})

/** Somebody who asks for an account and is no user yet. Source: 01-access.md, Legacy onboarding; decisions.md §1. */
export type Registration = t.TypeOf<typeof registration>

type OfCode = 'codeId' | 'codeHash' | 'codeTriesLeft' | 'codeSentAt' | 'codeLength'

/** A registration without what its password and its code are known again by. */
export type ShownRegistration = Omit<Registration, 'passwordHash' | OfCode>

export const shownRegistration = (registration: Registration): ShownRegistration => {
  const { passwordHash, codeId, codeHash, codeTriesLeft, codeSentAt, codeLength, ...shown } = registration
  return shown
}

export const registrations: Collection<Registration> = {
  name: 'payments.registrations',
  ids: 'integer',
  codec: registration,
  owner: null,
  conditions: { waiting: not(eq('dueAt', null)) },
  indexes: [
    { eq: 'document', sort: 'createdAt' },
    { sort: 'dueAt', when: 'waiting', acrossOwners: true },
  ],
}

/** The pair that gives access to a registration. */
export const registrationPair = input('RegistrationPair', pairFields)
type Pair = DecodedOf<typeof registrationPair>

export type RegistrationPair = InputOf<typeof registrationPair>

/** The registration of a pair; null where the two do not belong together. */
export const findRegistration = async (
  store: Store,
  { registrationId, document }: Pair,
): Promise<Registration | null> => {
  const found = await store.find(byId(registrations, registrationId))
  return found?.document === document ? found : null
}

export const NO_REGISTRATION = failure('not-found', 'registration.unknown')

/** The claims that a registration holds for the user and the account that it may become. */
const KINDS = ['email', 'document', 'user-document'] as const satisfies readonly ClaimKind[]

type Claimed = Pick<Registration, 'email' | 'document'>

const claimedText = (kind: (typeof KINDS)[number], { email, document }: Claimed): string =>
  kind === 'email' ? email : document

/** The holders of what it claims; `only` holds the bank's one account, if the bank opens no others. */
export type ClaimFacts = Readonly<Record<'email' | 'only', Claim | null>> &
  Readonly<Record<'document' | 'userDocument', Held | null>>

export const readClaims = async (store: Store, { email, document }: Claimed): Promise<ClaimFacts> => {
  const [taken, organization, user] = await Promise.all([
    store.read({ email: byId(claims, claimId('email', email)), only: onlyAccount }),
    readHeldDocument(store, document, null),
    readHeldUserDocument(store, document),
  ])
  return { ...taken, document: organization, userDocument: user }
}

export const takenIssues = ({ email, document, userDocument }: ClaimFacts, fresh: Fresh) => [
  ...(email ? [issue('email', 'email.taken')] : []),
  ...([document, userDocument].some((held) => isTaken(held, fresh)) ? [issue('document', 'document.taken')] : []),
]

export const reserveAll = (
  { email, document, uuid }: Claimed & Pick<Registration, 'uuid'>,
  held: ClaimFacts,
  fresh: Fresh,
): readonly Change[] => [
  reserveUnique('email', email, uuid, null),
  ...claimDocument('document', document, uuid, held.document, fresh),
  ...claimDocument('user-document', document, uuid, held.userDocument, fresh),
]

export const releaseAll = (of: Claimed & Pick<Registration, 'uuid'>): readonly Change[] =>
  KINDS.map((kind) => remove(claims, claimId(kind, claimedText(kind, of)), eq('holder', of.uuid)))

/** The claims that go on to the user; the document's own goes on to the account. */
export const handToUser = (of: Claimed & Pick<Registration, 'uuid'>, userId: number): readonly Change[] =>
  (['email', 'user-document'] as const).map((kind) =>
    patch(claims, claimId(kind, claimedText(kind, of)), { set: { holder: userId }, when: eq('holder', of.uuid) }),
  )
