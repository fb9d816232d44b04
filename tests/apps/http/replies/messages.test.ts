import { readdir, readFile } from 'node:fs/promises'
import test from 'ava'
import {
  messagesOf,
  SERVER_FAILURES,
  SERVER_ISSUES,
  type ServerFailure,
} from '../../../../apps/http/replies/messages.ts'
import { type Failure, failure, invalid, issue } from '../../../../core/failure.ts'

const messages = messagesOf({
  failures: {
    fields: { status: 400, message: 'Dados inválidos.' },
    'bank.refused': { status: 400, message: 'Recusado: {reason}' },
  },
  issues: { required: 'Falta {what}.' },
})

test('status and message come from the row, the code or the tag, in this order', (t) => {
  t.deepEqual(messages.textOf(failure('conflict', 'x')), {
    status: 409,
    message: 'A operação conflita com o estado atual do registro.',
    errors: null,
    hint: null,
  })
  t.like(messages.textOf(failure('refused', 'method.not-allowed')), { status: 405, message: 'Método não permitido.' })
  t.like(messages.textOf(invalid([])), { status: 400, message: 'Dados inválidos.' })
  const overrides = { fields: { status: 422 }, x: { message: 'Outra.' } }
  t.like(messages.textOf(invalid([]), overrides), { status: 422, message: 'Dados inválidos.' })
  t.like(messages.textOf(failure('gone', 'x'), overrides), { status: 410, message: 'Outra.' })
})

test('a resource adds its messages, which those of the app override', (t) => {
  const supplier = {
    unknown: { 'supplier.unknown': 'Fornecedor não encontrado.' },
    taken: { 'supplier.code.taken': 'Já existe.', 'supplier.name.taken': 'Já existe um nome.' },
  }
  const issues = { 'supplier.name.taken': 'Este nome já existe.' }
  const wrongField = messagesOf({ failures: {}, issues }).withResources([supplier])
  t.like(wrongField.textOf(failure('not-found', 'supplier.unknown')), { message: 'Fornecedor não encontrado.' })
  const taken = invalid([issue('code', 'supplier.code.taken'), issue('name', 'supplier.name.taken')])
  t.like(wrongField.textOf({ ...taken, code: 'supplier.code.taken' }), {
    status: 422,
    message: 'Os dados fornecidos são inválidos.',
    errors: {
      code: [{ code: 'supplier.code.taken', message: 'Já existe.' }],
      name: [{ code: 'supplier.name.taken', message: 'Este nome já existe.' }],
    },
  })
  const conflict = messagesOf({ failures: {}, issues, takenStatus: 409 }).withResources([supplier])
  t.deepEqual(conflict.codeDoc('supplier.code.taken'), {
    status: 409,
    code: 'supplier.code.taken',
    message: 'Já existe.',
  })
})

test('each tag has a status', (t) => {
  const retry = { retryAfterSeconds: 1 }
  const failures: readonly (readonly [Failure, number])[] = [
    [invalid([], 'x'), 422],
    [failure('unauthorized', 'x'), 401],
    [failure('forbidden', 'x'), 403],
    [failure('not-found', 'x'), 404],
    [failure('conflict', 'x'), 409],
    [failure('gone', 'x'), 410],
    [failure('refused', 'x'), 400],
    [{ tag: 'throttled', code: 'x', ...retry }, 429],
    [{ tag: 'unavailable', code: 'x', ...retry }, 503],
  ]
  for (const [each, status] of failures) {
    const text = messages.textOf(each)
    t.is(text.status, status)
    t.regex(text.message, /^[A-ZÁÉÍÓÚ].*\.$/)
  }
})

test('groups issues by path, in order, with their parameters', (t) => {
  const { errors } = messages.textOf(
    invalid([
      issue('a.0.b', 'text.max', { max: 5 }),
      issue('c', 'never-heard-of'),
      issue('a.0.b', 'email'),
      issue('__proto__', 'constructor'),
      issue('d', 'required'),
    ]),
  )
  t.deepEqual(Object.entries(errors ?? {}), [
    [
      'a.0.b',
      [
        { code: 'text.max', message: 'Deve ter no máximo 5 caracteres.' },
        { code: 'email', message: 'Deve ser um e-mail válido.' },
      ],
    ],
    ['c', [{ code: 'never-heard-of', message: 'Valor inválido.' }]],
    ['__proto__', [{ code: 'constructor', message: 'Valor inválido.' }]],
    ['d', [{ code: 'required', message: 'Falta {what}.' }]],
  ])
})

test('replaces only the parameters that a failure has', (t) => {
  t.is(
    messages.textOf({ tag: 'refused', code: 'bank.refused', reason: 'saldo {reason}' }).message,
    'Recusado: saldo {reason}',
  )
  t.is(messages.textOf(failure('refused', 'bank.refused')).message, 'Recusado: {reason}')
})

test('codeDoc returns the status, code and message of an answer', (t) => {
  t.deepEqual(messages.codeDoc('bank.refused'), { status: 400, code: 'bank.refused', message: 'Recusado: {reason}' })
  t.like(messages.codeDoc('bank.refused', { 'bank.refused': { status: 422 } }), { status: 422, code: 'bank.refused' })
  t.throws(() => messages.codeDoc('toString'), { message: 'no text for code toString' })
  t.true(messages.issueCodes.includes('required'))
})

const sourcesBelow = async (path: string): Promise<readonly string[]> => {
  const folder = new URL(path, import.meta.url)
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  return Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
}

test('every code of the codecs has a message, and every message a code', async (t) => {
  const sources = [
    ...(await sourcesBelow('../../../../core/kernel/')),
    ...(await sourcesBelow('../../../../apps/http/bodies/')).filter((source) => source.includes('imageFile')),
  ]
  const code = sources.join('\n').replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
  const codes = new Set(
    [
      ...code.matchAll(/(?:(?:reject|known|satisfying)\(\s*|issue\([^,()]+, |(?:return .*?)(?=.text\.))'([\w.-]+)'/g),
    ].map(([, name]) => name ?? ''),
  )
  t.true(codes.has('required') && codes.has('text.max') && codes.has('same-as'))
  const withoutMessage = [...codes].filter((code) => !Object.hasOwn(SERVER_ISSUES, code))
  t.deepEqual(withoutMessage, [])
  // Composed at run time: bounds of numbers, and timestamps, which are named after their type.
  const composed = ['integer', 'number', 'money'].flatMap((code) => [`${code}.min`, `${code}.max`])
  const unused = Object.keys(SERVER_ISSUES).filter((code) => !codes.has(code) && !composed.includes(code))
  t.deepEqual(unused.sort(), ['day', 'instant', 'month'])
})

test('every failure code of the server has a message, and every message is used', async (t) => {
  // @ts-expect-error: it has no message.
  const unknown: ServerFailure = failure('refused', 'never-heard-of')
  t.is(unknown.code as string, 'never-heard-of')
  const all = [...(await sourcesBelow('../../../../apps/http/')), ...(await sourcesBelow('../../../../core/'))]
  const sources = all.filter((text) => !text.includes('SERVER_FAILURES = {'))
  const used = Object.keys(SERVER_FAILURES).filter((code) => sources.some((text) => text.includes(`'${code}'`)))
  t.deepEqual(used, Object.keys(SERVER_FAILURES))
})

test('messages of the server are sentences', (t) => {
  const texts = [...Object.values(SERVER_FAILURES), ...Object.values(SERVER_ISSUES)]
  for (const entry of texts) {
    const text = typeof entry === 'string' ? entry : entry.message
    t.regex(text ?? '', /^[A-ZÁÉÍÓÚ].*\.$/)
  }
})
