import type { Input } from '../../../core/kernel/input/input.ts'
import type { Fields } from '../../../core/kernel/input/table.ts'
import type { AnyView } from '../../../core/kernel/input/view.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { ResourceSpec } from '../../../core/kernel/resources/resource.ts'
import type { LookupBy, ResourceFilter } from '../../../core/kernel/resources/scope.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import type { Listing, Page } from '../../../core/kernel/values/page.ts'
import type { Wording } from '../replies/wording.ts'
import type { AnyRow, ApiTypes } from './row.ts'

/**
 * The members of a plain resource's module, of `update` and `replace` at least the one that its PUT does. Methods, because
 * methods take narrower parameters.
 */
export interface Plain {
  create(actor: never, given: never): UseCase<unknown>
  /** A page; null where all of them are asked for, which is only where that is said to be so. */
  list(actor: never, page: never, filter?: ResourceFilter): UseCase<Listing<unknown>>
  read(actor: never, named: string, by?: LookupBy): UseCase<unknown>
  update?(actor: never, id: never, given: never): UseCase<unknown>
  replace?(actor: never, id: never, given: never): UseCase<unknown>
  remove(actor: never, id: never): UseCase<null>
}

export type PlainModule<Core> = { [M in keyof Core]: Core[M] extends Plain ? M : never }[keyof Core] & string

export const VERBS = ['list', 'create', 'show', 'update', 'remove'] as const
export type Verb = (typeof VERBS)[number]

/** How a verb is spoken of: what it does, what it says where its dialect does, and its status where that is not 200. */
interface Words {
  readonly summary: string
  readonly message?: string
  readonly status?: number
}

/** A resource as one dialect has it: flat data. */
export interface Crud<H extends ApiTypes, M extends PlainModule<H['core']>, R> {
  /** The member of the facade that it is: `clients`, which also begins the names of its rows. */
  readonly module: M
  /** What begins them where the module has rows in another dialect already: `legacy-clients`. */
  readonly name?: string
  readonly resource: {
    readonly spec: Pick<
      ResourceSpec<string, Fields, Fields, string, string>,
      'one' | 'many' | 'input' | 'internal' | 'filters' | 'unique' | 'blockedBy'
    >
    readonly createInput: Input<unknown, never>
    readonly updateInput: Input<unknown, never>
  }
  readonly view: AnyView<R>
  readonly area: string
  /** Of all of them, aliases included; one of them is at `:id` below. */
  readonly paths: readonly string[]
  /** What the path of one says of it, where that is not its id. */
  readonly by?: LookupBy
  /** The path that does the same, where these do it no longer. */
  readonly deprecated?: AnyRow['deprecated']
  readonly dialect: H['dialect']
  readonly auth: keyof H['principals'] & string
  /** A removal asks for that of writing where it has none of its own. */
  readonly permissions: {
    readonly read: H['permission']
    readonly write: H['permission']
    readonly remove?: H['permission']
  }
  /** Whether a PUT leaves what it does not name, or makes it as in a new one. */
  readonly put: 'merges' | 'replaces'
  /** Whether a PATCH does the same where a PUT replaces. */
  readonly patch?: true
  /** Whether a list that is asked for without a page is the whole one. */
  readonly unpaged: boolean
  /** How pages are asked for where it is not by `page` and the dialect's `perPage`. */
  readonly pages?: Input<Page, never>
  /** Whether a list is narrowed by the resource's filters, and by a text. */
  readonly filtered: boolean
  /** What an envelope calls one and a list of them, where that is not as the resource has it: `data`. */
  readonly keys?: { readonly one: string; readonly many: string }
  readonly words: { readonly [verb in Verb]: Words } & { readonly missing: string }
  readonly example: {
    /** The fixture that makes one. */
    readonly given: string
    /** The fixture under which one is made. */
    readonly begin: string
    readonly sent: Json
    readonly change: Json
    readonly shown: Json
  }
  readonly only?: readonly Verb[]
  /** What verbs fail with beside what every resource does. */
  readonly errors?: { readonly [verb in Verb]?: Partial<Readonly<Record<H['code'], Wording>>> }
}

/** The same of any API. */
export type AnyCrud = Omit<Crud<ApiTypes, never, unknown>, 'module' | 'auth'> & {
  readonly module: string
  readonly auth: string
}
