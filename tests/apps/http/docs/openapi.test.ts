import { Validator } from '@seriousme/openapi-schema-validator'
import test from 'ava'
import { openApi } from '../../../../apps/http/docs/openapi.ts'
import type { ApiConfig } from '../../../../apps/http/rows/api.ts'
import type { Answer } from '../../rows/wire.ts'
import { toyApi } from '../toy-api.ts'
import { type Toy, toyRows } from '../toy-rows.ts'

const documentOf = (over: Partial<ApiConfig<Toy>> = {}): Answer['body'] =>
  JSON.parse(JSON.stringify(openApi({ ...toyApi().setup, ...over })))

const document = documentOf()
const { paths, components } = document

const operation = (path: string, method: string) => {
  const found = paths[path]?.[method]
  if (!found) throw new Error(`no ${method} ${path}`)
  return found
}
const operations = Object.values<object>(paths).flatMap((methods) => Object.values(methods))

const parameters = (path: string, method: string): Answer['body'][] =>
  operation(path, method).parameters.map(
    (each: Answer['body']) => components.parameters[`${each.$ref}`.split('/').at(-1) ?? ''] ?? each,
  )

test('is valid OpenAPI 3.1', async (t) => {
  const { valid, errors } = await new Validator().validate({ ...document })
  t.deepEqual([valid, errors], [true, undefined])
  t.is(document.openapi, '3.1.0')
  t.like(document.info, { title: 'Casa de brinquedo', description: 'Notas de brinquedo.', version: '1.2.3' })
  t.deepEqual(document.tags, [
    { name: 'Notas', description: 'O que se anota.' },
    { name: 'Público' },
    { name: 'Avisos' },
  ])
})

test('has one operation for each path and method, named after its row and the words in which it differs', (t) => {
  const places = toyRows.flatMap((row) => row.paths.flatMap(() => row.methods))
  t.is(operations.length, places.length)
  t.is(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  t.is(operation('/notes', 'get').operationId, 'notesList')
  t.is(operation('/legacy/notes', 'get').operationId, 'notesListLegacy')
  t.is(operation('/api/public/echo', 'post').operationId, 'openEchoApi')
  t.is(operation('/notes/{id}', 'patch').operationId, 'notesChangePatch')
})

test('throws for two operations with the same id', (t) => {
  const [row] = toyRows
  const paths = ['/notes', '/legacy/notes', '/notes/legacy']
  t.throws(() => documentOf({ rows: row ? [{ ...row, paths }] : [] }), {
    message: 'duplicate operation id notesListLegacy',
  })
})

test('parameters: path, query and headers', (t) => {
  const named = (path: string, method: string) => parameters(path, method).map((each) => `${each.in}:${each.name}`)
  t.deepEqual(named('/notes/{id}/file_{kind}.txt', 'get'), ['path:id', 'path:kind', 'header:X-Account'])
  t.deepEqual(named('/notes', 'get'), ['query:page', 'query:per_page', 'header:X-Account'])
  t.deepEqual(named('/notes', 'post'), ['header:X-Account', 'header:Idempotency-Key'])
  t.deepEqual(named('/public/echo', 'post'), ['query:times'])
  t.deepEqual(named('/import', 'post'), ['header:X-Account'])
  t.like(parameters('/notes/{id}', 'get')[0], { description: 'Identificador', example: '1' })
})

test('security: the scheme of the token, or none for a public route', (t) => {
  t.deepEqual(operation('/notes', 'get').security, [{ bearer: [] }])
  t.deepEqual(operation('/', 'get').security, [])
  t.deepEqual(components.securitySchemes, { bearer: { type: 'http', scheme: 'bearer' } })
})

test('bodies: types, schema and example; none for GET and DELETE', (t) => {
  t.deepEqual(Object.keys(operation('/import', 'post').requestBody.content), [
    'multipart/form-data',
    'application/json',
  ])
  t.deepEqual(Object.keys(operation('/public/form', 'post').requestBody.content), ['application/x-www-form-urlencoded'])
  t.true(operation('/notes', 'post').requestBody?.required)
  t.deepEqual(operation('/notes', 'post').requestBody?.content['application/json']?.example, {
    title: 'Primeira',
    value: 10.5,
  })
  t.is(operation('/notes/{id}', 'delete').requestBody, undefined)
  t.like(operation('/notes/{id}', 'put').requestBody?.content['application/json']?.schema, {
    allOf: [
      { properties: { value: { type: 'number' } } },
      { properties: { pin: { type: 'string' } }, required: ['pin'] },
    ],
  })
})

test('shares titled schemas, with a suffix in a dialect with other field names', (t) => {
  const note = { $ref: '#/components/schemas/Note' }
  const noteOfEstate = { $ref: '#/components/schemas/NoteEstate' }
  t.like(components.schemas, {
    Note: { type: 'object', required: ['id', 'title', 'value'] },
    NoteEstate: { type: 'object', required: ['id', 'title', 'value'] },
  })
  const schema = (path: string, method: string, status: string) =>
    operation(path, method).responses[status]?.content?.['application/json']?.schema
  t.like(schema('/notes', 'post', '201'), {
    type: 'object',
    required: ['code', 'success', 'data', 'message'],
    properties: { code: { type: 'integer', description: 'O status HTTP' }, data: note },
  })
  t.like(schema('/public/echo', 'post', '200'), { properties: { title: { type: 'string' } } })
  t.like(schema('/estate/notes', 'get', '200'), {
    properties: { data: { type: 'array', items: noteOfEstate }, totalPages: { type: 'integer' } },
  })
  t.like(schema('/notes', 'get', '200'), {
    anyOf: [{ properties: { notes: { type: 'array', items: note } } }, { properties: { meta: { type: 'object' } } }],
  })
  t.is(operation('/notes/{id}', 'delete').responses['204']?.content, undefined)
  t.truthy(operation('/notes/{id}/file_{kind}.txt', 'get').responses['200']?.content?.['text/plain; charset=utf-8'])
})

test('failures: each status with its codes and their messages', (t) => {
  const statuses = '201 400 401 403 404 409 413 415 422 500 503'
  t.is(Object.keys(operation('/notes', 'post').responses).join(' '), statuses)
  // The response to a malformed request is shared.
  t.deepEqual(Object.keys(operation('/', 'get').responses), ['200', '400', '500', '503'])
  t.deepEqual(operation('/', 'get').responses['400'], { $ref: '#/components/responses/Malformed.bare' })
  const { description, content } = operation('/notes', 'post').responses['403'] ?? {}
  t.is(
    description,
    'Acesso negado.\n- `permission.missing`: Permissão insuficiente.\n- `account.suspended`: Organização não está ativa.',
  )
  t.deepEqual(content?.['application/json']?.schema, {
    allOf: [
      { $ref: '#/components/schemas/Failure' },
      { type: 'object', properties: { error_code: { enum: ['permission.missing', 'account.suspended'] } } },
    ],
  })
  t.regex(operation('/fail/{how}', 'post').responses['418']?.description ?? '', /`toy.overridden`: Sou um bule\./)
  t.like(operation('/problem/{how}', 'post').responses['422']?.content?.['application/problem+json']?.schema, {
    allOf: [{ $ref: '#/components/schemas/EstateFailure' }, { properties: { code: { enum: ['fields'] } } }],
  })
  t.like(components.schemas, {
    Failure: {
      required: ['code', 'success', 'message', 'error_code'],
      properties: {
        errors: { additionalProperties: { type: 'array', items: { type: 'string' } } },
        error_codes: { additionalProperties: { items: { $ref: '#/components/schemas/FieldErrorCode' } } },
      },
    },
    EstateFailure: { properties: { errors: { type: 'array' } } },
    FieldErrorCode: { type: 'string' },
  })
})

test('headers of answers', (t) => {
  const headers = (path: string, method: string, status: string) =>
    Object.keys(operation(path, method).responses[status]?.headers ?? {})
  t.deepEqual(headers('/notes', 'post', '201'), ['X-Request-Id', 'Idempotent-Replayed', 'X-Ignored-Fields'])
  for (const status of ['200', '304']) t.deepEqual(headers('/notes', 'get', status), ['X-Request-Id', 'ETag'])
  t.deepEqual(headers('/notes', 'get', '401'), ['X-Request-Id', 'WWW-Authenticate'])
  t.deepEqual(headers('/notes', 'post', '409'), ['X-Request-Id', 'Retry-After', 'X-Ignored-Fields'])
  t.deepEqual(headers('/public/echo', 'post', '200'), ['X-Request-Id', 'X-Ignored-Fields', 'Deprecation', 'Link'])
  t.deepEqual(headers('/notes/{id}/file_{kind}.txt', 'get', '200'), ['X-Request-Id', 'Content-Disposition'])
  for (const name of headers('/notes', 'get', '503')) t.truthy(components.headers[name], name)
})

test('marks deprecated operations and names their replacement', (t) => {
  const { deprecated, description } = operation('/public/echo', 'post')
  t.true(deprecated)
  t.regex(description ?? '', /Obsoleta: use `\/notes`\.$/)
  t.is(operation('/notes', 'get').deprecated, undefined)
})

test('webhooks: payload and signature headers', (t) => {
  const { parameters: signed, requestBody } = document.webhooks['note.paid']?.post ?? {}
  const names = signed.map(({ $ref }: { $ref: string }) => $ref.replace('#/components/parameters/', ''))
  t.deepEqual(names, ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  t.like(requestBody?.content['application/json']?.schema, {
    allOf: [{ $ref: '#/components/schemas/NotePaid' }, { properties: { type: { enum: ['note.paid'] } } }],
  })
  t.false('webhooks' in documentOf({ docs: {} }))
})
