import test from 'ava'
import { mount } from '../../../../apps/http/mount.ts'
import { json } from '../../../../apps/http/replies/json-reply.ts'
import { bytes } from '../../../../apps/http/replies/raw-reply.ts'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { failure, left, right } from '../../../../core/failure.ts'
import { output, view } from '../../../../core/kernel/input/view.ts'
import type { UseCase } from '../../../../core/kernel/running/use-case.ts'
import { toyApi } from '../toy-api.ts'
import { route } from '../toy-rows.ts'

const giving =
  <V>(value: V): UseCase<V> =>
  async () =>
    right(value)

const failingAs =
  <const C extends string>(code: C): UseCase<{ readonly present: number }, C> =>
  async () =>
    left(failure('not-found', code))

const good = route({
  name: 'good',
  area: 'a',
  summary: 's',
  methods: ['POST'],
  paths: ['/good/:id'],
  dialect: 'v1',
  auth: 'user',
  run: () => async () => right(null),
  reply: json({}),
  example: { reply: null },
})

const refusalOf = (...rows: readonly AnyRow[]): string => {
  const { setup } = toyApi()
  try {
    mount({ ...setup, rows })
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

test('a server with contradictory rows does not start and lists the errors', (t) => {
  t.is(refusalOf(good), '')
  t.is(refusalOf(good, { ...good, paths: ['/other'] }), 'row good: duplicate name')
  t.is(refusalOf(good, { ...good, name: 'twin' }), 'row twin: twin and good both match POST /good/:')
  t.is(
    refusalOf(good, { ...good, name: 'b', methods: ['GET'], paths: ['/good/:code'] }),
    'row b: /good/:code and /good/:id both match /good/:',
  )
  t.is(refusalOf({ ...good, dialect: 'klingon' }), 'row good: unknown dialect klingon')
  t.is(refusalOf({ ...good, auth: 'window' }), 'row good: unknown auth scheme window')
  t.is(
    refusalOf({ ...good, auth: 'public', permission: 'notes:write' }),
    'row good: its auth scheme has no permissions',
  )
  t.is(refusalOf({ ...good, paths: [] }), 'row good: no method or no path')
  t.regex(
    refusalOf({ ...good, stages: ['input', 'record'] }),
    /^row good: stages must be each of context, permission, .* once$/,
  )
  const streaming = { ...good, reply: bytes<unknown>({ type: 'text/plain', chunks: async function* () {} }) }
  t.regex(refusalOf(streaming), /^row good: a stream cannot be stored for an idempotency key/)
  t.is(refusalOf({ ...streaming, key: false }), '')
  t.is(refusalOf({ ...streaming, methods: ['GET'] }), '')
})

test('a row that lacks a part or names an unknown one does not compile', (t) => {
  const { auth: _auth, ...withoutAuth } = typed
  const { reply: _reply, ...withoutReply } = typed
  // Compiled, but never called.
  const uncalled = () => {
    // @ts-expect-error auth is required
    route(withoutAuth)
    // @ts-expect-error reply is required
    route(withoutReply)
    // @ts-expect-error unknown auth scheme
    route({ ...typed, auth: 'window' })
    // @ts-expect-error unknown permission
    route({ ...typed, permission: 'notes:burn' })
    // @ts-expect-error unknown dialect
    route({ ...typed, dialect: 'klingon' })
    const failing = { ...typed, run: () => failingAs('note.unknown') }
    // @ts-expect-error errors lacks a code
    const silent: AnyRow = route(failing)
    // @ts-expect-error errors has a superfluous code
    const loud: AnyRow = route({ ...failing, errors: { 'note.unknown': {}, 'note.gone': {} } })
    const exact: AnyRow = route({ ...failing, errors: { 'note.unknown': { status: 410 } } })
    // @ts-expect-error the view does not fit the use case's result
    route({ ...typed, reply: json({ view: missingView }) })
    const open = { ...typed, auth: 'public', reply: json({}) } as const
    // @ts-expect-error a public route has no actor
    route({ ...open, run: ({ actor }) => giving(actor.name) })
    return [silent, loud, exact]
  }
  t.is(uncalled.length, 0)
})

const presentView = view(null, { present: output.count() }, (value: { readonly present: number }) => value)
const missingView = view(null, { missing: output.text() }, (value: { readonly missing: string }) => value)

const typed = {
  name: 'typed',
  area: 'a',
  summary: 's',
  methods: ['POST'],
  paths: ['/typed'],
  dialect: 'v1',
  auth: 'user',
  run: () => async () => right({ present: 1 }),
  reply: json({ view: presentView }),
  example: { reply: null },
} as const
