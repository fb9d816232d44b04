import { failure, flatMap, pipe, right } from '../../failure.ts'
import {
  type DecodedOf,
  type Field,
  type FieldExtras,
  type FieldOptions,
  field,
  type InputCode,
  type InputOf,
  id,
  input,
  inQuery,
  line,
  nullable,
  oneOf,
  pick,
  type ReadResult,
  reject,
  required,
  storedTypes,
  text,
  timestamp,
  view,
} from '../../kernel/input/mod.ts'
import {
  type Change,
  type Collection,
  eq,
  newRecord,
  orNull,
  patch,
  record,
  remove,
  stateMachine,
  t,
} from '../../kernel/records/record.ts'
import { queueConditions, queueIndex } from '../../kernel/running/queue.ts'
import { type Fresh, readUseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { isTaxId, normalizeTaxId, taxIdKind } from '../../kernel/values/tax-id.ts'
import { byId, listOf, NEWEST_FIRST, type Store } from '../../ports/store.ts'
import { LETTERS, typedCode } from '../access/code-tries.ts'
import { type Claim, claimId, claims, reserveUnique } from '../claim.ts'
import { takenIssues, userFields } from '../members/user.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import {
  claimDocument,
  type DocumentHolder,
  isTaken,
  readDocumentHolder,
  readUserDocumentHolder,
} from './document-claims.ts'
import { onlyAccountClaim } from './new-account.ts'

const MAX_SENT_LENGTH = 40
const CPF_LENGTH = 11
const CNPJ_LENGTH = 14

const sentText = text({ max: MAX_SENT_LENGTH })
const isText = (value: unknown): value is string => typeof value === 'string'

const documentField = (
  schema: Field<string>['schema'],
  about: FieldExtras<string, string, InputCode>,
  read: (bare: string) => ReadResult<string>,
): Field<string> =>
  field<string, string, InputCode>(
    {
      name: 'document',
      schema: { type: 'string', ...schema },
      is: isText,
      read: (value) =>
        pipe(
          sentText.read(value),
          flatMap((sent) => read(normalizeTaxId(sent))),
        ),
    },
    about,
  )

/**
 * The document of an applicant, without punctuation. The use case rejects a wrong length, as `document.kind`.
 * Fails: as a text does, `document` (wrong check digits).
 */
const applicantDocument = (about: FieldOptions): Field<string> => {
  const wire: Field<string> = documentField(
    { maxLength: MAX_SENT_LENGTH },
    { ...about, on: ({ is }) => (is === 'program' ? program : wire) },
    (bare) => {
      const hasLength = bare.length === CPF_LENGTH || bare.length === CNPJ_LENGTH
      return hasLength && !isTaxId(bare) ? reject('document') : right(bare)
    },
  )
  // Punctuation alone was decoded to an empty text, which must decode again.
  const program: Field<string> = field<string, string, InputCode>(
    { ...wire, read: (value) => (value === '' ? right('') : wire.read(value)) },
    about,
  )
  return wire
}

/** A document to search for, of 11 to 14 characters without punctuation. Fails: as a text does. */
const documentFilter = (about: FieldOptions): Field<string> =>
  documentField({ minLength: CPF_LENGTH, maxLength: CNPJ_LENGTH }, about, (bare) => {
    if (bare.length < CPF_LENGTH) return reject('text.min', { min: CPF_LENGTH })
    return bare.length > CNPJ_LENGTH ? reject('text.max', { max: CNPJ_LENGTH }) : right(bare)
  })

const NUMERAL = /^[0-9]{1,15}$/

/** An id, on the wire as a number or, from a form, as digits. Fails: as an id does. */
const formId = (about: FieldOptions): Field<number> => {
  const plain = id(about)
  const wire: Field<number> = field<number, number, InputCode>(
    {
      ...plain,
      schema: { type: ['integer', 'string'], minimum: 1, pattern: NUMERAL.source },
      read: (value) => {
        if (!isText(value)) return plain.read(value)
        if (value.trim() === '') return reject('required')
        return NUMERAL.test(value) ? plain.read(Number(value)) : reject('integer')
      },
    },
    { ...about, on: ({ is }) => (is === 'program' ? plain : wire) },
  )
  return wire
}

/** `PF` for a CPF, `PJ` for a CNPJ. */
const ACCOUNT_TYPES = ['PF', 'PJ'] as const

const REGISTRATION_STATES = ['PENDING_EMAIL', 'PENDING_DOCUMENTS', 'UNDER_REVIEW', 'APPROVED', 'REJECTED'] as const

const document = { about: 'CPF ou CNPJ' }

export const registrationFields = {
  id: id({ about: 'Identificador do cadastro' }),
  ...pick(userFields, 'name', 'email'),
  address: line({ max: 255, about: 'Endereço' }),
  document: applicantDocument(document),
  accountType: oneOf(ACCOUNT_TYPES, { about: 'PF para um CPF, PJ para um CNPJ' }),
  state: oneOf(REGISTRATION_STATES, { wire: 'account_status', about: 'Situação do cadastro' }),
}

/** The credentials of an applicant: the document and the id of the registration. */
export const pairFields = {
  document: documentFilter(document),
  registrationId: formId({ wire: 'register_id', about: 'Identificador do cadastro' }),
}

/** A code of four letters, in any case, or a long one. Fails: as a text does, `letters`. */
export const codeField = typedCode(
  text({ max: LETTERS.length, pattern: { regex: /^[A-Za-z]{4}$/, code: 'letters' } }),
  LETTERS,
  { about: 'Código enviado por e-mail' },
)

/** The state machine of a registration. New images leave it under review. */
export const registrationMoves = stateMachine<(typeof REGISTRATION_STATES)[number]>({
  PENDING_EMAIL: ['PENDING_DOCUMENTS'],
  PENDING_DOCUMENTS: ['UNDER_REVIEW'],
  UNDER_REVIEW: ['UNDER_REVIEW', 'APPROVED', 'REJECTED'],
  APPROVED: [],
  REJECTED: [],
})

const registration = record({
  ...storedTypes(pick(userFields, 'id', 'name', 'email', 'phone')),
  /** The caller's origin; null if the embedder passes none. */
  origin: orNull(record({ address: t.string, device: orNull(t.string) })),
  /** As sent; null for a registration by `registerFull`. */
  address: orNull(t.string),
  ...storedTypes(pick(registrationFields, 'document', 'state')),
  /** Our id of the account at the bank and the future uuid of the organization; it holds the claims until approval. */
  uuid: t.string,
  /** The password chosen at registration; if null, the approval mail has a link that sets it. */
  passwordHash: orNull(t.string),
  /** New with each code; salts its hash. */
  codeId: t.string,
  /** Null once confirmed, and for a registration by `registerFull`. */
  codeHash: orNull(t.string),
  /** Tries from all addresses together; a long code has no limit. */
  codeTriesLeft: t.number,
  codeSentAt: t.string,
  confirmedAt: orNull(t.string),
  /** Ids of stored files, which no route returns. */
  image1Id: orNull(t.string),
  image2Id: orNull(t.string),
  reason: orNull(t.string),
  /** The account and the user of an approved registration. */
  accountId: orNull(t.number),
  userId: orNull(t.number),
  /** The time at which it expires if the applicant does not continue; null while the bank reviews it, and after. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
  updatedAt: t.string,
  /** The number of characters of the code; null for four, in records of earlier releases. */
  codeLength: orNull(t.number),
  /** The running bank operation, with `uuid` as its id; null if none, also in records of earlier releases. */
  operationId: orNull(t.string),
})

/** A request for an account by an applicant who is not a user yet. */
export type Registration = t.TypeOf<typeof registration>

/** Builds a new registration; by default without a code, a password and a deadline. */
export const newRegistration = (
  fresh: Fresh,
  fields: Partial<Registration> & Pick<Registration, 'name' | 'email' | 'document' | 'state'>,
): Registration =>
  newRecord(registrations, {
    id: fresh.id(registrations),
    uuid: fresh.uuid(),
    codeId: '',
    codeTriesLeft: 0,
    codeSentAt: fresh.steady,
    attempts: 0,
    createdAt: fresh.now,
    updatedAt: fresh.now,
    ...fields,
  })

/** A registration without its password hash and the fields of its code. */
export type ShownRegistration = ReturnType<typeof shownRegistration>

export const shownRegistration = (registration: Registration) => {
  const { passwordHash, codeId, codeHash, codeTriesLeft, codeSentAt, codeLength, ...shown } = registration
  return shown
}

export const registrations: Collection<Registration> = {
  name: 'payments.registrations',
  ids: 'integer',
  codec: registration,
  owner: null,
  conditions: queueConditions,
  indexes: [{ eq: 'document', sort: 'createdAt' }, queueIndex()],
}

export const registrationPair = input('RegistrationPair', pairFields)
export type RegistrationPair = InputOf<typeof registrationPair>

/** Finds a registration by its id; null if the document is another. */
export const findRegistration = async (
  store: Store,
  { registrationId, document }: DecodedOf<typeof registrationPair>,
): Promise<Registration | null> => {
  const found = await store.find(byId(registrations, registrationId))
  return found?.document === document ? found : null
}

export const NO_REGISTRATION = failure('not-found', 'registration.unknown')

/** The holder of the claims for the future user and account. */
type Claimant = Pick<Registration, 'email' | 'document' | 'uuid'>

/** The present holders of the values to claim; `only` holds the bank's only account, if the bank opens no others. */
export type ClaimFacts = Readonly<Record<'email' | 'only', Claim | null>> &
  Readonly<Record<'document' | 'userDocument', DocumentHolder | null>>

export const readClaims = async (
  store: Store,
  { email, document }: Pick<Registration, 'email' | 'document'>,
): Promise<ClaimFacts> => {
  const [taken, organization, user] = await Promise.all([
    store.read({ email: byId(claims, claimId('email', email)), only: onlyAccountClaim }),
    readDocumentHolder(store, document, null),
    readUserDocumentHolder(store, document),
  ])
  return { ...taken, document: organization, userDocument: user }
}

export const claimIssues = ({ email, document, userDocument }: ClaimFacts, fresh: Fresh) =>
  takenIssues({ email: email !== null, document: isTaken(document, fresh) || isTaken(userDocument, fresh) })

export const reserveClaims = (
  { email, document, uuid }: Claimant,
  facts: ClaimFacts,
  fresh: Fresh,
): readonly Change[] => [
  reserveUnique('email', email, uuid, null),
  ...claimDocument('document', document, uuid, facts.document, fresh),
  ...claimDocument('user-document', document, uuid, facts.userDocument, fresh),
]

const userClaims = ({ email, document }: Claimant) => [claimId('email', email), claimId('user-document', document)]

export const releaseClaims = (claimant: Claimant): readonly Change[] =>
  [claimId('document', claimant.document), ...userClaims(claimant)].map((id) =>
    remove(claims, id, eq('holder', claimant.uuid)),
  )

/** Transfers the claims of the e-mail and the personal document to the user; `newAccount` transfers the account's. */
export const transferToUser = (claimant: Claimant, userId: number): readonly Change[] =>
  userClaims(claimant).map((id) => patch(claims, id, { set: { holder: userId }, when: eq('holder', claimant.uuid) }))

export const registrationLookup = input('RegistrationLookup', { document: required(inQuery.of(pairFields.document)) })
export type RegistrationLookup = InputOf<typeof registrationLookup>

export const readRegistration = (ports: Pick<PaymentsPorts, 'store' | 'clock'>) => (submitted: RegistrationLookup) =>
  withValidInput(ports, registrationLookup, submitted, ({ document }) =>
    readUseCase('registration.unknown', async () => {
      // The newest: after a rejected one the applicant may register again.
      const query = listOf(registrations, { where: eq('document', document), sort: NEWEST_FIRST, limit: 1 })
      const [newest] = (await ports.store.list(query)).records
      return newest ? shownRegistration(newest) : null
    }),
  )

export const accountTypeOf = (document: string): (typeof ACCOUNT_TYPES)[number] =>
  taxIdKind(document) === 'CPF' ? 'PF' : 'PJ'

/** The status of a registration, for any caller. */
export const registrationStatusView = view(
  'AccountRegistrationStatus',
  pick(registrationFields, 'document', 'id', 'email', 'name', 'accountType', 'state'),
  (registration: ShownRegistration) => ({ ...registration, accountType: accountTypeOf(registration.document) }),
)

/** A registration, for its applicant. */
export const registrationView = view(
  'AccountRegistration',
  {
    ...registrationStatusView.table,
    address: nullable(registrationFields.address),
    createdAt: timestamp({ about: 'Quando foi iniciado' }),
  },
  (registration: ShownRegistration) => ({ ...registration, ...registrationStatusView.of(registration) }),
)
