import { Validator } from '@seriousme/openapi-schema-validator'
import test from 'ava'
import { toyApi } from '../toy-api.ts'
import { toyRows } from '../toy-rows.ts'

const document = toyApi().mounted.document()
const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { example?: unknown }>>
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: unknown; example?: unknown }>> }>
  >
  readonly security: readonly unknown[]
  readonly deprecated?: boolean
  readonly description?: string
}

const operation = (path: string, method: string): Operation => {
  const found = paths[path]?.[method]
  if (!found) throw new Error(`no ${method} ${path}`)
  return found
}
const operations = Object.values(paths).flatMap((methods) => Object.values(methods))

test('the document is valid OpenAPI 3.1', async (t) => {
  const { valid, errors } = await new Validator().validate({ ...document })
  t.deepEqual([valid, errors], [true, undefined])
  t.is(document.openapi, '3.1.0')
})

test('every path and method of every row is an operation with an id of its own', (t) => {
  const places = toyRows.flatMap((row) => row.paths.flatMap(() => row.methods))
  t.is(operations.length, places.length)
  t.is(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  t.is(operation('/notes', 'get').operationId, 'notes.list')
  t.is(operation('/legacy/notes', 'get').operationId, 'notes.list.2')
  t.is(operation('/notes/{id}', 'patch').operationId, 'notes.change.2')
})

test('parameters: those of the path, of the query, and the key where it is honoured', (t) => {
  const named = (path: string, method: string) =>
    operation(path, method).parameters.map((each) => `${each.in}:${each.name}`)
  t.deepEqual(named('/notes/{id}/file_{kind}.txt', 'get'), ['path:id', 'path:kind'])
  t.deepEqual(named('/notes', 'get'), ['query:page', 'query:per_page'])
  t.deepEqual(named('/notes', 'post'), ['header:Idempotency-Key'])
  t.deepEqual(named('/public/echo', 'post'), ['query:times'])
  t.deepEqual(named('/import', 'post'), [])
})

test('security: the auth scheme’s own, or openly none', (t) => {
  t.deepEqual(operation('/notes', 'get').security, [{ user: [] }])
  t.deepEqual(operation('/', 'get').security, [])
  t.like(document.components, { securitySchemes: { user: { type: 'http', scheme: 'bearer' } } })
})

test('bodies: their kinds, schema and example; none for GET and DELETE', (t) => {
  t.deepEqual(Object.keys(operation('/import', 'post').requestBody?.content ?? {}), [
    'multipart/form-data',
    'application/json',
  ])
  t.deepEqual(Object.keys(operation('/public/form', 'post').requestBody?.content ?? {}), [
    'application/x-www-form-urlencoded',
  ])
  t.true(operation('/notes', 'post').requestBody?.required)
  t.deepEqual(operation('/notes', 'post').requestBody?.content['application/json']?.example, {
    title: 'Primeira',
    value: 10.5,
  })
  t.is(operation('/notes/{id}', 'delete').requestBody, undefined)
})

test('answers are wrapped as the row’s dialect wraps them', (t) => {
  const note = { type: 'object', required: ['id', 'title', 'value'] }
  const schema = (path: string, method: string, status: string) =>
    operation(path, method).responses[status]?.content?.['application/json']?.schema
  t.like(schema('/notes', 'post', '201'), {
    type: 'object',
    required: ['code', 'success', 'data', 'message'],
    properties: { code: { type: 'integer' }, data: note },
  })
  t.like(schema('/public/echo', 'post', '200'), { properties: { title: { type: 'string' } } })
  t.like(schema('/estate/notes', 'get', '200'), {
    properties: { data: { type: 'array', items: note }, totalPages: { type: 'integer' } },
  })
  t.like(schema('/notes', 'get', '200'), {
    anyOf: [{ properties: { notes: { type: 'array', items: note } } }, { properties: { meta: { type: 'object' } } }],
  })
  t.is(operation('/notes/{id}', 'delete').responses['204']?.content, undefined)
  t.truthy(operation('/notes/{id}/file_{kind}.txt', 'get').responses['200']?.content?.['text/plain; charset=utf-8'])
})

test('failures: the statuses that the row can have, in its dialect', (t) => {
  t.deepEqual(Object.keys(operation('/notes', 'post').responses), [
    '201',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '422',
    '500',
    '503',
  ])
  t.deepEqual(Object.keys(operation('/', 'get').responses), ['200', '500', '503'])
  t.true('418' in operation('/fail/{how}', 'post').responses)
  t.deepEqual(Object.keys(operation('/problem/{how}', 'post').responses['422']?.content ?? {}), [
    'application/problem+json',
  ])
  t.like(document.components, {
    schemas: {
      'failure.v1': {
        required: ['code', 'success', 'message'],
        properties: { errors: { additionalProperties: { type: 'array', items: { type: 'string' } } } },
      },
      'failure.estate': { properties: { errors: { type: 'array' } } },
    },
  })
})

test('deprecated rows say so and what to use instead', (t) => {
  t.like(operation('/public/echo', 'post'), { deprecated: true, description: 'Obsoleta: use `/notes`.' })
  t.is(operation('/notes', 'get').deprecated, undefined)
})
