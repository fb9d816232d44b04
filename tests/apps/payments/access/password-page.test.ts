import test, { type ExecutionContext } from 'ava'
import { anyDocument } from '../../../core/payments/world.ts'
import { given } from '../given/given.ts'
import { type Answer, openTestApi, PASSWORD } from '../test-api.ts'

const open = async (t: ExecutionContext) => {
  const api = await openTestApi(t)
  const post = (fields: Record<string, string>) =>
    api.ask('POST', '/password', {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const save = (token: string, password = PASSWORD, repeated = password) =>
    post({ token, password, password_confirmation: repeated })
  const page = (token: string) => api.ask('GET', `/password?${new URLSearchParams({ token })}`)
  /** Returns the e-mail and the mailed token of a user whose registration was approved. */
  const approved = async () => {
    const body = { name: 'Maria', email: `m${anyDocument()}@example.com`, document: anyDocument(), address: 'Rua A, 1' }
    const { data } = (await api.ask('POST', '/access/register', { body })).body
    await api.drain()
    const textTo = () => api.mailer.sent.findLast(({ to }) => to === body.email)?.text ?? ''
    const pair = { document: body.document, register_id: data.id }
    await api.ask('POST', '/access/register/verify', { body: { ...pair, code: /^[A-Z]{4}$/m.exec(textTo())?.[0] } })
    const form = new FormData()
    for (const [name, value] of Object.entries(pair)) form.append(name, `${value}`)
    for (const name of ['image01', 'image02']) form.append(name, new File([DOT], 'a.png'))
    await fetch(`${api.url}/access/register/images`, { method: 'POST', body: form })
    await api.drain()
    return { email: body.email, token: /password\?token=(\w+)/.exec(textTo())?.[1] ?? '' }
  }
  const login = (email: string, password: string) =>
    api.ask('POST', '/access/auth/login', { body: { email, password } })
  return { ...api, post, save, page, approved, login }
}

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const alertIn = ({ text }: Answer) => /role="alert"><p>([^<]*)/.exec(text)?.[1] ?? null
const hiddenIn = ({ text }: Answer) => /name="token" value="([^"]*)"/.exec(text)?.[1] ?? null
const errorOf = (field: string, { text }: Answer) => new RegExp(`id="${field}-error">([^<]*)`).exec(text)?.[1] ?? null
const inputOf = (field: string, { text }: Answer) => new RegExp(`<input id="${field}"[^>]*>`, 's').exec(text)?.[0] ?? ''
const DEAD = /não vale mais/

test('sets the first password once on the page behind the link', async (t) => {
  const { approved, page, save, login, clock } = await open(t)
  const { email, token } = await approved()
  const shown = await page(token)
  t.is(shown.status, 200)
  t.is(hiddenIn(shown), token)
  t.is(alertIn(shown), null)
  clock.advance(7 * 24 * 3_600 - 1)
  const saved = await save(token)
  t.is(saved.status, 200)
  t.regex(saved.text, /Senha salva/)
  t.notRegex(saved.text, /<form/)
  t.is((await login(email, PASSWORD)).status, 200)
  const again = await save(token, 'outra senha')
  t.is(again.status, 422)
  t.regex(alertIn(again) ?? '', DEAD)
  t.is(hiddenIn(again), token)
  t.is((await login(email, 'outra senha')).status, 401)
})

test('rejects an expired, an unknown and a missing token', async (t) => {
  const { approved, page, save, post, clock } = await open(t)
  const { token } = await approved()
  clock.advance(7 * 24 * 3_600)
  for (const dead of [token, 'x', 'x'.repeat(256), '123456']) {
    const { status, ...answer } = await save(dead)
    t.is(status, 422)
    t.regex(alertIn({ status, ...answer }) ?? '', DEAD, dead)
  }
  for (const answer of [await page(''), await post({}), await post({ password: PASSWORD })]) {
    t.is(answer.status, 422)
    t.regex(alertIn(answer) ?? '', /incompleto/)
    t.notRegex(answer.text, /<form/)
  }
})

test('shows errors beside their fields, and keeps the token', async (t) => {
  const { approved, save, login } = await open(t)
  const { email, token } = await approved()
  const short = await save(token, '12345')
  t.is(short.status, 422)
  t.is(errorOf('password', short), 'A senha deve ter no mínimo 6 caracteres.')
  t.is(errorOf('password_confirmation', short), null)
  t.regex(inputOf('password', short), /aria-describedby="password-hint password-error" aria-invalid="true"/)
  t.regex(short.text, /<title>Erro: /)
  const other = await save(token, PASSWORD, 'outra senha')
  t.is(errorOf('password_confirmation', other), 'As duas senhas não são iguais.')
  t.regex(inputOf('password_confirmation', other), /aria-describedby="password_confirmation-error"/)
  const none = await save(token, '', '')
  t.deepEqual(
    ['password', 'password_confirmation'].map((field) => errorOf(field, none)),
    ['Informe a nova senha.', 'Repita a nova senha.'],
  )
  for (const answer of [short, other, none]) {
    t.is(hiddenIn(answer), token)
    t.false(answer.text.includes('12345') || answer.text.includes(PASSWORD))
  }
  t.is((await save(token, '123456')).status, 200)
  t.is((await login(email, '123456')).status, 200)
})

test('accepts the token of a legacy recovery, and ends every session', async (t) => {
  const api = await open(t)
  const { token = '', body } = (await given.linked?.(api)) ?? {}
  t.is((await api.save(`${body?.token}`)).status, 200)
  t.is((await api.ask('GET', '/v1/auth/me', { token })).status, 401)
})

test('serves a page in Portuguese with labels, without scripts, cache or referrer', async (t) => {
  const { page, save, post, ask } = await open(t)
  const evil = '"><script>alert(1)</script><%= it %>'
  for (const answer of [await page(evil), await save(evil), await save('x', '1', '2'), await post({})]) {
    t.regex(answer.text, /^<!doctype html>\n<html lang="pt-BR">/)
    t.notRegex(answer.text, /<script|<%|javascript:|https?:/)
    t.is(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    t.is(answer.headers.get('cache-control'), 'no-store')
    t.is(answer.headers.get('referrer-policy'), 'no-referrer')
    t.is(answer.headers.get('x-robots-tag'), 'noindex, nofollow')
    t.regex(
      answer.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self'/,
    )
  }
  const shown = await page('x')
  for (const field of ['password', 'password_confirmation']) {
    t.regex(shown.text, new RegExp(`<label for="${field}">`))
    t.regex(inputOf(field, shown), /type="password" autocomplete="new-password" required minlength="6"/)
  }
  const json = await ask('POST', '/password', { body: { token: 'x' } })
  t.is(json.status, 415)
  t.is(json.headers.get('content-type'), 'text/html; charset=utf-8')
  t.regex(json.text, /<h1>Tipo de conteúdo não suportado<\/h1>/)
})
