import test, { type ExecutionContext } from 'ava'
import { anyDocument, anyEmail } from '../../../core/payments/world.ts'
import { confirmPassword } from '../given/basics.ts'
import { confirmedBy, secured } from '../given/given.ts'
import { personBody } from '../given/merchants.ts'
import { openMerchant, PASSWORD, type TestApi, worked } from '../test-api.ts'

const CHANGED = 'outra senha longa'
const CHANGE = { password: CHANGED, password_confirmation: CHANGED }

/** A merchant with a second factor and a policy, if any, and two colleagues: a MANAGER, and an inactive ADMIN. */
const opened = async (t: ExecutionContext, policy: object | null) => {
  const { api, merchant, token } = await openMerchant(t)
  const add = async (role: number) => {
    const body = { name: 'Rui', email: anyEmail(), document: anyDocument(), role, password: PASSWORD }
    return worked(await api.ask('POST', '/access/manager/users', { token, body })).data
  }
  const [manager, inactive] = [await add(2), await add(1)]
  worked(await api.ask('PUT', `/access/manager/users/${inactive.id}`, { token, body: { status: 0 } }))
  const { recoveryCodes } = await secured(api, { token, body: { password: PASSWORD } })
  if (policy) worked(await api.ask('PATCH', '/v1/account/second-factor', { token, body: policy }))
  return { api, merchant, manager, inactive, recoveryCodes, send: sender(api, token) }
}

const sender =
  (api: TestApi, token: string) =>
  async ([method, path, body]: Way, headers = {}) => {
    const answer = await api.ask(method, path, { token, body, headers })
    return answer.body.error_code ?? answer.status
  }

type Way = readonly [method: string, path: string, body: object]

/** The requests by which another person would act in the account. */
const takeovers = ({ manager, inactive }: Pick<Awaited<ReturnType<typeof opened>>, 'manager' | 'inactive'>) => {
  const person = () => ({ name: 'Eva', email: anyEmail(), document: anyDocument() })
  const ways: readonly Way[] = [
    ['POST', '/v1/users', personBody(anyEmail())],
    ['POST', '/access/manager/users', { ...person(), role: 1, password: PASSWORD }],
    ['POST', '/access/manager/api-tokens', person()],
    ['PUT', `/v1/users/${manager.user.id}`, CHANGE],
    ['PATCH', `/v1/users/${manager.user.id}`, { email: anyEmail() }],
    ['PUT', `/access/manager/users/${manager.id}`, { password: CHANGED }],
    ['PUT', `/access/manager/users/${manager.id}`, { email: anyEmail() }],
    ['PATCH', `/access/manager/users/${manager.id}`, { role: 1 }],
    ['PUT', `/access/manager/users/${inactive.id}`, { status: 1 }],
  ]
  return ways
}

for (const policy of [{ second_factor_required: true }, { second_factor_from: 50 }, { second_factor_day_from: 50 }])
  test(`requires the factor for a change that lets another person act in an account with ${Object.keys(policy)}`, async (t) => {
    const { api, merchant, recoveryCodes, send, ...team } = await opened(t, policy)
    const ways = takeovers(team)
    for (const way of ways) t.is(await send(way), 'second-factor.required', `${way[0]} ${way[1]}`)
    const replies = []
    for (const [index, way] of ways.entries()) {
      const proof = { 'x-second-factor': await confirmedBy(api, merchant.token, recoveryCodes[index] ?? '') }
      replies.push(await send(way, proof))
      // A proof confirms one request.
      if (index === 0) t.is(await send(['POST', '/v1/users', personBody(anyEmail())], proof), 'second-factor.required')
    }
    t.deepEqual(replies, [201, 201, 201, 200, 200, 200, 200, 200, 200])
  })

test('requires no factor for other changes of a team, or in an account that does not require it', async (t) => {
  const { send, manager } = await opened(t, { second_factor_from: 50 })
  const path = `/access/manager/users/${manager.id}`
  const harmless: readonly Way[] = [
    ['PUT', path, { name: 'Rui Reis', email: manager.user.email, role: 2 }],
    ['PUT', path, { role: 4 }],
    ['PUT', path, { status: 0 }],
    ['DELETE', path, {}],
  ]
  for (const way of harmless) t.is(await send(way), 200, `${way[0]} ${JSON.stringify(way[2])}`)
  const { send: sendFreely, ...team } = await opened(t, null)
  for (const way of takeovers(team)) t.true([200, 201].includes(await sendFreely(way)), `${way[0]} ${way[1]}`)
})

test('changes the own e-mail and password within ten minutes of the password only, and notifies by mail', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { email, token } = merchant
  const { id } = (await api.ask('GET', '/v1/auth/me', { token })).body.user
  const send = sender(api, token)
  api.clock.advance(600)
  t.is(await send(['PUT', `/v1/users/${id}`, CHANGE]), 'password.stale')
  t.is(await send(['PATCH', `/v1/users/${id}`, { email: anyEmail() }]), 'password.stale')
  t.is(await send(['PUT', `/v1/users/${id}`, { name: 'Ana Lima', email }]), 200)
  const logIn = async (password: string) =>
    (await api.ask('POST', '/v1/auth/login', { body: { email, password } })).body.data?.access_token
  await confirmPassword(api, token)
  t.is(await send(['PUT', `/v1/users/${id}`, CHANGE]), 200)
  t.is((await api.mailsTo(email)).filter((mail) => mail.includes('Sua senha acabou de ser alterada')).length, 1)
  const again = await logIn(CHANGED)
  api.clock.advance(599)
  const back = { password: PASSWORD, password_confirmation: PASSWORD }
  t.is(await sender(api, again)(['PUT', `/v1/users/${id}`, back]), 200)
})
