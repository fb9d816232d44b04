import type { ExecutionContext } from 'ava'
import type { SetClock } from '../../../adapters/clock/set-clock.ts'
import type { Host } from '../../../apps/host/host.ts'
import type { openStore } from '../../../apps/host/open-store.ts'
import type { Dialect } from '../../../apps/http/replies/dialect.ts'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import type { Documented } from './schemas.ts'
import type { Answer, Reply, Sent, Wire } from './wire.ts'

// The generated tests of rows run on an `ApiUnderTest`: how the API is opened, its tokens and roles, its failures.
// `tests/apps/payments/rows/payments-rows.ts` is one. The suites beside this file take the result of `suiteOf`.

/** A running app, as the suites need it. */
export interface RowsApi {
  readonly url: string
  readonly clock: SetClock
  readonly host: Host
  /** Sends a request unchanged. */
  readonly wire: Wire
  ask(method: string, path: string, sent?: Sent): Promise<Answer>
  /** Runs the worker until nothing is due. */
  drain(): Promise<number>
}

/** The result of a fixture: the caller's token, and values for the ids of an example. */
export interface Given {
  readonly token?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** Headers beside the token. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Creates the required records through the app, in a new tenant at each call. */
export type Fixture<A> = (api: A) => Promise<Given>

/** The options with which the app is started. */
export interface Start {
  readonly env: Readonly<Record<string, string>>
  /** Opens the store, which is emptied between tests. */
  readonly open: typeof openStore
  /** True if images and documents are rendered; else placeholders are used, since rendering is slow. */
  readonly draws: boolean
}

/** A role, as the API names or numbers it. */
type Role = string | number

/** The failures of an API. */
export interface Wording {
  /** The status of wrong and missing fields. */
  readonly invalid: 400 | 422
  /** The dialect of answers without a row. */
  readonly defaultDialect: string
  /** The body of a 401. */
  readonly unauthenticated: Answer['body']
  /** The body of a 403 for a role without the row's permission. */
  readonly forbidden: Answer['body']
  /** Returns the messages of each field that a failure lists, by its path. */
  fieldsIn(body: Answer['body']): Readonly<Record<string, readonly string[]>>
  /** Returns the code of a failure. */
  codeIn(body: Answer['body']): unknown
  /** Returns an error unless the answer is a well-formed failure of the dialect below 500; else null. */
  wrongFailure(
    reply: Pick<Reply, 'status' | 'headers' | 'body' | 'text'>,
    dialect: string,
    document: Documented,
  ): string | null
  /** Returns the schema name of a dialect's failures; by default `Failure`. */
  failureSchema?(dialect: string): string
}

export interface Tokens<A> {
  /** Returns well-formed invalid tokens made from a valid one: another key, foreign claims, expired. */
  wrong(api: A, token: string, row: AnyRow): readonly string[] | Promise<readonly string[]>
  /** Returns the time at which the token expires. */
  lapsesAt(api: A, token: string): string | Promise<string>
  /** Revokes the token, if the API can. */
  end?(api: A, token: string): Promise<void>
}

export interface Roles<A> {
  /** Every role, with one that has no permission. */
  readonly all: readonly Role[]
  /** The roles that have each permission. */
  readonly may: Readonly<Record<string, readonly Role[]>>
  /**
   * Returns a token of another member with this role in the token's tenant; the next call may change the member's role.
   */
  member(api: A, token: string, role: Role): Promise<string>
}

export interface References {
  /** Ids of no record; the first is well-formed. */
  readonly unknownIds: readonly [string, ...string[]]
  /** Matches the names of fields that may refer to a record. */
  readonly names: RegExp
  /**
   * The fixture that creates another tenant's record (`params.id`), by field name; null if no such record can exist
   * yet.
   */
  readonly fixtures: Readonly<Record<string, string | null>>
  /** Fields that match `names` and refer to no record of a tenant. */
  readonly exempt: ReadonlySet<string>
  /** Converts an id from a path to its form in a body. */
  inBody(id: string): unknown
}

/** The parts of hostile tests that depend on the API. */
export interface Hostile<A> {
  /** The row whose fixture provides the token of random requests. */
  readonly asker: string
  /** Returns the dialects in which a target may be rejected; by default the default dialect. */
  dialectsAt?(reply: Pick<Reply, 'headers'>, target: string): readonly string[]
  /** Reports whether any request may write this line of a dump. */
  mayWrite?(line: string): boolean
  /** Returns the encrypted values of the store, decrypted. */
  decrypted?(api: A): Promise<readonly unknown[]>
  /** Reports whether an answer with the status of a success is a rejection. */
  isRefusal?(body: Answer['body']): boolean
  /** Reports whether a row may reject a number for a reason that is not in the field's schema. */
  excuses?(row: AnyRow, reply: Pick<Reply, 'status' | 'body'>): boolean
  /** Returns the stored form of a text, if it differs from the sent one. */
  storedAs?(name: string, text: string): string
  /** Returns the names under which a row lists errors of a field; by default its own. */
  errorNames?(row: AnyRow, name: string): readonly string[]
}

/** An API whose rows are tested. `A` is the type of its running app. */
export interface ApiUnderTest<A extends RowsApi> {
  /** Every row, of all settings. */
  readonly rows: readonly AnyRow[]
  readonly dialects: Readonly<Record<string, Dialect>>
  /** Matches the paths of fields (`body.data[].id`) whose values are those of a fixture, the clock or chance. */
  readonly varies: RegExp
  /** The fixtures that the examples name by `given`. */
  readonly given: Readonly<Record<string, Fixture<A>>>
  /** Starts the app and registers its end with `teardown`. */
  start(t: Pick<ExecutionContext, 'teardown'>, start: Start): Promise<A>
  /** Clears effects outside the store: sent mails. */
  forget?(api: A): void
  readonly collections: readonly AnyCollection[]
  /** Collections and fields that count requests and guesses: they are written for rejected requests, too. */
  readonly counts: { readonly collections: readonly string[]; readonly fields: readonly string[] }
  /** Rows that only the first accounts of a store may call: 403 for any other. */
  readonly restricted?: ReadonlySet<string>
  /** Auth schemes that ignore idempotency keys, since the caller is not known yet. */
  readonly keyless: ReadonlySet<string>
  readonly wording: Wording
  readonly tokens: Tokens<A>
  readonly roles: Roles<A>
  readonly references: References
  /**
   * Returns a body with new values for unique fields, so that a repeated request is no duplicate. If `field` is to be
   * tested, the fields that it requires are set, too.
   */
  withFreshValues(row: AnyRow, body: Given['body'], field?: string): Readonly<Record<string, unknown>>
  readonly hostile: Hostile<A>
}
