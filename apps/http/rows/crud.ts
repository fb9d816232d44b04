import { type CodesOf, right } from '../../../core/failure.ts'
import {
  type AnyField,
  type AnyView,
  type DayRange,
  type Field,
  type Fields,
  type Input,
  input,
  inQuery,
  paging,
  type Side,
} from '../../../core/kernel/input/mod.ts'
import type { LookupBy, ResourceFilter } from '../../../core/kernel/resources/plain-use-cases.ts'
import type { ResourceSpec } from '../../../core/kernel/resources/resource.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import type { Listing, Page } from '../../../core/ports/store.ts'
import { type Dialect, queryOn } from '../replies/dialect.ts'
import { json, list, page } from '../replies/json-reply.ts'
import type { Wording } from '../replies/messages.ts'
import { empty } from '../replies/raw-reply.ts'
import type { AnyReply } from '../replies/reply.ts'
import {
  changedExample,
  examplesOf,
  failureTexts,
  type Noun,
  type Sample,
  VERBS,
  type Verb,
  type VerbWords,
  type WireExample,
  type Words,
  wordsOf,
} from './crud-texts.ts'
import { type AnyRow, type ApiTypes, completeExample, type RowExample } from './row.ts'

/**
 * The module of a plain resource, with at least the one of `update` and `replace` that its PUT calls. Methods, since
 * their parameters are bivariant.
 */
interface ResourceModule {
  create(actor: never, input: never): UseCase<unknown>
  /** `page` is null for the whole list, which only `unpaged` resources accept. */
  list(actor: never, page: never, filter?: ResourceFilter): UseCase<Listing<unknown>>
  read(actor: never, named: string, by?: LookupBy): UseCase<unknown>
  update?(actor: never, id: never, input: never): UseCase<unknown>
  replace?(actor: never, id: never, input: never): UseCase<unknown>
  remove(actor: never, id: never): UseCase<null>
}

type ResourceModuleName<Core> = { [M in keyof Core]: Core[M] extends ResourceModule ? M : never }[keyof Core] & string

/** The failure codes of the plain resources of a core whose messages their nouns yield. */
export type ResourceCode<Core> = Extract<
  CodesOf<Core[ResourceModuleName<Core>]>,
  `${string}.unknown` | `${string}.${string}.taken`
>

/**
 * The rows of a resource in one dialect, as data.
 *
 * @public Named by the declaration files of the package.
 */
export interface Crud<H extends ApiTypes, M extends ResourceModuleName<H['core']>, R, A extends object> {
  /** The member of the facade; also the prefix of the row names: `clients`. */
  readonly module: M
  /** The prefix, if the module already has rows in another dialect: `legacy-clients`. */
  readonly name?: string
  readonly resource: {
    readonly spec: Pick<
      ResourceSpec<string, Fields, Fields, string, string>,
      'one' | 'many' | 'input' | 'internal' | 'filters' | 'unique' | 'blockedBy'
    >
    readonly createInput: Input<A, never>
    readonly updateInput: Input<unknown, never>
    readonly view: AnyView<never>
  }
  /** By default that of the resource. */
  readonly view?: AnyView<R>
  /** The view and the example of a record in its list, if they differ from those of one record. */
  readonly listed?: { readonly view: AnyView<never>; readonly shown: WireExample['shown'] }
  readonly area: string
  /** The paths of the list, aliases included; a record is at `/:id` below. */
  readonly paths: readonly string[]
  /** The lookup of the record that a path names; by default by id. */
  readonly by?: LookupBy
  readonly deprecated?: AnyRow['deprecated']
  readonly dialect: H['dialect']
  readonly auth: keyof H['principals'] & string
  /** `remove` is by default that of `write`. */
  readonly permissions: {
    readonly read: H['permission']
    readonly write: H['permission']
    readonly remove?: H['permission']
  }
  /** The effect of a PUT on fields that it omits: `merges` keeps them, `replaces` sets their defaults. */
  readonly put: 'merges' | 'replaces'
  /** Adds a PATCH that replaces, too; a PUT that merges always has one. */
  readonly patch?: true
  /** True if a request without a page returns the whole list. */
  readonly unpaged: boolean
  /** The paging parameters; by default `page` and the dialect's `perPage`. */
  readonly pages?: Input<Page, never>
  /** True if the list accepts the resource's filters and a search text. */
  readonly filtered: boolean
  /** The envelope's names for one record and for a list; by default those of the resource. */
  readonly keys?: { readonly one: string; readonly many: string }
  /** The noun of its texts: summaries, messages, and those of its failures. */
  readonly noun: Noun
  /** Texts and statuses other than the usual ones of the business. */
  readonly words?: { readonly [verb in Verb]?: Partial<VerbWords> }
  /** A sample of its fields, or the examples as they are on the wire. */
  readonly example: Fixtures & (Sample<NoInfer<A>> | Omit<WireExample, 'changed'>)
  readonly only?: readonly Verb[]
  /** Further failures of verbs. */
  readonly errors?: { readonly [verb in Verb]?: Partial<Readonly<Record<H['code'], Wording>>> }
}

interface Fixtures {
  /** The fixture that creates a record; by default named as the record: `chargeGroup`. */
  readonly given?: string
  /** The fixture before a record is created; by default that of the business. */
  readonly begin?: string
}

/** The conventions of a business. */
interface Usual {
  /** The texts, with slots for the noun: `Lista {os} {many}`. */
  readonly words: Words
  /** The fixture before a record is created. */
  readonly begin: string
  /** The id and timestamps of samples. */
  readonly common: Readonly<Record<string, unknown>>
}

type AnyCrud = Omit<Crud<ApiTypes, never, unknown, object>, 'module' | 'auth' | 'words' | 'example'> & {
  readonly module: string
  readonly auth: string
  readonly words: Words
  readonly example: Required<Fixtures> & WireExample
}

/** Creates the rows of a plain resource: `const crud = crudOf<Payments>()(dialects, usual)`. */
export const crudOf =
  <H extends ApiTypes>() =>
  (dialects: { readonly [D in H['dialect']]: Dialect }, usual: Usual) =>
  <M extends ResourceModuleName<H['core']>, R, A extends object>(own: Crud<H, M, R, A>): readonly AnyRow[] => {
    const dialect: Dialect = dialects[own.dialect as H['dialect']]
    const { noun, resource, view = resource.view as AnyView<R> } = own
    const spec: CrudWithView<R> = {
      ...own,
      view,
      words: wordsOf(noun, usual.words, own.words),
      example: exampleOf({ ...own, view }, dialect, usual),
    }
    const texts = failureTexts(noun, resource.spec)
    const rows: RowOf = { ...collectionRows(spec, dialect), ...recordRows(spec, dialect) }
    return (spec.only ?? VERBS).map((verb) => {
      const row = rows[verb]
      const more = spec.errors?.[verb] as AnyRow['errors']
      const errors = more || row.errors ? { errors: { ...row.errors, ...more } } : {}
      const example = completeExample(row.example, dialect, row.reply.doc, row.input.query)
      return { ...row, ...errors, texts, example, name: `${spec.name ?? spec.module}.${verb}` }
    })
  }

/** Completes the example of a resource: a sample is encoded in the names and values of the dialect. */
const exampleOf = (
  {
    resource,
    view,
    put,
    example,
  }: Pick<Crud<ApiTypes, never, never, object>, 'resource' | 'put' | 'example'> & { readonly view: AnyView<never> },
  { side }: Dialect,
  { begin, common }: Usual,
): AnyCrud['example'] => {
  const { one, internal } = resource.spec
  const given = one.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const examples =
    'sample' in example
      ? examplesOf({ ...resource, one, internal, view, put, side, common }, example)
      : { ...example, changed: changedExample(example) }
  return { given, begin, ...example, ...examples }
}

type RowOf = { readonly [verb in Verb]: Omit<AnyRow, 'name' | 'example'> & { readonly example: RowExample } }
type CrudWithView<R> = AnyCrud & { readonly view: AnyView<R> }

const moduleOf = (core: unknown, { module }: AnyCrud): ResourceModule =>
  (core as Readonly<Record<string, ResourceModule>>)[module] as ResourceModule

const commonParts = ({ area, dialect, auth, deprecated }: AnyCrud) => ({
  area,
  dialect,
  auth,
  ...(deprecated && { deprecated }),
})

const collectionRows = <R>(spec: CrudWithView<R>, dialect: Dialect): Pick<RowOf, 'list' | 'create'> => {
  const { resource, view, words, example, permissions, unpaged } = spec
  const listed = spec.listed ?? { view, shown: example.shown }
  const { one, many } = keysOf(spec)
  const about = { ...commonParts(spec), paths: spec.paths }
  const pages = spec.pages ?? paging
  const pageNames = Object.keys(pages.on(dialect.side).fields)
  return {
    list: {
      ...about,
      summary: words.list.summary,
      methods: ['GET'],
      permission: permissions.read,
      input: {
        query: queryOn(
          dialect,
          input(null, { ...pages.table, ...(spec.filtered && filtersOf(resource.spec, dialect.side)) }),
        ),
      },
      run: ({ core, actor, request }, { query }) => {
        const isAll = unpaged && pageNames.every((name) => request.query[name] === undefined)
        const { page: number, perPage, ...filters } = query as Page & ListQuery
        const filter = filterOf(filters)
        return moduleOf(core, spec).list(actor as never, (isAll ? null : { page: number, perPage }) as never, filter)
      },
      reply: (unpaged ? list<R> : page<R>)({ ...words.list, key: many, view: listed.view as AnyView<R> }) as AnyReply,
      example: { given: example.given, data: listed.shown },
    },
    create: {
      ...about,
      summary: words.create.summary,
      methods: ['POST'],
      permission: permissions.write,
      input: { body: resource.createInput.on(dialect.side) },
      run: ({ core, actor }, { body }) => moduleOf(core, spec).create(actor as never, body as never),
      reply: json<R>({ ...words.create, key: one, view }) as AnyReply,
      errors: takenErrors(resource.spec),
      example: { given: example.begin, request: { body: example.sent }, data: example.shown },
    },
  }
}

const takenErrors = ({ one, unique = [] }: AnyCrud['resource']['spec']): NonNullable<AnyRow['errors']> =>
  Object.fromEntries(unique.map((field) => [`${one}.${field}.taken`, {}]))

const recordErrors = ({ resource: { spec } }: AnyCrud) => {
  const { one, blockedBy = [] } = spec
  const show: NonNullable<AnyRow['errors']> = { [`${one}.unknown`]: {} }
  const blocked = blockedBy.length > 0 ? { [`${one}.in-use`]: {} } : {}
  return { show, update: { ...show, ...takenErrors(spec) }, remove: { ...show, ...blocked } }
}

const returnRecord: AnyRow['run'] =
  ({ record }) =>
  async () =>
    right(record)

const recordRows = <R>(spec: CrudWithView<R>, dialect: Dialect): Pick<RowOf, 'show' | 'update' | 'remove'> => {
  const { resource, view, words, example, permissions, put, patch = put === 'merges' } = spec
  const { one } = keysOf(spec)
  const errors = recordErrors(spec)
  const about: Pick<AnyRow, 'area' | 'dialect' | 'auth' | 'deprecated' | 'paths' | 'record' | 'errors'> = {
    ...commonParts(spec),
    paths: spec.paths.map((path) => `${path}/:id`),
    record: ({ core, actor, request }) => moduleOf(core, spec).read(actor as never, request.params.id ?? '', spec.by),
    errors: errors.show,
  }
  const idOf = (record: unknown) => (record as { readonly id: never }).id
  const request = { params: { id: `${Object(example.shown).id}` } }
  const { given } = example
  const isGone = words.remove.status === 204
  return {
    show: {
      ...about,
      summary: words.show.summary,
      methods: ['GET'],
      permission: permissions.read,
      input: {},
      run: returnRecord,
      reply: json<R>({ ...words.show, key: one, view }) as AnyReply,
      example: { given, request, data: example.shown },
    },
    update: {
      ...about,
      errors: errors.update,
      summary: words.update.summary,
      methods: patch ? ['PUT', 'PATCH'] : ['PUT'],
      permission: permissions.write,
      input: { body: (put === 'merges' ? resource.updateInput : resource.createInput).on(dialect.side) },
      run: ({ core, actor, record }, { body }) => {
        const { update, replace } = moduleOf(core, spec)
        const change = put === 'merges' ? update : replace
        if (!change)
          throw new TypeError(
            `module ${spec.module} lacks ${put === 'merges' ? 'update' : 'replace'}, which its PUT calls`,
          )
        return change(actor as never, idOf(record), body as never)
      },
      reply: json<R>({ ...words.update, key: one, view }) as AnyReply,
      example: { given, request: { ...request, body: example.change }, data: example.changed },
    },
    remove: {
      ...about,
      errors: errors.remove,
      summary: words.remove.summary,
      methods: ['DELETE'],
      permission: permissions.remove ?? permissions.write,
      input: {},
      run: ({ core, actor, record }) => moduleOf(core, spec).remove(actor as never, idOf(record)),
      reply: (isGone ? empty() : json({ message: words.remove.message ?? '' })) as AnyReply,
      example: { given, request },
    },
  }
}

type Value = string | number | boolean | null | undefined

/** The query of a list, its page aside: a search text and the resource's filters. */
export type ListQuery = { readonly search?: string } & { readonly [field: string]: Value | DayRange }

/** Descriptions of the timestamps that every record has. */
const TIMESTAMPS = new Map([
  ['createdAt', 'Criação'],
  ['updatedAt', 'Última alteração'],
])

/**
 * Returns the query fields of a resource's filters. A range of days has two: `created_at_start` and `created_at_end`.
 */
const filtersOf = ({ input, internal, filters = {} }: AnyCrud['resource']['spec'], side: Side): Fields => ({
  search: inQuery.text({ about: 'Texto procurado' }),
  ...Object.fromEntries(
    Object.entries(filters).flatMap(([field, kind]): readonly (readonly [string, AnyField])[] => {
      const own = input[field] ?? internal[field]
      if (kind === 'days' || kind === 'instants')
        return [[field, inQuery.range(side.nameOf(field), own?.about ?? TIMESTAMPS.get(field) ?? field)]]
      return own ? [[field, inQuery.any(own as Field<unknown>)]] : []
    }),
  ),
})

const isRange = (value: Value | DayRange): value is DayRange => typeof value === 'object' && value !== null

/** Converts a query to the filter of the list's use case. */
export const filterOf = ({ search, ...fields }: ListQuery): ResourceFilter => {
  const parts = Object.entries(fields)
  return {
    where: Object.fromEntries(parts.flatMap(([field, value]) => (isRange(value) ? [] : [[field, value]]))),
    within: Object.fromEntries(parts.flatMap(([field, value]) => (isRange(value) ? [[field, value]] : []))),
    ...(search !== undefined && { search }),
  }
}

const keysOf = ({ keys, resource }: AnyCrud) => keys ?? resource.spec
