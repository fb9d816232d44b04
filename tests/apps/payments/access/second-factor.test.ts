import test, { type ExecutionContext } from 'ava'
import { sessions } from '../../../../core/payments/access/session.ts'
import { passkeys } from '../../../../core/payments/challenges/passkey.ts'
import { audit } from '../../../../core/payments/office.ts'
import { PASSWORD } from '../../../core/payments/world.ts'
import { confirmPassword } from '../given/basics.ts'
import { codeAt, confirmedBy, lookedUp, secured, securedMember, transferrer } from '../given/given.ts'
import { createPasskey } from '../given/passkeys.ts'
import { MARIA, openMerchant, openTestApi, type TestApi, worked } from '../test-api.ts'
import { BANK } from '../withdrawals/withdrawing.ts'

type Secured = Awaited<ReturnType<typeof secured>>

const opened = async (t: ExecutionContext) => {
  const api = await openTestApi(t)
  const maria = await secured(api)
  const { email = '' } = maria.body
  return {
    api,
    maria,
    email,
    logIn: (more = {}) => api.ask('POST', '/v1/auth/login', { body: { email, password: PASSWORD, ...more } }),
  }
}

const complete = (api: TestApi, challenge: string, code: string, more = {}) =>
  api.ask('POST', '/v1/auth/second-step', { body: { challenge, code, ...more } })

test('opens a session by the password and a code only, on both log-ins', async (t) => {
  const { api, maria, email, logIn } = await opened(t)
  const legacy = await api.ask('POST', '/access/auth/login', { body: { email, password: PASSWORD } })
  // The legacy log-in signs in to an account, and Maria has none.
  t.is(legacy.body.error_code, 'account.none')
  await api.ask('POST', '/v1/organizations', { token: maria.token, body: { name: 'Loja', document: '11222333000181' } })
  const before = (await api.every(sessions)).length
  const first = await api.ask('POST', '/access/auth/login', { body: { email, password: PASSWORD } })
  const second = await logIn()
  t.deepEqual([first.status, second.status, (await api.every(sessions)).length], [202, 202, before])
  t.deepEqual(Object.keys(second.body.data).sort(), ['accepts', 'challenge', 'expires_at'])
  const { challenge } = second.body.data
  t.is((await api.ask('GET', '/v1/auth/me', { token: challenge })).status, 401)
  t.is((await complete(api, challenge, '000000')).body.error_code, 'second-factor.wrong')
  const done = await complete(api, challenge, maria.body.code)
  t.is(done.status, 200)
  t.is((await api.ask('GET', '/v1/clients', { token: done.body.data.access_token })).status, 200)
  t.is((await complete(api, challenge, codeAt(api, maria.secret, 1))).body.error_code, 'challenge.ended')
  const [recoveryCode = ''] = maria.recoveryCodes
  const byRecovery = await complete(api, first.body.challenge, recoveryCode.toLowerCase())
  t.is(byRecovery.status, 200)
  t.like(await api.ask('GET', '/access/auth/me', { token: byRecovery.body.data.access_token }), { status: 200 })
})

test('ends the other sessions at the set-up, also one whose token is refreshed', async (t) => {
  const api = await openTestApi(t)
  const token = await api.person()
  const email = 'ana@aurora.example'
  const { body } = await api.ask('POST', '/v1/auth/login', { body: { email, password: PASSWORD } })
  const other = body.data.access_token
  const { data } = (await api.ask('POST', '/v1/second-factor', { token, body: { password: PASSWORD } })).body
  t.regex(data.qr_code, /^data:image\/png;base64,iVBOR/)
  await api.ask('POST', '/v1/second-factor/confirm', { token, body: { code: codeAt(api, data.secret) } })
  t.is((await api.ask('POST', '/v1/auth/refresh', { token: other })).status, 401)
  t.is((await api.ask('POST', '/v1/auth/refresh', { token })).status, 200)
  t.is((await api.mailsTo(email)).filter((mail) => mail.includes('duas etapas foi ativada')).length, 1)
})

test('recovers a password without taking the factor away', async (t) => {
  const { api, maria, email, logIn } = await opened(t)
  const { challenge } = (await logIn()).body.data
  await api.ask('POST', '/v1/auth/forgot-password', { body: { email } })
  const code = /^\d{6}$/m.exec((await api.mailsTo(email)).find((mail) => mail.includes('nova senha')) ?? '')?.[0]
  const password = 'outra senha longa'
  const reset = { email, code, password, password_confirmation: password }
  t.is((await api.ask('POST', '/v1/auth/reset-password', { body: reset })).status, 200)
  t.is((await complete(api, challenge, maria.body.code)).body.error_code, 'challenge.ended')
  t.is((await logIn({ password })).status, 202)
})

test('turns the factor off by the password and a code', async (t) => {
  const { api, maria, logIn } = await opened(t)
  const remove = (body: object) => api.ask('POST', '/v1/second-factor/remove', { token: maria.token, body })
  const { code } = maria.body
  t.is((await remove({ password: 'errada', code })).body.error_code, 'password.wrong')
  t.is((await remove({ password: PASSWORD, code: '000000' })).body.error_code, 'second-factor.wrong')
  t.is((await remove({ password: PASSWORD, code })).status, 200)
  t.is((await logIn()).status, 200)
  const actions = (await api.every(audit.entries)).map(({ action }) => action).filter((each) => /factor/.test(each))
  t.deepEqual(actions.sort(), ['second-factor.enabled', 'second-factor.removed'])
})

test('an ADMIN with a proved factor resets that of a member, once, and not that of a person of another account', async (t) => {
  const api = await openTestApi(t)
  const { token, member, email, params, headers } = await securedMember(api)
  const logIn = (more = {}) => api.ask('POST', '/v1/auth/login', { body: { email, password: PASSWORD, ...more } })
  await confirmPassword(api, member.token)
  const proof = { 'x-second-factor': await confirmedBy(api, member.token, codeAt(api, member.secret, 1)) }
  const body = { name: 'Celular', ...(await createPasskey(api, member.token)) }
  worked(await api.ask('POST', '/v1/second-factor/passkeys', { token: member.token, body, headers: proof }))
  const [first = '', second = ''] = member.recoveryCodes
  const { challenge } = (await logIn()).body.data
  const { access_token: open, device_token } = worked(
    await complete(api, challenge, first, { trust_device: true }),
  ).data
  const reset = (id: number | string, sent = headers) =>
    api.ask('DELETE', `/v1/users/${id}/second-factor`, { token, headers: sent })
  const codeOf = async (answer: ReturnType<typeof reset>) => (await answer).body.error_code
  const none = { 'x-second-factor': '' }
  t.is(await codeOf(reset(params.id, none)), 'second-factor.required')
  const foreign = { 'x-second-factor': await confirmedBy(api, member.token, second) }
  t.is(await codeOf(reset(params.id, foreign)), 'second-factor.required')
  const { id: own } = (await api.ask('GET', '/v1/auth/me', { token })).body.user
  t.is(await codeOf(reset(own)), 'second-factor.own')
  const other = await securedMember(api)
  t.is(await codeOf(reset(other.params.id)), 'user.unknown')
  t.is((await reset(params.id)).status, 200)
  t.is((await reset(params.id)).body.error_code, 'second-factor.off')
  t.is((await logIn()).status, 200)
  for (const each of [member.token, open]) t.is((await api.ask('GET', '/v1/auth/me', { token: each })).status, 401)
  t.deepEqual(await api.every(passkeys), [])
  api.clock.advance(1)
  const again = await secured(api, { token: (await logIn()).body.data.access_token, body: { password: PASSWORD } })
  for (const code of [second, codeAt(api, member.secret, 1)]) {
    const { challenge: next } = (await logIn({ device_token })).body.data
    t.is((await complete(api, next, code)).body.error_code, 'second-factor.wrong')
  }
  t.is((await api.mailsTo(email)).filter((mail) => mail.includes('retirou a sua verificação')).length, 1)
  const trail = (await api.ask('GET', '/v1/account/audit?action=second-factor.reset', { token })).body.audit
  t.like(trail, [{ actor: { id: own }, subject: `user:${params.id}` }])
  // A person of two accounts keeps the factor, which protects the other one too.
  await api.ask('POST', '/v1/organizations', { token: again.token, body: { name: 'Loja', document: '11222333000181' } })
  t.is(await codeOf(reset(params.id)), 'user.shared')
})

test('closes an account that requires the factor to a member without one, and opens it by the set-up', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { token, id } = merchant
  const clients = (path = '/v1/clients') => api.ask('GET', path, { token, headers: { 'x-account-id': `${id}` } })
  const { account } = (await clients('/access/account')).body
  await api.paid(merchant)
  await api.drain()
  worked(await api.ask('POST', '/consolidation/transactions/export-document', { token, body: { format: 'csv' } }))
  await api.drain()
  const notified = async () => {
    const { data } = (await clients('/access/auth/notifications')).body
    const of = (type: string) => data.find((each: { readonly type: string }) => each.type === type)
    const [exported, paid] = [of('export.ready'), of('charge.paid')]
    const read = (await api.ask('PUT', `/access/auth/notifications/${paid.id}/read`, { token })).body.notification
    t.deepEqual(read.data, paid.data)
    // The id of an export's notification opens its file without a log-in.
    const { status } = await api.ask('GET', `/consolidation/exports/download/${exported.id}`)
    return { status, fields: Object.keys(paid.data) }
  }
  const policy = (body: object, headers = {}) => api.ask('PATCH', '/v1/account/second-factor', { token, body, headers })
  t.is((await policy({ second_factor_required: true })).status, 200)
  t.is((await clients()).body.error_code, 'second-factor.none')
  t.is((await clients('/invoices')).body.error_code, 'second-factor.none')
  t.deepEqual(await notified(), { status: 404, fields: ['account_id'] })
  // A key acts for a program.
  const body = { email: 'ana@aurora.example', token: account.token }
  const program = (await api.ask('POST', '/access/account/get-token', { body })).body.data.token
  t.is((await api.ask('GET', '/v1/clients', { token: program })).status, 200)
  t.is((await clients('/v1/auth/me')).status, 200)
  const { data } = (await api.ask('POST', '/v1/second-factor', { token, body: { password: PASSWORD } })).body
  const code = codeAt(api, data.secret)
  await api.ask('POST', '/v1/second-factor/confirm', { token, body: { code } })
  t.is((await clients()).status, 200)
  t.deepEqual(await notified(), { status: 200, fields: ['account_id', 'charge_id', 'amount_paid'] })
  // To require less needs a confirmation.
  t.is((await policy({ second_factor_required: false })).body.error_code, 'second-factor.required')
  const headers = { 'x-second-factor': await confirmedBy(api, token, codeAt(api, data.secret, 1)) }
  t.is((await policy({ second_factor_required: false }, headers)).status, 200)
})

test('requires the factor for withdrawals and transfers from a value on, on every route, and accepts a proof once', async (t) => {
  const api = await openTestApi(t)
  const { token = '', body } = await lookedUp(api)
  const { token: sender = '', body: transfer } = await transferrer(api)
  const { pin: _, ...account } = BANK
  const ways: readonly [path: string, body: object, token: string][] = [
    ['/api/pix/withdraw', { ...body, keypix: 'maria@example.com', value: 100 }, token],
    ['/legacypay/withdraws/confirm', { ...body, keypix: 'maria@example.com', value: 100 }, token],
    ['/api/pix/withdraw-bank', { ...body, ...account, amount: 100 }, token],
    ['/legacypay/withdraws/bank', { ...body, ...account, amount: 100 }, token],
    ['/legacypay/pix-out/dataBank', { ...body, ...account, branch: '1', amount: 100 }, token],
    ['/legacypay/saida-sicred', { ...body, keyPix: 'maria@example.com', mount: 100 }, token],
    ['/transfers/internal', { ...transfer, amount: 100 }, sender],
  ]
  const policy = { body: { second_factor_from: 100 } }
  for (const each of [token, sender])
    t.is((await api.ask('PATCH', '/v1/account/second-factor', { token: each, ...policy })).status, 200)
  for (const [path, sent, by] of ways)
    t.is((await api.ask('POST', path, { token: by, body: sent })).body.error_code, 'second-factor.required', path)
  // The factor of another person confirms nothing.
  const maria: Secured = await secured(api)
  const foreign = { 'x-second-factor': await confirmedBy(api, maria.token, maria.body.code) }
  const [[path, sent] = ['', {}]] = ways
  const ask = (headers: Record<string, string>, more = {}) =>
    api.ask('POST', path, { token, body: { ...sent, ...more }, headers })
  t.is((await ask(foreign)).body.error_code, 'second-factor.required')
  const { secret } = (await api.ask('POST', '/v1/second-factor', { token, body: { password: PASSWORD } })).body.data
  await api.ask('POST', '/v1/second-factor/confirm', { token, body: { code: codeAt(api, secret) } })
  const proof = { 'x-second-factor': await confirmedBy(api, token, codeAt(api, secret, 1)) }
  t.is((await ask(proof, { pin: '000000' })).body.error_code, 'pin.wrong')
  t.is((await ask(proof)).status, 201)
  const [, , [other, payment] = ['', {}]] = ways
  const reused = await api.ask('POST', other, { token, body: payment, headers: proof })
  t.is(reused.body.error_code, 'second-factor.required')
  const small = await api.ask('POST', other, { token, body: { ...payment, amount: 99.99 } })
  t.is(small.status, 200, small.text)
})

test('requires the factor for the first charge, plan or link that splits with an account, as for a withdrawal', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
  const { secret } = (await api.ask('POST', '/v1/second-factor', { token, body: { password: PASSWORD } })).body.data
  worked(await api.ask('POST', '/v1/second-factor/confirm', { token, body: { code: codeAt(api, secret) } }))
  const { account } = (await api.ask('GET', '/access/account', { token })).body
  const login = { email: merchant.email, token: account.token }
  const program = (await api.ask('POST', '/access/account/get-token', { body: login })).body.data.token
  const newKey = async () => {
    const receiver = await api.merchant()
    await api.setStatus(receiver, 'ACTIVE')
    const made = await api.ask('POST', '/v1/split-receivers', { token: receiver.token, body: { name: 'Loja' } })
    return made.body.split_receiver.key
  }
  const [known, other] = [await newKey(), await newKey()]
  const terms = { description: 'Duas vezes', interval: 1, interval_type: 'months', installments_count: 2 }
  const plan = worked(await api.ask('POST', '/payment-plans', { token, body: terms })).data
  const ways: readonly (readonly [path: string, body: object])[] = [
    ['/invoices', { ...MARIA, value: 10 }],
    ['/invoices/with-plan', { ...MARIA, value: 10, payment_plan_id: plan.id }],
    ['/billing/payment-links', { title: 'Curso', amount: 10, payment_methods: ['PIX'] }],
  ]
  const send = (account: string, by: string, headers = {}) =>
    Promise.all(
      ways.map(async ([path, body]) => {
        const split = { ...body, splits: [{ account, percent: 100 }] }
        const answer = await api.ask('POST', path, { token: by, body: split, headers })
        return answer.body.error_code ?? answer.status
      }),
    )
  const made = [200, 201, 200]
  const required = ways.map(() => 'second-factor.required')
  t.deepEqual(await send(known, token), made)
  worked(await api.ask('PATCH', '/v1/account/second-factor', { token, body: { second_factor_day_from: 1_000 } }))
  t.deepEqual(await send(known, program), made)
  for (const by of [token, program]) t.deepEqual(await send(other, by), required)
  const headers = { 'x-second-factor': await confirmedBy(api, token, codeAt(api, secret, 1)) }
  t.deepEqual(
    await send('split_x', token, headers),
    ways.map(() => 'fields'),
  )
  // One proof confirms one promise, with which the account is known to the others.
  t.deepEqual(await send(other, token, headers), made)
  t.deepEqual(await send(other, program), made)
})

test('requires the factor for each withdrawal from a sum of the day on, also for two at the same instant', async (t) => {
  const api = await openTestApi(t)
  const { token = '', body } = await lookedUp(api)
  const policy = (change: object) => api.ask('PATCH', '/v1/account/second-factor', { token, body: change })
  t.is((await policy({ second_factor_day_from: 100 })).status, 200)
  t.is((await policy({ second_factor_day_from: 200 })).body.error_code, 'second-factor.required')
  const { pin: _, ...account } = BANK
  const sent = { ...body, ...account }
  const withdraw = async (amount: number, headers = {}) => {
    const answer = await api.ask('POST', '/legacypay/withdraws/bank', { token, body: { ...sent, amount }, headers })
    return answer.body.error_code ?? answer.status
  }
  const both = await Promise.all([withdraw(50), withdraw(50.01)])
  t.deepEqual(both.map(String).sort(), ['200', 'second-factor.required'])
  t.is(await withdraw(49.98), 200)
  t.is(await withdraw(0.02), 'second-factor.required')
  const { secret } = await secured(api, { token, body: { password: PASSWORD } })
  const headers = { 'x-second-factor': await confirmedBy(api, token, codeAt(api, secret, 1)) }
  t.is(await withdraw(0.02, headers), 200)
  t.is(await withdraw(0.03, headers), 'second-factor.required')
})
