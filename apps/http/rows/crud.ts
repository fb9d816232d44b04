import { isLeft, right } from '../../../core/fp.ts'
import type { AnyField, Field, Side } from '../../../core/kernel/input/field.ts'
import { type Input, input } from '../../../core/kernel/input/input.ts'
import { type DayRange, inQuery, paging } from '../../../core/kernel/input/query.ts'
import type { Fields } from '../../../core/kernel/input/table.ts'
import type { AnyView } from '../../../core/kernel/input/view.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { ResourceSpec } from '../../../core/kernel/resources/resource.ts'
import type { LookupBy, ResourceFilter } from '../../../core/kernel/resources/scope.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import type { Listing, Page } from '../../../core/kernel/values/page.ts'
import { type Dialect, queryOn } from '../replies/dialect.ts'
import { json, list, page } from '../replies/json-reply.ts'
import type { Wording } from '../replies/messages.ts'
import { empty } from '../replies/raw-reply.ts'
import type { AnyReply } from '../replies/reply.ts'
import type { AnyRow, ApiTypes, Example } from './row.ts'

/**
 * The members of a plain resource's module, of `update` and `replace` at least the one that its PUT does. Methods, because
 * methods take narrower parameters.
 */
export interface ResourceModule {
  create(actor: never, given: never): UseCase<unknown>
  /** A page; null where all of them are asked for, which is only where that is said to be so. */
  list(actor: never, page: never, filter?: ResourceFilter): UseCase<Listing<unknown>>
  read(actor: never, named: string, by?: LookupBy): UseCase<unknown>
  update?(actor: never, id: never, given: never): UseCase<unknown>
  replace?(actor: never, id: never, given: never): UseCase<unknown>
  remove(actor: never, id: never): UseCase<null>
}

export type ResourceModuleName<Core> = { [M in keyof Core]: Core[M] extends ResourceModule ? M : never }[keyof Core] &
  string

export const VERBS = ['list', 'create', 'show', 'update', 'remove'] as const
export type Verb = (typeof VERBS)[number]

/** How a verb is spoken of: what it does, what it says where its dialect does, and its status where that is not 200. */
interface VerbWords {
  readonly summary: string
  readonly message?: string
  readonly status?: number
}

/** A resource as one dialect has it: flat data. */
export interface Crud<H extends ApiTypes, M extends ResourceModuleName<H['core']>, R> {
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
  readonly words: { readonly [verb in Verb]: VerbWords } & { readonly missing: string }
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

/** The id of a record that is shown, as a path has it. */
const idIn = (shown: Json): string => `${Object(shown).id}`

/** Makes the rows of plain resources of an API: `const crud = crudOf<Payments>()(dialects)`. */
export const crudOf =
  <H extends ApiTypes>() =>
  (dialects: { readonly [D in H['dialect']]: Dialect }) =>
  <M extends ResourceModuleName<H['core']>, R>(spec: Crud<H, M, R>): readonly AnyRow[] => {
    const name: H['dialect'] = spec.dialect
    const rows = rowsOf(spec, dialects[name])
    return (spec.only ?? VERBS).map((verb) => {
      const own = spec.errors?.[verb] as AnyRow['errors']
      const errors = own || rows[verb].errors ? { errors: { ...rows[verb].errors, ...own } } : {}
      return { ...rows[verb], ...errors, name: `${spec.name ?? spec.module}.${verb}` }
    })
  }

type RowOf = { readonly [verb in Verb]: Omit<AnyRow, 'name'> }
type CrudWithView<R> = AnyCrud & { readonly view: AnyView<R> }

const rowsOf = <R>(spec: CrudWithView<R>, dialect: Dialect): RowOf => ({
  ...collectionRows(spec, dialect),
  ...recordRows(spec, dialect),
})

const moduleOf = (core: unknown, { module }: AnyCrud): ResourceModule =>
  (core as Readonly<Record<string, ResourceModule>>)[module] as ResourceModule

const commonParts = ({ area, dialect, auth, deprecated }: AnyCrud) => ({
  area,
  dialect,
  auth,
  ...(deprecated && { deprecated }),
})

/** What is asked of all of them: the list, and a new one. */
const collectionRows = <R>(spec: CrudWithView<R>, dialect: Dialect): Pick<RowOf, 'list' | 'create'> => {
  const { resource, view, words, example, permissions, unpaged } = spec
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
        const { page: number, perPage, ...asked } = query as Page & ListQuery
        const filter = filterOf(asked)
        return moduleOf(core, spec).list(actor as never, (isAll ? null : { page: number, perPage }) as never, filter)
      },
      reply: (unpaged ? list<R> : page<R>)({ ...words.list, key: many, view }) as AnyReply,
      example: { given: example.given, reply: exampleListReply(spec, dialect) },
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
      example: {
        given: example.begin,
        request: { body: example.sent },
        reply: exampleReply(spec, dialect, 'create', one, example.shown),
      },
    },
  }
}

/** What one can fail with whose unique texts somebody has. */
const takenErrors = ({ one, unique = [] }: AnyCrud['resource']['spec']): NonNullable<AnyRow['errors']> =>
  Object.fromEntries(unique.map((field) => [`${one}.${field}.taken`, {}]))

/** What each verb on one record can fail with. */
const recordErrors = ({ resource: { spec }, words }: AnyCrud) => {
  const { one, blockedBy = [] } = spec
  const show: NonNullable<AnyRow['errors']> = { [`${one}.unknown`]: { status: 404, message: words.missing } }
  const blocked = blockedBy.length > 0 ? { [`${one}.in-use`]: {} } : {}
  return { show, update: { ...show, ...takenErrors(spec) }, remove: { ...show, ...blocked } }
}

const returnRecord: AnyRow['run'] =
  ({ record }) =>
  async () =>
    right(record)

/** What is asked of one of them, by its id. */
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
  const exampleOf = (verb: Verb, body?: Json, shown = example.shown): Example => ({
    given: example.given,
    request: { params: { id: idIn(example.shown) }, ...(body !== undefined && { body }) },
    reply: exampleReply(spec, dialect, verb, one, shown),
  })
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
      example: exampleOf('show'),
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
        if (!change) throw new TypeError(`${spec.module} has nothing that ${put}`)
        return change(actor as never, idOf(record), body as never)
      },
      reply: json<R>({ ...words.update, key: one, view }) as AnyReply,
      example: exampleOf('update', example.change, changedExample(spec)),
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
      example: { ...exampleOf('remove'), reply: isGone ? null : exampleReply(spec, dialect, 'remove', null) },
    },
  }
}

type Value = string | number | boolean | null | undefined

/** What a list is asked for beside its page: a text to look for, and whatever filters it has. */
export type ListQuery = { readonly search?: string } & { readonly [field: string]: Value | DayRange }

/** What every record has the moments of. */
const TIMESTAMPS = new Map([
  ['createdAt', 'Criação'],
  ['updatedAt', 'Última alteração'],
])

/** The filters of a resource as a query says them: a range of days by its two ends, `created_at_start` and `created_at_end`. */
export const filtersOf = ({ input, internal, filters = {} }: AnyCrud['resource']['spec'], side: Side): Fields => ({
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

/** What was asked, as the use case of a list takes it. */
export const filterOf = ({ search, ...asked }: ListQuery): ResourceFilter => {
  const parts = Object.entries(asked)
  return {
    where: Object.fromEntries(parts.flatMap(([field, value]) => (isRange(value) ? [] : [[field, value]]))),
    within: Object.fromEntries(parts.flatMap(([field, value]) => (isRange(value) ? [[field, value]] : []))),
    ...(search !== undefined && { search }),
  }
}

/** What an envelope calls one, and many. */
export const keysOf = ({ keys, resource }: AnyCrud) => keys ?? resource.spec

type Names = Readonly<Record<string, Json>>

/** The example as it is shown once it was changed: what is sent otherwise than before, where it is shown at all. */
export const changedExample = ({ example: { sent, change, shown } }: AnyCrud): Json => {
  const [before, after] = [Object(sent) as Names, Object(shown) as Names]
  const isOther = ([name, value]: readonly [string, Json]): boolean =>
    Object.hasOwn(after, name) && JSON.stringify(value) !== JSON.stringify(before[name])
  return { ...after, ...Object.fromEntries(Object.entries(Object(change) as Names).filter(isOther)) }
}

/** A verb's answer as its dialect words it, for its example. */
export const exampleReply = (
  { words }: AnyCrud,
  dialect: Dialect,
  verb: Verb,
  key: string | null,
  data?: Json,
): Json => {
  const { status = 200, message = '' } = words[verb]
  return JSON.parse(JSON.stringify(dialect.ok({ status, key, data, message, more: {} })))
}

/** Which page is given to who names none. */
const defaultPage = ({ pages = paging, module }: AnyCrud, { side }: Dialect): Page => {
  const usual = pages.on(side).decode({})
  if (isLeft(usual)) throw new TypeError(`a list of ${module} cannot be asked for without a page`)
  return usual.right
}

/** A list of one, as its dialect words it: a page, where a list is always one. */
export const exampleListReply = (spec: AnyCrud, dialect: Dialect): Json => {
  const { words, example, unpaged } = spec
  const { many } = keysOf(spec)
  const { status = 200, message = '' } = words.list
  const data = [example.shown]
  if (unpaged) return exampleReply(spec, dialect, 'list', many, data)
  const { page: number, perPage } = defaultPage(spec, dialect)
  const counted = { page: { page: number, perPage, total: data.length }, meta: null }
  const success = { status, key: many, data, message, more: {}, ...counted }
  return JSON.parse(JSON.stringify(dialect.page(success)))
}
