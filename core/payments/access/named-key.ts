import { failure, right } from '../../failure.ts'
import {
  type Field,
  field,
  type InputCode,
  id,
  instant,
  line,
  list,
  nullable,
  nullIfAbsent,
  oneOf,
  output,
  pick,
  reject,
  storedTypes,
  timestamp,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import { all, any, type Collection, eq, gt, orNull, record, t } from '../../kernel/records/record.ts'
import { type Fresh, randomCode } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { parseNetwork } from '../../kernel/values/network.ts'
import { type List, listOf, NEWEST_FIRST } from '../../ports/store.ts'
import { ADMIN, type PaymentsSettings, type Permission, permissionsOfApiKey } from '../payments-ports.ts'

/** The most keys of an account that work. Simultaneous creations may exceed it by as many. */
export const MAX_LIVING_KEYS = 100
const MAX_NETWORKS = 50
const MAX_NAME = 60

/** The permissions that a key may have: those of an ADMIN without `account:write` and `users:write`. */
const KEY_PERMISSIONS: readonly Permission[] = permissionsOfApiKey(ADMIN.id)

/** The longest text of an IPv6 network, with an IPv4 address at its end. */
const MAX_NETWORK = 49

/** An address or a network in CIDR notation. Fails: `required`, `network`. */
const networkField = (): Field<string, string, InputCode | 'network'> =>
  field<string, string, InputCode | 'network'>({
    name: 'network',
    schema: { type: 'string', maxLength: MAX_NETWORK },
    is: (value): value is string => typeof value === 'string',
    read: (value) => {
      const text = typeof value === 'string' ? value.trim() : ''
      if (text === '') return reject(value === '' ? 'required' : 'network')
      return text.length <= MAX_NETWORK && parseNetwork(text) ? right(text) : reject('network')
    },
  })

/** The fields of a key that its maker chooses. */
export const keyFields = {
  name: line({ max: MAX_NAME, about: 'Nome, para quem a administra' }),
  permissions: list(oneOf(KEY_PERMISSIONS), {
    min: 1,
    max: KEY_PERMISSIONS.length,
    about: 'O que a chave permite; nunca mais do que o perfil de quem a criou permite no momento do uso',
  }),
  expiresAt: nullIfAbsent(instant({ about: 'Quando deixa de valer; nulo se não expira' })),
  addresses: withDefault(
    list(networkField(), {
      max: MAX_NETWORKS,
      about: 'Endereços e redes (CIDR) de onde a chave pode ser usada; vazio para qualquer um',
    }),
    [],
  ),
}

const namedKey = record({
  id: t.number,
  accountId: t.number,
  ...storedTypes(keyFields),
  /** The user who created the key; its uses act in the name of this user. */
  createdBy: t.number,
  /**
   * The SHA-256 of the key. A slow password hash would add nothing: 36 random characters cannot be found by trying, and
   * each request computes this digest.
   */
  secretHash: t.string,
  /** The last characters of the key, by which people recognise it. */
  ending: t.string,
  /** The key that replaces this one after a rotation. */
  successorId: orNull(t.number),
  revokedAt: orNull(t.string),
  /** Written at most once a minute. */
  lastUsedAt: orNull(t.string),
  lastUsedAddress: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
})

/** A named API key of an account. */
export type NamedKey = t.TypeOf<typeof namedKey>

export const namedKeys: Collection<NamedKey> = {
  name: 'payments.named-keys',
  ids: 'integer',
  codec: namedKey,
  owner: 'accountId',
  keys: { secret: ({ secretHash }) => secretHash },
  indexes: [{ sort: 'createdAt' }],
}

/** Queries the keys of an account that work. */
export const livingKeys = (accountId: number, now: Instant): List<NamedKey> =>
  listOf(namedKeys, {
    where: all(eq('accountId', accountId), eq('revokedAt', null), any(eq('expiresAt', null), gt('expiresAt', now))),
    sort: NEWEST_FIRST,
    limit: MAX_LIVING_KEYS,
  })

const SECRET_LENGTH = 36
const CHECKSUM_LENGTH = 6
const ENDING_LENGTH = 4

/** The prefix of every key, which distinguishes it from a token. */
export const KEY_PREFIX = 'portico_'

/** Returns the beginning of the keys of this environment; a key of the other one is unknown. */
export const environmentPrefix = ({ isProduction }: Pick<PaymentsSettings, 'isProduction'>): string =>
  `${KEY_PREFIX}${isProduction ? 'live' : 'test'}_`

/** Creates a key: the prefix, 36 random letters and digits, and their checksum. */
export const randomKey = (fresh: Fresh, settings: Pick<PaymentsSettings, 'isProduction'>): string => {
  const secret = randomCode(fresh, SECRET_LENGTH)
  return `${environmentPrefix(settings)}${secret}${checksum(secret)}`
}

export const endingOf = (key: string): string => key.slice(-ENDING_LENGTH)

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CRC32 = 0xedb88320

/**
 * Computes the CRC-32 of a text in base 62, as in GitHub's tokens: it lets a scanner distinguish a key from a similar
 * text.
 */
export const checksum = (text: string): string => {
  let crc = -1
  for (const character of text) {
    crc ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? CRC32 : 0)
  }
  let rest = ~crc >>> 0
  let digits = ''
  for (; digits.length < CHECKSUM_LENGTH; rest = Math.floor(rest / BASE62.length))
    digits = `${BASE62[rest % BASE62.length]}${digits}`
  return digits
}

const KEY_STATUSES = ['active', 'expired', 'revoked'] as const
export type KeyStatus = (typeof KEY_STATUSES)[number]

export const keyStatusAt = ({ revokedAt, expiresAt }: NamedKey, now: Instant): KeyStatus => {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

/** A key without its hash, with its status. */
export interface ShownKey extends Omit<NamedKey, 'secretHash'> {
  readonly status: KeyStatus
}

export const shownKey = (key: NamedKey, now: Instant): ShownKey => {
  const { secretHash: _, ...shown } = key
  return { ...shown, status: keyStatusAt(key, now) }
}

/** A new key with its text, which is shown once. */
export interface IssuedKey extends ShownKey {
  readonly key: string
}

export const UNKNOWN_KEY = failure('not-found', 'api-key.unknown')

export const namedKeyView = view('ApiKey', {
  id: id({ about: 'Identificador' }),
  name: keyFields.name,
  status: oneOf(KEY_STATUSES, { about: 'Situação' }),
  ending: output.text({ about: 'Os últimos caracteres da chave' }),
  ...pick(keyFields, 'permissions'),
  addresses: list(output.text(), { max: MAX_NETWORKS, about: 'De onde a chave pode ser usada; vazio: qualquer lugar' }),
  expiresAt: nullable(timestamp({ about: 'Quando deixa de valer' })),
  revokedAt: nullable(timestamp({ about: 'Quando foi revogada' })),
  successorId: nullable(id({ about: 'A chave que a substituiu' })),
  createdBy: id({ about: 'Quem a criou' }),
  lastUsedAt: nullable(timestamp({ about: 'Último uso, com até um minuto de atraso' })),
  lastUsedAddress: nullable(output.text({ about: 'Endereço IP do último uso' })),
  createdAt: timestamp({ about: 'Criação' }),
  updatedAt: timestamp({ about: 'Última alteração' }),
})

export const issuedKeyView = view('IssuedApiKey', {
  ...namedKeyView.table,
  key: output.text({ about: 'A chave: guarde-a agora, pois não é mostrada outra vez' }),
})
