import test, { type ExecutionContext } from 'ava'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { mount } from '../../../../apps/http/mount.ts'
import { messagesOf } from '../../../../apps/http/replies/messages.ts'
import type { AuthScheme } from '../../../../apps/http/rows/api.ts'
import { crudOf } from '../../../../apps/http/rows/crud.ts'
import type { ApiTypes } from '../../../../apps/http/rows/row.ts'
import { serve } from '../../../../apps/http/server.ts'
import { dialects } from '../../../../apps/real-estate/dialects.ts'
import { failure, left, right } from '../../../../core/failure.ts'
import { input } from '../../../../core/kernel/input/input.ts'
import { inQuery } from '../../../../core/kernel/input/query.ts'
import { plainUseCases } from '../../../../core/kernel/resources/plain-use-cases.ts'
import { idempotencyKeys } from '../../../../core/office/idempotency-keys.ts'
import { agencyCollections, broker, property, propertyView } from '../../../core/kernel/resources/agency.ts'
import { openPayments } from '../../../core/payments/world.ts'
import { toyApi } from '../toy-api.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'

interface Member {
  readonly companyId: string
}

interface Agency extends ApiTypes {
  readonly core: ReturnType<typeof coreOf>
  readonly principals: { readonly member: Member }
  readonly permission: 'properties:read' | 'properties:write'
  readonly dialect: 'estate'
  readonly code: 'property.code.taken' | 'property.in-use' | 'property.unknown'
}

const coreOf = (ports: Parameters<ReturnType<typeof plainUseCases>>[0]) => ({
  brokers: plainUseCases(broker)(ports),
  properties: plainUseCases(property)(ports),
})

/** A token is a company. */
const member: AuthScheme<Member, 'properties:read' | 'properties:write'> = {
  security: { bearer: { type: 'http', scheme: 'bearer' } },
  about: 'Quem trabalha na imobiliária.',
  async authenticate(request) {
    const [, token] = /^Bearer (.+)$/.exec(request.header('Authorization') ?? '') ?? []
    if (token === undefined) return left(failure('unauthorized', 'token.missing'))
    return right({ companyId: token })
  },
  permits: () => null,
}

const MOMENT = '2026-11-21T13:05:09.000Z'

const crud = crudOf<Agency>()(dialects, {
  words: {
    list: { summary: 'Lista {os} {many}', message: '' },
    create: { summary: 'Cria {um} {one}', message: '', status: 201 },
    show: { summary: 'Mostra {um} {one}', message: '' },
    update: { summary: 'Substitui {um} {one}', message: '' },
    remove: { summary: 'Remove {um} {one}', message: '', status: 204 },
  },
  begin: 'company',
  common: { id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10', createdAt: MOMENT, updatedAt: MOMENT },
})
const propertiesCrud = {
  module: 'properties',
  resource: property,
  view: propertyView,
  area: 'Imóveis',
  paths: ['/api/properties'],
  dialect: 'estate',
  auth: 'member',
  permissions: { read: 'properties:read', write: 'properties:write' },
  put: 'replaces',
  unpaged: false,
  filtered: true,
  pages: input(null, { page: inQuery.page(), perPage: inQuery.perPage({ wire: 'pageSize', default: 20, max: 100 }) }),
  noun: { one: 'imóvel', many: 'imóveis', gender: 'm' },
  example: { sample: { code: 'C-1', purpose: 'Lease', rentCents: 150_000 }, change: { purpose: 'Sale' } },
} as const
const rows = crud(propertiesCrud)

const open = async (t: ExecutionContext, served = rows) => {
  const { setup } = toyApi()
  const store = memoryStore([...agencyCollections, idempotencyKeys])
  const core = coreOf({ ...openPayments().ports, store })
  const messages = messagesOf({
    failures: { 'property.in-use': { status: 400, message: 'O imóvel tem visitas.' } },
    issues: {},
    takenStatus: 409,
  })
  const api = mount({
    ...setup,
    core,
    store,
    rows: served,
    dialects,
    messages,
    authSchemes: { member },
    defaultDialect: 'estate',
  })
  const serving = await serve(api, { host: '127.0.0.1', port: 0, timeouts: { lingerMs: 0 } })
  t.teardown(() => serving.stop())
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(serving.url + path, {
      method,
      headers: {
        authorization: `Bearer ${COMPANY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  return { ask }
}

const HOUSE = { code: 'C-1', purpose: 'Lease', rentPrice: 1500.5 }
const ALL = '/api/properties'

test('reads a record by the field that the row names: its id, or its code', async (t) => {
  const asked: unknown[] = []
  const read = (_: unknown, ...named: readonly unknown[]) => {
    asked.push(named)
    return async () => right(null)
  }
  for (const by of [undefined, 'either'] as const) {
    const [show] = crud({ ...propertiesCrud, only: ['show'], ...(by && { by }) })
    const call = { core: { properties: { read } }, actor: null, request: { params: { id: 'x1' } } }
    await show?.record?.(call as never)()
  }
  t.deepEqual(asked, [
    ['x1', undefined],
    ['x1', 'either'],
  ])
})

test('a plain resource has five routes', async (t) => {
  t.deepEqual(
    rows.map(({ name, methods, paths }) => [name, methods.join(), paths.join()]),
    [
      ['properties.list', 'GET', ALL],
      ['properties.create', 'POST', ALL],
      ['properties.show', 'GET', `${ALL}/:id`],
      ['properties.update', 'PUT', `${ALL}/:id`],
      ['properties.remove', 'DELETE', `${ALL}/:id`],
    ],
  )
  const { ask } = await open(t)
  const created = await ask('POST', ALL, HOUSE)
  t.is(created.status, 201)
  const listed = await ask('GET', ALL)
  t.deepEqual(Object.keys(rows[0]?.example.reply as object), Object.keys(listed.body))
  const { id, createdAt, ...rest } = created.body
  t.deepEqual(rest, { ...HOUSE, brokerId: null, status: 'Available' })
  t.regex(createdAt, /-03:00$/)
  t.deepEqual(await ask('GET', `${ALL}/${id}`), { status: 200, body: created.body })
  t.like(await ask('PUT', `${ALL}/${id}`, { code: 'C-2', purpose: 'Sale' }), {
    status: 200,
    body: { id, code: 'C-2', rentPrice: null },
  })
  t.deepEqual(await ask('DELETE', `${ALL}/${id}`), { status: 204, body: null })
  for (const method of ['GET', 'DELETE'])
    t.like(await ask(method, `${ALL}/${id}`), { status: 404, body: { detail: 'Imóvel não encontrado.' } })
})

test('examples are those of the sample, in the names and values of the dialect', (t) => {
  const [, create, show, update] = rows
  const sent = { code: 'C-1', purpose: 'Lease', rentPrice: 1500 }
  const id = '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10'
  const shown = { id, ...sent, brokerId: null, status: 'Available', createdAt: '2026-11-21T10:05:09-03:00' }
  t.deepEqual(create?.example, { given: 'company', request: { body: sent }, reply: shown })
  t.deepEqual(show?.example, { given: 'property', request: { params: { id } }, reply: shown })
  t.deepEqual(update?.example.request?.body, { ...sent, purpose: 'Sale' })
  t.deepEqual(update?.example.reply, { ...shown, purpose: 'Sale' })
  const wrong = { ...propertiesCrud, example: { sample: { code: '' } } }
  t.throws(() => crud(wrong), { message: 'sample of property: code required,purpose required' })
})

test('a resource in a second dialect has its own row names, paths and keys', async (t) => {
  const older = crud({
    ...propertiesCrud,
    name: 'old-properties',
    paths: ['/api/houses', '/api/v0/houses'],
    deprecated: { use: ALL },
    keys: { one: 'data', many: 'data' },
  })
  t.deepEqual(
    older.map(({ name, paths, deprecated }) => [name, paths[1], deprecated?.use]),
    ['list', 'create', 'show', 'update', 'remove'].map((verb, index) => [
      `old-properties.${verb}`,
      index < 2 ? '/api/v0/houses' : '/api/v0/houses/:id',
      ALL,
    ]),
  )
  t.deepEqual(
    older.map(({ reply }) => reply.doc.key),
    ['data', 'data', 'data', 'data', null],
  )
  const { ask } = await open(t, [...rows, ...older])
  const { body } = await ask('POST', '/api/v0/houses', HOUSE)
  t.deepEqual(await ask('GET', `${ALL}/${body.id}`), { status: 200, body })
})

test('lists have the paging parameters of the dialect and the filters of the resource', async (t) => {
  const { ask } = await open(t)
  for (const code of ['C-1', 'C-2', 'D-3']) await ask('POST', ALL, { ...HOUSE, code })
  const counts = { page: 1, pageSize: 2, total: 3, totalPages: 2, hasNext: true, hasPrevious: false }
  t.like((await ask('GET', `${ALL}?pageSize=2`)).body, counts)
  t.like((await ask('GET', ALL)).body, { pageSize: 20, total: 3 })
  t.like((await ask('GET', `${ALL}?search=c-&purpose=Lease`)).body, { total: 2 })
  t.like((await ask('GET', `${ALL}?purpose=Sale`)).body, { total: 0, data: [] })
  const wrong = await ask('GET', `${ALL}?purpose=lease&pageSize=0&brokerId=7`)
  t.deepEqual(
    [wrong.status, wrong.body.errors.map(({ field }: { field: string }) => field)],
    [422, ['pageSize', 'purpose', 'brokerId']],
  )
})
