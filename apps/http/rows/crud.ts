import { right } from '../../../core/fp.ts'
import { input } from '../../../core/kernel/input/input.ts'
import { paging } from '../../../core/kernel/input/query.ts'
import type { AnyView } from '../../../core/kernel/input/view.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { Page } from '../../../core/kernel/values/page.ts'
import { type Dialect, queryOn } from '../replies/dialect.ts'
import { json, list, page } from '../replies/json-reply.ts'
import { empty } from '../replies/raw-reply.ts'
import type { AnyReply } from '../replies/reply.ts'
import { changedExample, keysOf, worded, wordedList } from './crud-examples.ts'
import { filterOf, filtersOf, type Listed } from './crud-filters.ts'
import { type AnyCrud, type Crud, type Plain, type PlainModule, VERBS, type Verb } from './crud-spec.ts'
import type { AnyRow, ApiTypes, Example } from './row.ts'

/** The id of a record that is shown, as a path has it. */
const idIn = (shown: Json): string => `${Object(shown).id}`

/** Makes the rows of plain resources of an API: `const crud = crudOf<Payments>()(dialects)`. */
export const crudOf =
  <H extends ApiTypes>() =>
  (dialects: { readonly [D in H['dialect']]: Dialect }) =>
  <M extends PlainModule<H['core']>, R>(spec: Crud<H, M, R>): readonly AnyRow[] => {
    const name: H['dialect'] = spec.dialect
    const rows = rowsOf(spec, dialects[name])
    return (spec.only ?? VERBS).map((verb) => {
      const own = spec.errors?.[verb] as AnyRow['errors']
      const errors = own || rows[verb].errors ? { errors: { ...rows[verb].errors, ...own } } : {}
      return { ...rows[verb], ...errors, name: `${spec.name ?? spec.module}.${verb}` }
    })
  }

type RowOf = { readonly [verb in Verb]: Omit<AnyRow, 'name'> }
type Viewed<R> = AnyCrud & { readonly view: AnyView<R> }

const rowsOf = <R>(spec: Viewed<R>, dialect: Dialect): RowOf => ({
  ...collectionRows(spec, dialect),
  ...recordRows(spec, dialect),
})

const membersOf = (core: unknown, { module }: AnyCrud): Plain =>
  (core as Readonly<Record<string, Plain>>)[module] as Plain

const aboutOf = ({ area, dialect, auth, deprecated }: AnyCrud) => ({
  area,
  dialect,
  auth,
  ...(deprecated && { deprecated }),
})

/** What is asked of all of them: the list, and a new one. */
const collectionRows = <R>(spec: Viewed<R>, dialect: Dialect): Pick<RowOf, 'list' | 'create'> => {
  const { resource, view, words, example, permissions, unpaged } = spec
  const { one, many } = keysOf(spec)
  const about = { ...aboutOf(spec), paths: spec.paths }
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
        const { page: number, perPage, ...asked } = query as Page & Listed
        const filter = filterOf(asked)
        return membersOf(core, spec).list(actor as never, (isAll ? null : { page: number, perPage }) as never, filter)
      },
      reply: (unpaged ? list<R> : page<R>)({ ...words.list, key: many, view }) as AnyReply,
      example: { given: example.given, reply: wordedList(spec, dialect) },
    },
    create: {
      ...about,
      summary: words.create.summary,
      methods: ['POST'],
      permission: permissions.write,
      input: { body: resource.createInput.on(dialect.side) },
      run: ({ core, actor }, { body }) => membersOf(core, spec).create(actor as never, body as never),
      reply: json<R>({ ...words.create, key: one, view }) as AnyReply,
      errors: takenOf(resource.spec),
      example: {
        given: example.begin,
        request: { body: example.sent },
        reply: worded(spec, dialect, 'create', one, example.shown),
      },
    },
  }
}

/** What one can fail with whose unique texts somebody has. */
const takenOf = ({ one, unique = [] }: AnyCrud['resource']['spec']): NonNullable<AnyRow['errors']> =>
  Object.fromEntries(unique.map((field) => [`${one}.${field}.taken`, {}]))

/** What each verb on one record can fail with. */
const recordErrors = ({ resource: { spec }, words }: AnyCrud) => {
  const { one, blockedBy = [] } = spec
  const show: NonNullable<AnyRow['errors']> = { [`${one}.unknown`]: { status: 404, message: words.missing } }
  const blocked = blockedBy.length > 0 ? { [`${one}.in-use`]: {} } : {}
  return { show, update: { ...show, ...takenOf(spec) }, remove: { ...show, ...blocked } }
}

const asFound: AnyRow['run'] =
  ({ record }) =>
  async () =>
    right(record)

/** What is asked of one of them, by its id. */
const recordRows = <R>(spec: Viewed<R>, dialect: Dialect): Pick<RowOf, 'show' | 'update' | 'remove'> => {
  const { resource, view, words, example, permissions, put, patch = put === 'merges' } = spec
  const { one } = keysOf(spec)
  const errors = recordErrors(spec)
  const about: Pick<AnyRow, 'area' | 'dialect' | 'auth' | 'deprecated' | 'paths' | 'record' | 'errors'> = {
    ...aboutOf(spec),
    paths: spec.paths.map((path) => `${path}/:id`),
    record: ({ core, actor, request }) => membersOf(core, spec).read(actor as never, request.params.id ?? '', spec.by),
    errors: errors.show,
  }
  const idOf = (record: unknown) => (record as { readonly id: never }).id
  const exampleOf = (verb: Verb, body?: Json, shown = example.shown): Example => ({
    given: example.given,
    request: { params: { id: idIn(example.shown) }, ...(body !== undefined && { body }) },
    reply: worded(spec, dialect, verb, one, shown),
  })
  const isGone = words.remove.status === 204
  return {
    show: {
      ...about,
      summary: words.show.summary,
      methods: ['GET'],
      permission: permissions.read,
      input: {},
      run: asFound,
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
        const { update, replace } = membersOf(core, spec)
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
      run: ({ core, actor, record }) => membersOf(core, spec).remove(actor as never, idOf(record)),
      reply: (isGone ? empty() : json({ message: words.remove.message ?? '' })) as AnyReply,
      example: { ...exampleOf('remove'), reply: isGone ? null : worded(spec, dialect, 'remove', null) },
    },
  }
}
