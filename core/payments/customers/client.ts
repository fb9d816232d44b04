import { isLeft } from '../../failure.ts'
import {
  allOptional,
  alphanumeric,
  anyField,
  CAMEL_CASE,
  type DecodedOf,
  day,
  email,
  type Field,
  type FieldOptions,
  type InputCode,
  type InputOf,
  id,
  input,
  json,
  jsonTree,
  line,
  list,
  nullIfAbsent,
  object,
  oneOf,
  output,
  PROGRAM,
  pick,
  type Side,
  secret,
  timestamp,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import {
  always,
  at,
  type Change,
  type Collection,
  check,
  ensure,
  eq,
  insert,
  orNull,
  patch,
  record,
  remove,
  t,
  type Where,
} from '../../kernel/records/record.ts'
import type { RecordOf } from '../../kernel/resources/resource.ts'
import { queueParts } from '../../kernel/running/queue.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Actor, type PaymentsPorts, resource } from '../payments-ports.ts'
import { isCompany } from '../terms.ts'

const MAX_LABELS = 200

const labels = list(
  object(input(null, { label: line({ max: 255, about: 'Rótulo' }), value: nullIfAbsent(json({ about: 'Valor' })) })),
  { max: MAX_LABELS },
)

const addressForm = object(
  input(null, {
    street: line({ max: 255, about: 'Logradouro' }),
    number: nullIfAbsent(line({ max: 20, about: 'Número' })),
    city: line({ max: 255, about: 'Cidade' }),
    state: line({ max: 60, about: 'Estado' }),
    zip: nullIfAbsent(line({ max: 20, about: 'CEP' })),
    country: nullIfAbsent(line({ max: 60, about: 'País' })),
    observation: nullIfAbsent(line({ max: 255, about: 'Observação' })),
  }),
)

/** Returns the value to store; null stores the value as sent, with any fields that the form does not have. */
type Canonical<A> = ((read: A) => unknown) | null

/** A form that is stored as one canonical JSON text, which programs may pass as well. */
const jsonForm = <A, G>(
  form: Field<A, G>,
  canonical: Canonical<A>,
  about: FieldOptions,
  side: Side,
): Field<string, string | G> => {
  const { schema, nested, read } = form.on(side)
  const text = json().on(PROGRAM)
  return anyField<string, string | G, InputCode>(
    {
      name: 'form in JSON',
      schema,
      is: (value): value is string => typeof value === 'string',
      read: (sent) => {
        const parsed = side.is === 'program' && typeof sent === 'string' ? text.read(sent) : null
        if (parsed && isLeft(parsed)) return parsed
        const value: unknown = parsed ? JSON.parse(parsed.right) : sent
        const got = read(value)
        return isLeft(got) ? got : json().read(canonical ? canonical(got.right) : value)
      },
      encode: (value) => JSON.parse(value),
    },
    { ...about, nested: canonical && nested, on: (other) => jsonForm(form, canonical, about, other) },
  )
}

/** The legacy form of metadata: a list of labels and values, stored as sent. */
export const labelled = (about: FieldOptions) => jsonForm(labels, null, about, CAMEL_CASE)

/** The address of a client; omitted fields are null. */
const address = (about: FieldOptions) => jsonForm(addressForm, (read) => read, about, CAMEL_CASE)

/** The fields of a payer; a document has at most 20 letters and digits. */
export const payerFields = {
  name: line({ max: 255, about: 'Nome' }),
  email: email({ max: 255, about: 'E-mail' }),
  document: alphanumeric({ max: 20, about: 'Documento, guardado sem pontuação; único entre os clientes da conta' }),
  phone: nullIfAbsent(line({ max: 20, about: 'Telefone' })),
}

/** The payer of all charges of an account without a named payer. Its document is not a tax id. */
export const UNNAMED_PAYER = {
  name: 'Pagador não identificado',
  email: null,
  document: 'NAOIDENTIFICADO',
  phone: null,
} as const

/** The client statuses, in the order of their ids from 1. */
export const CLIENT_STATUSES = ['ACTIVE', 'INACTIVE', 'DELETED'] as const

const clientFields = {
  name: payerFields.name,
  email: nullIfAbsent(payerFields.email),
  phone: payerFields.phone,
  document: nullIfAbsent(payerFields.document),
  type: nullIfAbsent(oneOf(['individual', 'company'], { about: 'Pessoa física ou jurídica' })),
  gender: nullIfAbsent(oneOf(['male', 'female'], { about: 'Gênero' })),
  birthdate: nullIfAbsent(day({ about: 'Data de nascimento' })),
  metadata: nullIfAbsent(jsonTree({ about: 'Dados livres de quem cadastra' })),
}

const internalFields = {
  status: withDefault(oneOf(CLIENT_STATUSES, { about: 'Situação' }), 'ACTIVE'),
  address: nullIfAbsent(json({ about: 'Endereço' })),
  fbId: nullIfAbsent(line({ max: 255, about: 'Identificador do cliente no Facebook' })),
  /** Set before the charges are read for the last time; null again if one of them is open. */
  erasureAt: nullIfAbsent(timestamp({ about: 'Quando começou a eliminação dos dados' })),
}

/** A client of an account, in the v1 and the legacy API. */
export const client = resource({
  one: 'client',
  many: 'clients',
  input: clientFields,
  internal: internalFields,
  removed: { status: 'DELETED' },
  unique: ['document'],
  acrossTenants: ['document'],
  search: ['name', 'email', 'document'],
  filters: {
    type: 'tally',
    gender: 'tally',
    status: 'tally',
    createdAt: 'instants',
    updatedAt: 'instants',
    birthdate: 'days',
  },
})

export const clients = client.collection
export type Client = RecordOf<typeof client>

/**
 * Returns the check of a payer in the commit of its charge. All charges without a named payer share one client, which
 * has no personal data: its check would be a contended write.
 */
export const checkPayer = ({ id, document }: Client, when: Where<keyof Client & string>): readonly Change[] =>
  document === UNNAMED_PAYER.document ? [] : [check(clients, id, when)]

/** Returns the check that no erasure of the client has begun since it was read: a change may reopen its charge. */
export const checkNotErased = (client: Client): readonly Change[] => checkPayer(client, eq('erasureAt', null))

/** The fields of a new client; each API takes a subset. The token is write-only. */
export const newClientFields = {
  ...clientFields,
  address: nullIfAbsent(address({ about: 'Endereço' })),
  fbId: internalFields.fbId,
  fbAccessToken: nullIfAbsent(secret({ about: 'Token do cliente no Facebook' })),
}

export const newClient = input('NewClient', newClientFields)
export const clientChange = input('ClientChange', allOptional(newClientFields))
export type NewClient = InputOf<typeof newClient>
export type ClientChange = InputOf<typeof clientChange>

const { metadata, ...shownFields } = clientFields

export const clientView = view('Client', {
  id: id({ about: 'Identificador' }),
  code: output.text({ about: 'Código público' }),
  ...shownFields,
  ...pick(internalFields, 'status', 'address'),
  metadata,
  createdAt: timestamp({ about: 'Criação' }),
  updatedAt: timestamp({ about: 'Última alteração' }),
})

type Tenant = Pick<Actor, 'accountId'>
type CheckedChange = DecodedOf<typeof clientChange>

const factsFor =
  ({ accountId }: Tenant, id: number | null, sent: CheckedChange) =>
  async (store: Store) => ({
    facts: await client.readFacts(store, accountId, id, sent),
    token: id === null ? null : await store.find(byId(clientTokens, id)),
  })

export const createClient = (ports: PaymentsPorts) => (actor: Tenant, sent: NewClient) =>
  withValidInput(ports, newClient, sent, ({ fbAccessToken, address, fbId, ...fields }) =>
    useCase(ports, factsFor(actor, null, fields), ({ facts }, fresh) => {
      const made = client.create(facts, actor.accountId, fields, fresh, { address, fbId })
      if (isLeft(made)) return made
      const { record, changes } = made.right
      return accept(record, ...changes, ...storeToken(ports.cipher, record, null, fbAccessToken))
    }),
  )

const changeClient = (ports: PaymentsPorts, actor: Tenant, id: number, sent: CheckedChange) =>
  useCase(ports, factsFor(actor, id, sent), ({ facts, token: before }, fresh) => {
    const { fbAccessToken: token, address, fbId, ...fields } = sent
    const internal = { ...(address !== undefined && { address }), ...(fbId !== undefined && { fbId }) }
    const made = client.update(facts, fields, fresh, internal)
    if (isLeft(made)) return made
    const { record, changes } = made.right
    const becomesConsumer = isCompany(facts.record?.document ?? null) && !isCompany(record.document)
    return accept(
      record,
      ...changes,
      ...storeToken(ports.cipher, record, before, token),
      ...(becomesConsumer ? requestLawfulFines(record, fresh) : []),
    )
  })

export const updateClient = (ports: PaymentsPorts) => (actor: Tenant, id: number, sent: ClientChange) =>
  withValidInput(ports, clientChange, sent, (change) => changeClient(ports, actor, id, change))

export const replaceClient = (ports: PaymentsPorts) => (actor: Tenant, id: number, sent: NewClient) =>
  withValidInput(ports, newClient, sent, (change) => changeClient(ports, actor, id, change))

export const removeClient = (ports: PaymentsPorts) => (actor: Tenant, id: number) =>
  useCase(ports, factsFor(actor, id, {}), ({ facts, token }, fresh) => {
    const made = client.remove(facts, fresh)
    if (isLeft(made)) return made
    const { record, changes } = made.right
    return accept(null, ...changes, ...storeToken(ports.cipher, record, token, null))
  })

const newConsumer = record({
  /** The client's id, as text. */
  id: t.string,
  accountId: t.number,
  dueAt: orNull(t.string),
  attempts: t.number,
  /** The cursor of the walk over its charges. */
  place: orNull(t.string),
  /** The number of charges whose fine this walk could not lower. */
  missed: t.number,
})

/** A client whose document was a company's: the fines of its open charges are to be lowered to those of a consumer. */
export type NewConsumer = t.TypeOf<typeof newConsumer>

export const newConsumers: Collection<NewConsumer> = {
  name: 'payments.new-consumers',
  ids: 'text',
  codec: newConsumer,
  owner: null,
  ...queueParts('accountId'),
}

/** The changes that have the worker lower the fines of a client's open charges. */
const requestLawfulFines = (
  { id, accountId }: Pick<Client, 'id' | 'accountId'>,
  { steady: dueAt }: Fresh,
): readonly Change[] => {
  const wanted = { dueAt, attempts: 0, place: null, missed: 0 }
  return [
    ensure(newConsumers, { id: `${id}`, accountId, ...wanted }),
    patch(newConsumers, `${id}`, { set: wanted, when: always }),
  ]
}

const clientToken = record({ id: t.number, accountId: t.number, fbAccessTokenSealed: t.string })

/** A client's token of another network, in a record of its own: no route returns it. */
export type ClientToken = t.TypeOf<typeof clientToken>

export const clientTokens: Collection<ClientToken> = {
  name: 'payments.client-tokens',
  ids: 'integer',
  codec: clientToken,
  owner: 'accountId',
}

/** Returns the changes that store a token; null removes the stored one, undefined leaves it. */
const storeToken = (
  cipher: Cipher,
  { id, accountId }: Pick<Client, 'id' | 'accountId'>,
  before: ClientToken | null,
  token: string | null | undefined,
): readonly Change[] => {
  if (token === undefined) return []
  if (token === null) return before ? [remove(clientTokens, id, always)] : []
  const fbAccessTokenSealed = cipher.seal(token, [...at(clientTokens, id), 'fbAccessToken'].join('/'))
  if (before) return [patch(clientTokens, id, { set: { fbAccessTokenSealed }, when: always })]
  return [insert(clientTokens, { id, accountId, fbAccessTokenSealed })]
}
