import { type Failure, failure } from '../../../core/failure.ts'
import { unavailable } from '../../../core/kernel/running/use-case.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { ERROR_CODE } from '../headers.ts'
import type { State } from '../request.ts'
import type { Log } from '../telemetry.ts'
import type { Dialect } from './dialect.ts'
import type { FailureText, Messages, ServerFailure, Wording } from './messages.ts'
import type { TextAnswer } from './reply.ts'

const INTERNAL: ServerFailure = failure('refused', 'internal')

/** Source: decisions.md §2: whatever is wrong with fields, one code says that they are named. */
const codeOf = ({ code }: Failure, { status, errors }: FailureText): string =>
  status === 422 && errors !== null ? 'fields' : code

/** Turns what went wrong into an answer. */
export interface Faults {
  /** The answer to a failure, in the words of its dialect and row. */
  of(failure: Failure, dialect: Dialect, overrides?: Readonly<Record<string, Wording>>): TextAnswer
  /** The answer to something thrown: 503 where the store is away, else 500 with the request's id and nothing else. */
  thrown(error: unknown, dialect: Dialect, state: State): TextAnswer
}

export const faultsOf = (messages: Messages, log: Log): Faults => {
  const encode = (
    fault: Failure,
    dialect: Dialect,
    overrides: Readonly<Record<string, Wording>> | undefined,
    requestId: string | null,
  ): TextAnswer => {
    const said = messages.textOf(fault, overrides)
    const seconds = 'retryAfterSeconds' in fault ? fault.retryAfterSeconds : undefined
    const code = codeOf(fault, said)
    const worded = dialect.fail({ ...said, code, requestId })
    const headers = {
      // A page has its code where programs find it.
      ...(typeof worded === 'string' ? { [ERROR_CODE]: code } : {}),
      ...dialect.failHeaders,
      ...(seconds === undefined ? {} : { 'Retry-After': `${seconds}` }),
      ...(said.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    }
    return {
      status: said.status,
      type: dialect.failType ?? 'application/json; charset=utf-8',
      body: typeof worded === 'string' ? worded : JSON.stringify(worded),
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
