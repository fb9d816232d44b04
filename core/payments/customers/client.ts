import { nullIfAbsent, withDefault } from '../../kernel/input/codec.ts'
import { oneOf } from '../../kernel/input/fields/choices.ts'
import { day, timestamp } from '../../kernel/input/fields/days.ts'
import { json, jsonObject } from '../../kernel/input/fields/json.ts'
import { id } from '../../kernel/input/fields/numbers.ts'
import { shown } from '../../kernel/input/fields/shown.ts'
import { email, line, unmarked } from '../../kernel/input/fields/texts.ts'
import type { GivenFor } from '../../kernel/input/input.ts'
import { view } from '../../kernel/input/view.ts'
import { resource } from '../resource.ts'

/** Who is charged; a document is any of at most 20 letters and digits. Source: 01-access.md and 02-billing.md, Client. */
export const payerFields = {
  name: line({ max: 255, about: 'Nome' }),
  email: email({ max: 255, about: 'E-mail' }),
  document: unmarked({ max: 20, about: 'Documento, sem pontuação; único entre os clientes da conta' }),
  phone: nullIfAbsent(line({ max: 20, about: 'Telefone' })),
}

/** What is told of a client. */
const clientFields = {
  name: payerFields.name,
  email: nullIfAbsent(payerFields.email),
  phone: payerFields.phone,
  document: nullIfAbsent(payerFields.document),
  type: nullIfAbsent(oneOf(['individual', 'company'], { about: 'Pessoa física ou jurídica' })),
  gender: nullIfAbsent(oneOf(['male', 'female'], { about: 'Gênero' })),
  birthdate: nullIfAbsent(day({ about: 'Data de nascimento' })),
  metadata: nullIfAbsent(jsonObject({ about: 'Dados livres de quem cadastra' })),
}

const kept = {
  status: withDefault(oneOf(['ACTIVE', 'INACTIVE', 'DELETED'], { about: 'Situação' }), 'ACTIVE'),
  /** As it was given: each generation has its own form. */
  address: nullIfAbsent(json({ about: 'Endereço' })),
}

/** Whom an account asks for money: v1's and legacy's clients alike. */
export const client = resource({
  one: 'client',
  many: 'clients',
  given: clientFields,
  kept,
  removed: { status: 'DELETED' },
  unique: ['document'],
  search: ['name', 'email', 'document'],
})

export const clients = client.collection
export type Client = NonNullable<Awaited<ReturnType<typeof client.find>>>

export type NewClient = GivenFor<typeof client.created>
export type ClientChange = GivenFor<typeof client.changed>

const { metadata, ...told } = clientFields

/** A client as the API shows it. Source: 02-billing.md, Client; v1 shows the same fields. */
export const clientView = view(
  'Client',
  {
    id: id({ about: 'Identificador' }),
    code: shown.text({ about: 'Código público' }),
    ...told,
    ...kept,
    metadata,
    createdAt: timestamp({ about: 'Criação' }),
    updatedAt: timestamp({ about: 'Última alteração' }),
  },
  (of: Client) => of,
)
