import { isCardNumber } from '../../core/kernel/values/card-number.ts'
import type { Random } from '../../core/ports/runtime.ts'

/** The request as rows and auth schemes see it. */
export interface HttpRequest {
  readonly id: string
  readonly address: string
  /** Aborted once the caller has hung up. */
  readonly signal: { readonly aborted: boolean }
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** The raw query; a row reads its `input.query`. */
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>
  header(name: string): string | null
}

const BEARER = /^Bearer +([^\s]+)$/i

/** Returns the token of the `Authorization` header; null without one. */
export const bearerTokenIn = (request: HttpRequest): string | null =>
  BEARER.exec(request.header('authorization') ?? '')?.[1] ?? null

/** The kinds of bodies. A form is `application/x-www-form-urlencoded`, as a page posts it without a script. */
export type BodyKind = 'json' | 'multipart' | 'form' | 'csv'

/** The bodies that a row reads. */
export interface BodyRule {
  readonly kinds: readonly BodyKind[]
  /** Limits in bytes that differ from the default ones. */
  readonly limits?: Partial<Readonly<Record<BodyKind, number>>>
}

const MAX_ID_CHARS = 64
const WELL_FORMED_ID = new RegExp(`^[A-Za-z0-9._-]{1,${MAX_ID_CHARS}}$`)

/**
 * Creates the ids of requests: the id that the caller sent if it is well-formed and no card number, because ids are
 * logged; else the process's random prefix and a counter, so that a request needs no randomness.
 */
export const requestIds = (random: Random): ((sent: string | string[] | undefined) => string) => {
  const prefix = Buffer.from(random.bytes(9)).toString('base64url')
  let count = 0
  return (sent) => {
    if (typeof sent === 'string' && WELL_FORMED_ID.test(sent) && !isCardNumber(sent)) return sent
    count += 1
    return `${prefix}.${count.toString(36)}`
  }
}

const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

/** Reports whether an error only reports that the client has disconnected. */
export const isHangUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && HANG_UPS.has(error.code)
