import { json, list, page } from '../../../apps/http/replies/json-reply.ts'
import { bytes, empty, text as textReply } from '../../../apps/http/replies/raw-reply.ts'
import { type AnyRow, type Method, rowOf } from '../../../apps/http/rows/row.ts'
import { dialects as payments } from '../../../apps/payments/dialects.ts'
import { dialects as estate } from '../../../apps/real-estate/dialects.ts'
import { type Failure, failure, left, right } from '../../../core/failure.ts'
import { anyField, optional } from '../../../core/kernel/input/field.ts'
import { input } from '../../../core/kernel/input/input.ts'
import { inQuery } from '../../../core/kernel/input/query.ts'
import { integer, money, oneOf, secret, text } from '../../../core/kernel/input/scalars.ts'
import { output, view } from '../../../core/kernel/input/view.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Note, Paid, ToyCore, User } from './toy-core.ts'

export interface Toy {
  readonly core: ToyCore
  readonly principals: { readonly public: null; readonly user: User }
  readonly permission: 'notes:write'
  readonly dialect: 'v1' | 'bare' | 'estate'
  readonly code: string
}

/** The dialects of the toy API. */
export const toyDialects = { v1: payments.v1, bare: payments.bare, estate: estate.estate }

/** Builds rows of the toy API. */
export const route = rowOf<Toy>()(toyDialects)

export const noteView = view(
  'Note',
  { id: output.count(), title: output.text(), cents: output.money({ wire: 'value' }) },
  (note: Note) => note,
)
const paidView = view(null, { id: output.text(), status: output.text() }, (paid: Paid) => paid)
const foundView = view(null, { found: oneOf(['search']) }, (search: { readonly found: 'search' }) => search)
const titleView = view(null, { title: output.text() }, (titled: { readonly title: string }) => titled)
interface Imported {
  readonly title: string
  readonly bytes: number
  readonly type: string
  readonly name: string
}
const importView = view(
  null,
  { title: output.text(), bytes: output.count(), type: output.text(), name: output.text() },
  (imported: Imported) => imported,
)
const nothingView = view(null, {}, () => ({}))
const NOTE = { id: 1, title: 'Primeira', value: 10.5 }
const WORDED = { code: 200, success: true, data: NOTE, message: 'ok' }
const giving =
  <V>(value: V): UseCase<V> =>
  async () =>
    right(value)
const failing =
  (why: Failure): UseCase<null> =>
  async () =>
    left(why)
const pinOf = (sent: unknown): unknown =>
  typeof sent === 'object' && sent !== null && 'pin' in sent ? sent.pin : undefined

/** Checks the PIN before the rest of the body. */
const pinGate = {
  fields: { pin: secret() },
  pass: (_: unknown, sent: unknown) =>
    pinOf(sent) === '1234' ? giving(null) : failing(failure('forbidden', 'pin.wrong')),
}

const idOf = (text: string | undefined) => (text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0)

interface Asked {
  readonly core: ToyCore
  readonly actor: User
  readonly request: { readonly params: Readonly<Record<string, string>> }
}

const recordOf = ({ core, actor, request }: Asked) => core.find(actor.name, idOf(request.params.id))

const noteFields = { title: text({ max: 20 }), value: money({ minCents: 1 }) }

const NOTES = { area: 'Notas', dialect: 'v1', auth: 'user' } as const
const OPEN = { area: 'Público', dialect: 'bare', auth: 'public' } as const

/** The name, summary and place of a row. */
const at = (name: string, summary: string, methods: readonly Method[], ...paths: readonly string[]) => ({
  name,
  summary,
  methods,
  paths,
})

export const toyRows: readonly AnyRow[] = [
  route({
    ...at('notes.list', 'Lista as notas', ['GET'], '/notes', '/legacy/notes'),
    ...NOTES,
    input: {
      query: input(null, {
        page: optional(inQuery.integer({ min: 1 })),
        per_page: inQuery.integer({ min: 1, max: 500 }),
      }),
    },
    run: ({ core, actor }, { query: { page: number, per_page: perPage = 15 } }) =>
      number === undefined ? core.scan(actor.name) : core.list(actor.name, { page: number, perPage }),
    reply: list({ key: 'notes', view: noteView }),
    example: { reply: { code: 200, success: true, notes: [NOTE], message: 'ok' } },
  }),
  route({
    ...at('notes.page', 'Lista as notas por página', ['GET'], '/estate/notes'),
    ...NOTES,
    dialect: 'estate',
    input: { query: input(null, { page: inQuery.page(), pageSize: inQuery.perPage({ default: 20, max: 100 }) }) },
    run: ({ core, actor }, { query: { page: number, pageSize } }) =>
      core.list(actor.name, { page: number, perPage: pageSize }),
    reply: page({ view: noteView }),
    example: {
      reply: { data: [NOTE], page: 1, pageSize: 20, total: 1, totalPages: 1, hasNext: false, hasPrevious: false },
    },
  }),
  route({
    ...at('notes.read', 'Mostra uma nota', ['GET'], '/notes/:id', '/estate/notes/:id'),
    ...NOTES,
    record: recordOf,
    run: ({ record }) => giving(record),
    reply: json({ view: noteView, message: 'ok' }),
    example: { given: 'aNote', request: { params: { id: '1' } }, reply: WORDED },
  }),
  route({
    ...at('notes.add', 'Cria uma nota', ['POST'], '/notes'),
    ...NOTES,
    permission: 'notes:write',
    input: { body: input(null, noteFields) },
    run: ({ core, actor }, { body: { title, value } }) => core.add(actor.name, { title, cents: value }),
    reply: json({
      status: 201,
      view: noteView,
      message: 'Nota criada.',
      headers: ({ id }: Note) => ({ Location: `/notes/${id}` }),
    }),
    errors: { 'title.taken': {} },
    example: { request: { body: { title: 'Primeira', value: 10.5 } }, reply: { ...WORDED, code: 201 } },
  }),
  route({
    ...at('notes.change', 'Altera uma nota', ['PUT', 'PATCH'], '/notes/:id'),
    ...NOTES,
    permission: 'notes:write',
    record: recordOf,
    precondition: pinGate,
    input: { body: input(null, { value: money(), pin: secret() }) },
    run: ({ core, record }, { body: { value } }) => core.change(record, value),
    reply: json({ view: noteView }),
    example: { given: 'aNote', request: { params: { id: '1' }, body: { value: 2, pin: '1234' } }, reply: WORDED },
  }),
  route({
    ...at('notes.change-otherwise', 'Altera uma nota, na ordem dos saques', ['PUT'], '/withdrawn/:id'),
    ...NOTES,
    permission: 'notes:write',
    stages: ['context', 'permission', 'key', 'input', 'accountWritable', 'precondition', 'record'],
    record: recordOf,
    precondition: pinGate,
    input: { body: input(null, { value: money(), pin: secret() }) },
    run: ({ core, record }, { body: { value } }) => core.change(record, value),
    reply: json({ view: noteView }),
    example: { given: 'aNote', request: { params: { id: '1' }, body: { value: 2, pin: '1234' } }, reply: WORDED },
  }),
  route({
    ...at('notes.remove', 'Apaga uma nota', ['DELETE'], '/notes/:id'),
    ...NOTES,
    record: recordOf,
    run: ({ core, record }) => core.remove(record),
    reply: empty(),
    errors: { 'note.unknown': {} },
    example: { given: 'aNote', request: { params: { id: '1' } }, reply: null },
  }),
  route({
    ...at('notes.pay', 'Paga uma nota', ['POST'], '/notes/:id/pay'),
    ...NOTES,
    record: recordOf,
    run: ({ core, record }) => core.pay(record),
    resume: ({ core }, intent) => core.paid(intent),
    reply: json({ view: paidView }),
    example: {
      given: 'aNote',
      request: { params: { id: '1' } },
      reply: { ...WORDED, data: { id: 'x', status: 'paid' } },
    },
  }),
  route({
    ...at('notes.search', 'Uma rota fixa ao lado de uma com parâmetro', ['GET'], '/notes/search'),
    ...NOTES,
    dialect: 'bare',
    run: () => giving({ found: 'search' as const }),
    reply: json({ view: foundView }),
    example: { reply: { found: 'search' } },
  }),
  route({
    ...at('notes.file', 'Baixa uma nota', ['GET'], '/notes/:id/file_:kind.txt'),
    ...NOTES,
    record: recordOf,
    run: ({ record, request }) => giving({ title: record.title, kind: request.params.kind ?? '' }),
    reply: bytes<{ readonly title: string; readonly kind: string }>({
      type: 'text/plain; charset=utf-8',
      fileName: ({ title }) => `nota ${title}.txt`,
      async *chunks({ title, kind }) {
        if (kind === 'broken') throw new Error('the printer is out of paper')
        yield new TextEncoder().encode(title)
        yield new TextEncoder().encode(`|${kind}`)
        if (kind === 'half') throw new Error('the printer broke down')
      },
    }),
    example: { given: 'aNote', request: { params: { id: '1', kind: 'a' } }, reply: 'Primeira|a' },
  }),
  route({
    ...at('notes.import', 'Recebe um formulário com arquivo', ['POST'], '/import'),
    ...NOTES,
    key: false,
    body: { kinds: ['multipart', 'json'], limits: { json: 200_000, multipart: 200_000 } },
    input: { body: input(null, { title: text({ max: 20 }), file: optional(anyUpload()) }) },
    run: (_, { body: { title, file } }) =>
      giving({ title, bytes: file?.bytes.length ?? 0, type: file?.contentType ?? '', name: file?.fileName ?? '' }),
    reply: json({ view: importView }),
    example: { request: { body: { title: 'a' } }, reply: WORDED },
  }),
  route({
    ...at('open.echo', 'Repete o que recebe', ['POST'], '/public/echo', '/api/public/echo'),
    ...OPEN,
    deprecated: { use: '/notes' },
    input: {
      query: input(null, { times: inQuery.integer({ min: 1, max: 3 }) }),
      body: input(null, { ...noteFields, count: optional(integer()) }),
    },
    run: (_, { body: { title }, query: { times = 1 } }) => giving({ title: title.repeat(times) }),
    reply: json({ view: titleView }),
    example: { request: { body: { title: 'a', value: 1 } }, reply: { title: 'a' } },
  }),
  route({
    ...at('open.form', 'Repete o que uma página envia', ['POST'], '/public/form'),
    ...OPEN,
    body: { kinds: ['form'] },
    input: { body: input(null, { title: text({ max: 20 }), more: optional(text({ max: 100_000 })) }) },
    run: (_, { body: { title } }) => giving({ title }),
    reply: json({ view: titleView }),
    example: { request: { body: { title: 'a' } }, reply: { title: 'a' } },
  }),
  route({
    ...at('open.ok', 'Texto puro', ['GET'], '/'),
    ...OPEN,
    run: () => giving('ok'),
    reply: textReply({ view: (got: string) => got }),
    example: { reply: 'ok' },
  }),
  route({
    ...at('open.fail', 'Falha do jeito pedido', ['POST'], '/fail/:how', '/estate/fail/:how'),
    ...OPEN,
    dialect: 'v1',
    errors: { 'toy.overridden': { status: 418, message: 'Sou um bule.' } },
    run: ({ request }) => failingAs(request.params.how ?? ''),
    reply: json({ view: nothingView }),
    example: { request: { params: { how: 'boom' } }, reply: WORDED },
  }),
  route({
    ...at('open.problem', 'Falha no dialeto da imobiliária', ['POST'], '/problem/:how'),
    ...OPEN,
    dialect: 'estate',
    input: { body: input(null, { title: optional(text({ max: 3 })) }) },
    run: ({ request }) => failingAs(request.params.how ?? ''),
    reply: json({ view: nothingView }),
    example: { request: { params: { how: 'boom' } }, reply: null },
  }),
]

const FAILURES: Readonly<Record<string, Failure>> = {
  overridden: failure('conflict', 'toy.overridden'),
  unheard: failure('gone', 'toy.unheard-of'),
  constructor: failure('conflict', 'constructor'),
  throttled: { tag: 'throttled', code: 'toy.throttled', retryAfterSeconds: 7 },
  refused: { tag: 'refused', code: 'bank.refused', reason: 'sem saldo' },
}

const failingAs = (how: string): UseCase<null> => {
  if (how === 'away') throw new StoreUnavailable('mongodb://user:password@host is away')
  if (how === 'late') return () => Promise.reject(new StoreUnavailable('gone'))
  const known = FAILURES[how]
  if (known && Object.hasOwn(FAILURES, how)) return failing(known)
  throw new Error('secret internals')
}

interface Sent {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly fileName: string
}

function anyUpload() {
  const isUpload = (value: unknown): value is Sent =>
    typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array
  return anyField<Sent, Sent, 'toy.file'>({
    name: 'file',
    schema: { type: 'string', format: 'binary' },
    is: isUpload,
    read: (value) => (isUpload(value) ? right(value) : left([{ path: '', code: 'toy.file' }])),
  })
}
