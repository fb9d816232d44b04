import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isUint8Array } from 'node:util/types'
import { type Either, left, right } from '../../core/failure.ts'
import { parseUrl } from '../../core/kernel/values/text.ts'

/** A setting of an environment or a program. */
export interface Setting<A, Given = string> {
  /** Ends the sentence "accepts …". */
  readonly accepts: string
  /** True if no value may be shown, not even a wrong one. */
  readonly isSecret: boolean
  /** True if the password in the value may not be shown. */
  readonly hasPassword?: boolean
  /** Returns undefined for a value that is not accepted. */
  readonly read: (given: Given) => A | undefined
  /** Returns a line for each wrong part of a value that is not accepted; by default there is one line for the value. */
  readonly faults?: (name: string, given: unknown) => readonly string[]
  /** The default value; undefined if the setting is required. */
  readonly absent: { readonly value: A } | undefined
}

/** A setting without the types of its values. */
interface AnySetting {
  readonly accepts: string
  readonly isSecret: boolean
  readonly hasPassword?: boolean
  readonly read: (given: never) => unknown
  readonly faults?: (name: string, given: unknown) => readonly string[]
  readonly absent: { readonly value: unknown } | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>
export type Table = Readonly<Record<string, AnySetting>>
/** The values that a table reads. */
export type GivenTo<T extends Table> = { readonly [K in keyof T]?: Parameters<T[K]['read']>[0] | null | undefined }
export type Settings<T extends Table> = {
  readonly [K in keyof T]: T[K] extends Setting<infer A, infer _> ? A : never
}

/** Returns the line about a wrong setting: its name, the received value (never a secret) and the accepted values. */
export const wrongSetting = (
  name: string,
  got: unknown,
  { accepts, isSecret = false }: Pick<AnySetting, 'accepts'> & Partial<Pick<AnySetting, 'isSecret'>>,
): string =>
  `${name}: got ${got === undefined ? 'nothing' : isSecret ? withoutSecret(got) : shown(got)}, accepts ${accepts}`

const withoutSecret = (got: unknown): string => (isUint8Array(got) ? `${got.length} bytes` : 'a secret')

const shown = (got: unknown): string => {
  if (typeof got === 'string') return JSON.stringify(withoutUser(got))
  if (Array.isArray(got)) return `[${got.map(shown).join(', ')}]`
  return typeof got === 'object' && got !== null ? 'an object' : String(got)
}

/** Hides the part of an address before the host, which may contain a password. */
const withoutUser = (text: string): string => text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1…@')

/** A value with its name in messages, or the line about its fault. */
type Source = { readonly name: string; readonly got: unknown } | { readonly fault: string }

/** Reads a table of settings; returns a line for each wrong one. A blank text counts as not set. */
export const readSettings = <T extends Table>(table: T, given: GivenTo<T>): Either<readonly string[], Settings<T>> =>
  readEach(table, (name) => ({ name, got: unlessBlank(given[name]) }))

/** Reads settings from environment variables; a secret may be in the file that `NAME_FILE` names. */
export const readVariables = <T extends Table>(table: T, env: Environment): Either<readonly string[], Settings<T>> =>
  readEach(table, (name, setting) => {
    const got = unlessBlank(env[name])
    const path = isInFile(setting) ? unlessBlank(env[fileVariable(name)]) : undefined
    if (path === undefined) return { name, got }
    return got === undefined ? inFile(fileVariable(name), path) : { fault: givenTwice(name) }
  })

/** Returns the names of the variables of a table. */
export const variablesOf = (table: Table): readonly string[] =>
  Object.entries(table).flatMap(([name, setting]) => (isInFile(setting) ? [name, fileVariable(name)] : [name]))

const readEach = <T extends Table>(
  table: T,
  find: (name: string, setting: AnySetting) => Source,
): Either<readonly string[], Settings<T>> => {
  const lines: string[] = []
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(table)) {
    const source = find(key, setting)
    if ('fault' in source) {
      lines.push(source.fault)
      continue
    }
    const { name, got } = source
    // Each row reads values of its own type, which the loop hides from the compiler.
    const value = got === undefined ? setting.absent?.value : setting.read(got as never)
    if (value === undefined) lines.push(...(setting.faults?.(name, got) ?? [wrongSetting(name, got, setting)]))
    values[key] = value
  }
  return lines.length > 0 ? left(lines) : right(values as Settings<T>)
}

const isInFile = ({ isSecret, hasPassword = false }: AnySetting): boolean => isSecret || hasPassword
const fileVariable = (name: string): string => `${name}_FILE`

const givenTwice = (name: string): string => `${fileVariable(name)}: ${name} is set too: remove one of the two`

const inFile = (name: string, path: string): Source => {
  try {
    const got = unlessBlank(readFileSync(path, 'utf8'))
    return got === undefined ? { fault: `${name}: ${path} is empty` } : { name, got }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return { fault: `${name}: ${path} cannot be read (${code})` }
  }
}

const unlessBlank = <A>(given: A): A | undefined =>
  ((typeof given === 'string' ? given.trim() || undefined : given) as A | undefined) ?? undefined

/** A required setting. */
export const setting = <A, Given = string>(
  accepts: string,
  read: (given: Given) => A | undefined,
): Setting<A, Given> => ({ accepts, isSecret: false, read, absent: undefined })

/** Adds a default value. */
export const withDefault = <A, Given, const B = A>(inner: Setting<A, Given>, value: B): Setting<A | B, Given> => ({
  ...inner,
  absent: { value },
})

/** Makes null the default. */
export const optional = <A, Given>(inner: Setting<A, Given>): Setting<A | null, Given> => withDefault(inner, null)

/** Hides the value in messages. */
export const secret = <A, Given>(inner: Setting<A, Given>): Setting<A, Given> => ({ ...inner, isSecret: true })

/** Hides the password of an address in messages. */
export const withPassword = <A, Given>(inner: Setting<A, Given>): Setting<A, Given> => ({ ...inner, hasPassword: true })

export const anyText = (accepts = 'any text'): Setting<string> => setting(accepts, (text) => text)

/** A text that matches a pattern. */
export const matching = (regex: RegExp, accepts: string): Setting<string> =>
  setting(accepts, (text) => (regex.test(text) ? text : undefined))

export const wholeNumber = ({ min, max }: { readonly min: number; readonly max: number }): Setting<number> =>
  setting(`an integer from ${min} to ${max}`, (text) => {
    const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return number >= min && number <= max ? number : undefined
  })

/** A TCP port; 0 takes a free one. */
export const portNumber = (): Setting<number> => wholeNumber({ min: 0, max: 65_535 })

export const oneOf = <const V extends string>(values: readonly V[]): Setting<V> =>
  setting(values.join(' or '), (text) => values.find((value) => value === text))

const FLAGS = new Map([
  ['true', true],
  ['false', false],
])

export const flag = (): Setting<boolean> => setting('true or false', (text) => FLAGS.get(text))

/** Comma-separated values; empty ones are ignored. */
export const listOf = <A>(item: Setting<A>): Setting<readonly A[]> =>
  setting(`a comma-separated list: each ${item.accepts}`, (text) => {
    const parts = text.split(',').map((part) => part.trim())
    const values = parts.filter((part) => part !== '').map(item.read)
    const accepted = values.flatMap((value) => (value === undefined ? [] : [value]))
    return accepted.length === values.length ? accepted : undefined
  })

/** An absolute address with one of these schemes (`http:`), without trailing slashes. */
export const address = (schemes: readonly string[]): Setting<string> =>
  setting(`an absolute address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`, (text) => {
    const url = parseUrl(text)
    return url && schemes.includes(url.protocol) && url.hostname !== '' ? text.replace(/\/+$/, '') : undefined
  })

// Paths are appended to it, it is public, and it is part of shell commands to copy.
const LINK_BASE = /^https?:\/\/[^@?#'"`$\\\s]+$/i

/** The beginning of links, without trailing slashes: an http or https address without user, query or fragment. */
export const linkBase = (): Setting<string> =>
  setting('an absolute address that begins with http:// or https://, without user, query or fragment', (text) =>
    parseUrl(text) && LINK_BASE.test(text) ? text.replace(/\/+$/, '') : undefined,
  )

/** An https address without user, query or fragment. */
export const secureAddress = (): Setting<string> =>
  setting('an absolute address that begins with https://, without user, query or fragment', (text) => {
    const base = linkBase().read(text)
    return base?.startsWith('https://') ? base : undefined
  })

const HEADER = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/

/** Headers as OpenTelemetry writes them: `name=value`, separated by commas, the values percent-encoded. */
export const headerList = (): Setting<Readonly<Record<string, string>>> =>
  setting('headers such as authorization=Bearer%20abc,x-tenant=7', (text) => {
    try {
      const pairs = text.split(',').map((pair) => {
        const [, name = '', value = ''] = HEADER.exec(pair) ?? []
        return [name, decodeURIComponent(value)] as const
      })
      return pairs.every(([name, value]) => name !== '' && /^[\t\x20-\x7e]*$/.test(value))
        ? Object.fromEntries(pairs)
        : undefined
    } catch {
      return undefined
    }
  })

/** A mail server, as `smtp://user:pass@host:port`, or `smtps:` for TLS from the start. */
export const mailServer = (): Setting<string> => secret(address(['smtp:', 'smtps:']))

const SENDER = /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/

/** The sender of mails: `Name <address>`, or the address alone. */
export const sender = (): Setting<string> => matching(SENDER, 'a sender such as Portico <no-reply@example.com>')

const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/

export const timeOfDay = (): Setting<string> => matching(CLOCK_TIME, 'a time of day such as 07:00')

/** The origin of a web page, exactly as a browser names it: `https://app.example.com`. */
export const origin = (): Setting<string> =>
  setting('an origin such as https://app.example.com', (text) => (parseUrl(text)?.origin === text ? text : undefined))

/** The name of a host, such as `app.example.com`; a port is ignored. */
export const hostName = (): Setting<string> =>
  setting('a host name such as app.example.com', (text) => {
    const url = parseUrl(`http://${text}`)
    return url && url.href === `http://${url.host}/` && text.startsWith(url.hostname) ? url.hostname : undefined
  })

/** The interface that a server listens on: `localhost`, `0.0.0.0`, `::1`. */
export const hostOrAddress = (): Setting<string> =>
  setting('a host name or address', (text) => (isIP(text) || isHost(text) ? text : undefined))

const isHost = (text: string): boolean => /^[\p{L}\p{N}_.-]+$/u.test(text) && parseUrl(`http://${text}`) !== null

/** A secret text, measured in UTF-8. */
export const secretText = ({ minBytes }: { readonly minBytes: number }): Setting<string> =>
  secret(setting(`at least ${minBytes} bytes`, (text) => (Buffer.byteLength(text) >= minBytes ? text : undefined)))

/** Secret bytes, in base64. */
export const secretBytes = ({ bytes }: { readonly bytes: number }): Setting<Uint8Array> =>
  secret(
    setting(`${bytes} bytes in base64`, (text) => {
      const decoded = Buffer.from(text, 'base64')
      return decoded.length === bytes && decoded.toString('base64') === text ? new Uint8Array(decoded) : undefined
    }),
  )
