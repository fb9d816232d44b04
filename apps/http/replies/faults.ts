import { type Failure, failure } from '../../../core/failure.ts'
import { unavailable } from '../../../core/kernel/running/use-case.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { State } from '../context.ts'
import { ERROR_CODE } from '../headers.ts'
import type { Log } from '../telemetry.ts'
import type { Dialect } from './dialect.ts'
import type { Messages, ServerFailure, Wording } from './messages.ts'
import { JSON_TYPE, type TextAnswer } from './reply.ts'

const INTERNAL: ServerFailure = failure('refused', 'internal')

/** Encodes failures and errors as answers. */
export interface Faults {
  /** Encodes a failure in its dialect, with the row's texts. */
  of(failure: Failure, dialect: Dialect, overrides?: Readonly<Record<string, Wording>>): TextAnswer
  /** Logs an error and returns 503 if the store is unavailable, else 500 with the request's id. */
  thrown(error: unknown, dialect: Dialect, state: State): TextAnswer
}

export const faultsOf = (messages: Messages, log: Log): Faults => {
  const encode = (
    fault: Failure,
    dialect: Dialect,
    overrides: Readonly<Record<string, Wording>> | undefined,
    requestId: string | null,
  ): TextAnswer => {
    const text = messages.textOf(fault, overrides)
    const seconds = 'retryAfterSeconds' in fault ? fault.retryAfterSeconds : undefined
    // One code for every 422 that lists fields: each field has its own codes.
    const code = text.status === 422 && text.errors !== null ? 'fields' : fault.code
    const body = dialect.fail({ ...text, code, requestId })
    const isPage = body instanceof Uint8Array
    const headers = {
      // The code of a page, for programs.
      ...(isPage ? { [ERROR_CODE]: code } : {}),
      ...dialect.failHeaders,
      ...(seconds === undefined ? {} : { 'Retry-After': `${seconds}` }),
      ...(text.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    }
    return {
      status: text.status,
      type: dialect.failType ?? JSON_TYPE,
      body: isPage ? body : JSON.stringify(body),
      headers,
    }
  }
  return {
    of: (fault, dialect, overrides) => encode(fault, dialect, overrides, null),
    thrown(error, dialect, state) {
      log.failure({ id: state.id, route: state.route }, error)
      return error instanceof StoreUnavailable
        ? encode(unavailable('store.unavailable'), dialect, undefined, null)
        : encode(INTERNAL, dialect, undefined, state.id)
    },
  }
}
