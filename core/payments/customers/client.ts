import { isLeft } from '../../fp.ts'
import {
  anyField,
  CAMEL_CASE,
  type Field,
  type FieldOptions,
  type InputCode,
  list,
  nullIfAbsent,
  PROGRAM,
  type Side,
  withDefault,
} from '../../kernel/input/field.ts'
import { allOptional, type InputOf, input, object } from '../../kernel/input/input.ts'
import { json, jsonTree } from '../../kernel/input/json.ts'
import { day, id, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { alphanumeric, email, line, secret } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { resource } from '../resource.ts'

const MAX_LABELS = 200

const labels = list(
  object(
    input(null, {
      label: line({ max: 255, about: 'Rótulo' }),
      value: nullIfAbsent(json({ about: 'Valor' })),
    }),
  ),
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

/** A form that is kept as one canonical text of JSON, which a program may give as well. Fails: as the form and JSON do. */
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
      readFacts: (sent) => {
        const given = side.is === 'program' && typeof sent === 'string' ? text.read(sent) : null
        if (given && isLeft(given)) return given
        const value: unknown = given ? JSON.parse(given.right) : sent
        const got = read(value)
        // What is kept is a text of JSON itself, whichever side gave it.
        return isLeft(got) ? got : json().read(canonical ? canonical(got.right) : value)
      },
      encode: (value) => JSON.parse(value),
    },
    { ...about, nested: canonical && nested, on: (other) => jsonForm(form, canonical, about, other) },
  )
}

/** The legacy form of metadata: a list of labels and whatever they say, kept as it was given. Source: 02-billing.md, Client. */
export const labelled = (about: FieldOptions) => jsonForm(labels, null, about, CAMEL_CASE)

/** Where a client lives; what is not said of it is null. Source: 02-billing.md, Client. */
export const address = (about: FieldOptions) => jsonForm(addressForm, (read) => read, about, CAMEL_CASE)

/** Who is charged; a document is any of at most 20 letters and digits. Source: 01-access.md and 02-billing.md, Client. */
export const payerFields = {
  name: line({ max: 255, about: 'Nome' }),
  email: email({ max: 255, about: 'E-mail' }),
  document: alphanumeric({ max: 20, about: 'Documento, guardado sem pontuação; único entre os clientes da conta' }),
  phone: nullIfAbsent(line({ max: 20, about: 'Telefone' })),
}

/** The client statuses, in the order of their ids from 1. Source: decisions.md §9, Enumerations. */
export const CLIENT_STATUSES = ['ACTIVE', 'INACTIVE', 'DELETED'] as const

/** What is told of a client. */
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
}

/** Whom an account asks for money: v1's and legacy's clients alike. */
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
export type Client = NonNullable<Awaited<ReturnType<typeof client.find>>>

/** All that is told of a client: each generation narrows it. The token is only ever written. */
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

/** A client as the API shows it. Source: 02-billing.md, Client; v1 shows the same fields. */
export const clientView = view(
  'Client',
  {
    id: id({ about: 'Identificador' }),
    code: output.text({ about: 'Código público' }),
    ...shownFields,
    ...pick(internalFields, 'status', 'address'),
    metadata,
    createdAt: timestamp({ about: 'Criação' }),
    updatedAt: timestamp({ about: 'Última alteração' }),
  },
  (of: Client) => of,
)
