import { t } from '../../fp.ts'
import type { Collection, Json } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { randomCode } from '../../kernel/running/random-code.ts'
import { withOffset } from '../../kernel/values/day.ts'
import { fold } from '../../kernel/values/text.ts'

export const CLIENT_TYPES = ['individual', 'company'] as const
export const GENDERS = ['male', 'female'] as const

const client = record({
  id: t.number,
  accountId: t.number,
  /** Random, with a letter in it, so that it is never taken for an id. */
  code: t.string,
  name: t.string,
  email: orNull(t.string),
  phone: orNull(t.string),
  /** Letters and digits, without marks; unique in its account while the client is not removed. */
  document: orNull(t.string),
  type: orNull(word(...CLIENT_TYPES)),
  gender: orNull(word(...GENDERS)),
  birthdate: orNull(t.string),
  status: word('ACTIVE', 'INACTIVE', 'DELETED'),
  /** JSON text. */
  address: orNull(t.string),
  /** JSON text, as it was given: each generation has its own form. */
  metadata: orNull(t.string),
  /** Folded: name, e-mail and document. */
  search: t.string,
  createdAt: t.string,
  updatedAt: t.string,
  removedAt: orNull(t.string),
})

/** Whom an account asks for money: v1's and legacy's clients alike. Source: 01-access.md and 02-billing.md, Client. */
export type Client = t.TypeOf<typeof client>

export const clients: Collection<Client> = {
  name: 'payments.clients',
  ids: 'integer',
  codec: client,
  owner: 'accountId',
  shard: 'accountId',
  conditions: { live: eq('removedAt', null) },
  keys: {
    code: ({ code }) => code,
    document: ({ accountId, document, removedAt }) =>
      removedAt !== null || document === null ? null : documentKey(accountId, document),
  },
  keptBy: { code: 'chance: 130 random bits' },
  indexes: [{ sort: 'createdAt', when: 'live', search: 'search' }],
  tallies: [{ by: ['accountId'], sum: [], when: 'live' }],
}

export const documentKey = (accountId: number, document: string): string => `${accountId}|${document}`

/** What a new client is told of; what is left out is null. */
export interface NewClient {
  readonly name: string
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly document?: string | null | undefined
  readonly type?: Client['type'] | undefined
  readonly gender?: Client['gender'] | undefined
  readonly birthdate?: string | null | undefined
  /** JSON text. */
  readonly address?: string | null | undefined
  /** JSON text. */
  readonly metadata?: string | null | undefined
}

const CODE_LENGTH = 22

/** An ACTIVE client of an account. */
export const newClient = (fresh: Fresh, accountId: number, input: NewClient): Client => {
  const { name, email = null, phone = null, document = null } = input
  return {
    id: fresh.id(clients),
    accountId,
    code: randomCode(fresh, CODE_LENGTH),
    name,
    email,
    phone,
    document,
    type: input.type ?? null,
    gender: input.gender ?? null,
    birthdate: input.birthdate ?? null,
    status: 'ACTIVE',
    address: input.address ?? null,
    metadata: input.metadata ?? null,
    search: searchOf({ name, email, document }),
    createdAt: fresh.now,
    updatedAt: fresh.now,
    removedAt: null,
  }
}

// Lines, so that a search never matches across two fields.
export const searchOf = ({ name, email, document }: Pick<Client, 'name' | 'email' | 'document'>): string =>
  fold([name, email, document].filter((text) => text !== null).join('\n'))

const jsonOf = (text: string | null): Json => (text === null ? null : JSON.parse(text))

/** A client as the API shows it. Source: 02-billing.md, Client; v1 shows the same fields. */
export const clientView = (client: Client) => ({
  id: client.id,
  code: client.code,
  name: client.name,
  email: client.email,
  phone: client.phone,
  document: client.document,
  type: client.type,
  gender: client.gender,
  birthdate: client.birthdate,
  status: client.status,
  address: jsonOf(client.address),
  metadata: jsonOf(client.metadata),
  created_at: withOffset(client.createdAt),
  updated_at: withOffset(client.updatedAt),
})
