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

test('a status comes from the row, else the code, else the tag; so do words', (t) => {
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
    const said = messages.textOf(each)
    t.is(said.status, status)
    t.regex(said.message, /^[A-ZÁÉÍÓÚ].*\.$/)
  }
})

test('issues are gathered by path, in order, with their numbers', (t) => {
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

test('the params of a failure fill its text, and only its own', (t) => {
  t.is(
    messages.textOf({ tag: 'refused', code: 'bank.refused', reason: 'saldo {reason}' }).message,
    'Recusado: saldo {reason}',
  )
  t.is(messages.textOf(failure('refused', 'bank.refused')).message, 'Recusado: {reason}')
})

test('the documentation is told what a caller would be: of a code at 422 that fields have, that they are named', (t) => {
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

test('every rule of the codecs has words, and no words are without a rule', async (t) => {
  const sources = [
    ...(await sourcesBelow('../../../../core/kernel/')),
    ...(await sourcesBelow('../../../../apps/http/fields/')),
  ]
  const said = sources.join('\n').replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
  const codes = new Set(
    [...said.matchAll(/(?:reject|known|satisfying)\(\s*'([\w.-]+)'|issue\([^,()]+, '([\w.-]+)'/g)].map(
      ([, a, b]) => a ?? b ?? '',
    ),
  )
  t.true(codes.has('required') && codes.has('text.max') && codes.has('same-as'))
  const unsaid = [...codes].filter((code) => !Object.hasOwn(SERVER_ISSUES, code))
  t.deepEqual(unsaid, [])
  // Those put together at run time: bounds of numbers, and moments named after their field.
  const composed = ['integer', 'number', 'money'].flatMap((code) => [`${code}.min`, `${code}.max`])
  const idle = Object.keys(SERVER_ISSUES).filter((code) => !codes.has(code) && !composed.includes(code))
  t.deepEqual(idle.sort(), ['day', 'instant', 'month'])
})

test('a server fails with nothing that has no words, and no words are for nothing', async (t) => {
  // @ts-expect-error: it has no words.
  const wordless: ServerFailure = failure('refused', 'never-heard-of')
  t.is(wordless.code as string, 'never-heard-of')
  const said = [...(await sourcesBelow('../../../../apps/http/')), ...(await sourcesBelow('../../../../core/'))]
  const sources = said.filter((text) => !text.includes('SERVER_FAILURES = {'))
  const made = Object.keys(SERVER_FAILURES).filter((code) => sources.some((text) => text.includes(`'${code}'`)))
  t.deepEqual(made, Object.keys(SERVER_FAILURES))
})

test('the server’s own words are sentences', (t) => {
  const texts = [...Object.values(SERVER_FAILURES), ...Object.values(SERVER_ISSUES)]
  for (const entry of texts) {
    const text = typeof entry === 'string' ? entry : entry.message
    t.regex(text ?? '', /^[A-ZÁÉÍÓÚ].*\.$/)
  }
})
