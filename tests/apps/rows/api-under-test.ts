import type { ExecutionContext } from 'ava'
import type { SetClock } from '../../../adapters/clock/set-clock.ts'
import type { Host } from '../../../apps/host/host.ts'
import type { openStore } from '../../../apps/host/open-store.ts'
import type { Dialect } from '../../../apps/http/replies/dialect.ts'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import type { Documented } from './schemas.ts'
import type { Answer, Reply, Sent, Wire } from './wire.ts'

// An API that owes the generated tests of rows says here what they cannot know: how it is opened, whom it lets in, how it
// words a failure. `tests/apps/payments/rows/payments-rows.ts` is one; the suites beside this file take what `suiteOf` makes of it.

/** A running app, as the suites need it: what the apps' own tests open has more. */
export interface RowsApi {
  readonly url: string
  readonly clock: SetClock
  readonly host: Host
  /** Asks as bytes go, without any manners. */
  readonly wire: Wire
  ask(method: string, path: string, sent?: Sent): Promise<Answer>
  /** Does all that the worker has to do now. */
  drain(): Promise<number>
}

/** What a fixture supplies: who asks, and what stands in the place of an example's ids. */
export interface Given {
  readonly token?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** Makes what must exist, through the app; each call makes its own, which shares nothing with the others. */
export type Fixture<A> = (api: A) => Promise<Given>

/** How the app of a test of rows is to be started. */
export interface Start {
  readonly env: Readonly<Record<string, string>>
  /** How its store is opened: it is emptied between tests. */
  readonly open: typeof openStore
  /** Whether pictures and documents are drawn. What stands in their place else is anything: drawing takes long. */
  readonly draws: boolean
}

/** A name, or a number, by which an API knows a role. */
type Role = string | number

/** How an API words what goes wrong. */
export interface Wording {
  /** The status of wrong and missing fields. */
  readonly invalid: 400 | 422
  /** In which dialect it answers what no row is asked. */
  readonly defaultDialect: string
  /** All of the body of an answer to somebody without a token that lives. */
  readonly unauthenticated: Answer['body']
  /** All of the body of an answer to somebody whose role lacks the row's permission. */
  readonly forbidden: Answer['body']
  /** What is wrong with each field that a failure names, in words, by the field's path; nothing where it names none. */
  fieldsIn(body: Answer['body']): Readonly<Record<string, readonly string[]>>
  /** The code of a failure, for programs. */
  codeIn(body: Answer['body']): unknown
  /** What is wrong with a failure in a dialect, whatever its cause: null where it is well-formed, and none of the server's own. */
  wrongFailure(
    reply: Pick<Reply, 'status' | 'headers' | 'body' | 'text'>,
    dialect: string,
    document: Documented,
  ): string | null
  /** Under which name the document has the failures of a dialect; all of them are called `Failure` where it is left out. */
  failureSchema?(dialect: string): string
}

/** How an API's tokens begin and end. */
export interface Tokens<A> {
  /** Tokens of the right form that open nothing, made of one that opens a row: another key, claims of others, run out. */
  wrong(api: A, token: string, row: AnyRow): readonly string[] | Promise<readonly string[]>
  /** The first instant at which this token opens nothing any more. */
  lapsesAt(api: A, token: string): string | Promise<string>
  /** Makes it open nothing from the next request on; left out where nothing does. */
  end?(api: A, token: string): Promise<void>
}

/** Who may what. */
export interface Roles<A> {
  /** Every role, also one that may nothing. */
  readonly all: readonly Role[]
  /** Which of them have a permission. */
  readonly may: Readonly<Record<string, readonly Role[]>>
  /** A token of somebody else in this role, where whoever has the other token works; by the next call they may have another. */
  member(api: A, token: string, role: Role): Promise<string>
}

/** How records are named. */
export interface References {
  /** Texts that are the id of nothing: the first is of the right form. */
  readonly unknownIds: readonly [string, ...string[]]
  /** Which names of fields may refer to a record. */
  readonly names: RegExp
  /** By which fixture (its `params.id`) another tenant's is made; null where there is nothing yet to refer to. */
  readonly fixtures: Readonly<Record<string, string | null>>
  /** What is named like one, and is a word of a list, or not the caller's to have. */
  readonly exempt: ReadonlySet<string>
  /** How a body has an id that a path has as text. */
  inBody(id: string): unknown
}

/** What hostile requests meet that is an API's own. */
export interface Hostile<A> {
  /** The row whose fixture gives the token by which anything at all is asked. */
  readonly asker: string
  /** In which dialects a target may be refused, whatever else is wrong with it; the usual one where this is left out. */
  dialectsAt?(reply: Pick<Reply, 'headers'>, target: string): readonly string[]
  /** Whether a line of a dump is of what any request may write. */
  mayWrite?(line: string): boolean
  /** What the store keeps sealed, opened. */
  decrypted?(api: A): Promise<readonly unknown[]>
  /** Whether an answer of a success's status says no. */
  isRefusal?(body: Answer['body']): boolean
  /** Whether a row may answer a strange number so, for reasons that its field's schema does not say. */
  excuses?(row: AnyRow, reply: Pick<Reply, 'status' | 'body'>): boolean
  /** How a plain text of a field is kept, where that is not as it was sent: in capitals. */
  storedAs?(name: string, text: string): string
  /** Under which names a row says what is wrong with a field, where that is not only its own. */
  errorNames?(row: AnyRow, name: string): readonly string[]
}

/** An API whose rows the suites try. `A` is what its own tests call its running app. */
export interface ApiUnderTest<A extends RowsApi> {
  /** Every row that it serves, whatever its settings. */
  readonly rows: readonly AnyRow[]
  readonly dialects: Readonly<Record<string, Dialect>>
  /** What the examples of rows name by `given`. */
  readonly given: Readonly<Record<string, Fixture<A>>>
  /** Starts the app; it is closed by what it hands to `teardown`. */
  start(t: Pick<ExecutionContext, 'teardown'>, start: Start): Promise<A>
  /** Forgets what was done that is not in the store: mails that were sent. */
  forget?(api: A): void
  /** All that its store holds. */
  readonly collections: readonly AnyCollection[]
  /** What counts requests and guesses, which are written whatever is answered: collections, and fields of others. */
  readonly counts: { readonly collections: readonly string[]; readonly fields: readonly string[] }
  /** Rows that only the first accounts of a store may ask: 403 to any other. */
  readonly restricted?: ReadonlySet<string>
  /** Ways in, by a row's `auth`, that ignore idempotency keys: there is nobody yet whose they could be. */
  readonly keyless: ReadonlySet<string>
  readonly wording: Wording
  readonly tokens: Tokens<A>
  readonly roles: Roles<A>
  readonly references: References
  /**
   * The body of somebody, or something, else, so that what is asked again is not refused for being there already; where a
   * field of it is to be tried, with what that goes together with.
   */
  withFreshValues(row: AnyRow, body: Given['body'], field?: string): Readonly<Record<string, unknown>>
  readonly hostile: Hostile<A>
}
