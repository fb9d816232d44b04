import test, { type ExecutionContext } from 'ava'
import { UNAUTHENTICATED } from '../../rows/payments-rows.ts'
import { openTestApi, PASSWORD } from '../../test-api.ts'

const DAY_SECONDS = 86_400

const open = async (t: ExecutionContext) => {
  const server = await openTestApi(t)
  const { ask } = server
  const refresh = (token: string) => ask('POST', '/v1/auth/refresh', { token })
  return {
    ...server,
    refresh,
    renewed: async (token: string) => ((await refresh(token)).body.data as { access_token: string }).access_token,
    isGood: async (token: string) => (await ask('GET', '/v1/auth/me', { token })).status === 200,
  }
}

test('a refresh answers token data with a new token, and the old one is good for nothing', async (t) => {
  const { person, refresh, isGood } = await open(t)
  const old = await person()
  const { status, body } = await refresh(old)
  t.is(status, 200)
  const { access_token: token, ...rest } = body.data as Record<string, unknown>
  t.like(rest, { token_type: 'bearer', expires_in: 3600, user: { id: 1, email: 'ana@aurora.example' } })
  t.not(token, old)
  t.true(await isGood(`${token}`))
  t.false(await isGood(old))
  // Only used, and not refreshed: the session lives on.
  t.true(await isGood(`${token}`))
})

test('a token is refreshed until 14 days after it was issued, though it has run out', async (t) => {
  const { person, refresh, renewed, clock } = await open(t)
  const first = await person()
  clock.advance(14 * DAY_SECONDS - 1)
  const second = await renewed(first)
  clock.advance(14 * DAY_SECONDS)
  const late = await refresh(second)
  t.is(late.status, 401)
  t.deepEqual(late.body, UNAUTHENTICATED)
})

test('a token that was refreshed before is 401 and ends its session: somebody else has it', async (t) => {
  const { person, refresh, renewed, isGood } = await open(t)
  const stolen = await person()
  const mine = await renewed(stolen)
  t.is((await refresh(stolen)).status, 401)
  t.false(await isGood(mine))
  t.is((await refresh(mine)).status, 401)
})

test('of twenty refreshes at once one is 200, and its token is good unless the old one came after it', async (t) => {
  const { person, refresh } = await open(t)
  const token = await person()
  const all = await Promise.all(Array.from({ length: 20 }, () => refresh(token)))
  t.deepEqual(all.map(({ status }) => status).sort(), [200, ...Array.from({ length: 19 }, () => 401)])
})

test('a session that was left is refreshed no more', async (t) => {
  const { ask, person, refresh } = await open(t)
  const token = await person()
  await ask('POST', '/v1/auth/logout', { token })
  t.is((await refresh(token)).status, 401)
})

test('a further sign-in ends the oldest where two hundred are alive', async (t) => {
  const { ask, person, isGood, clock } = await open(t)
  const first = await person()
  const login = async () => {
    clock.advance(1)
    const { body } = await ask('POST', '/v1/auth/login', { body: { email: 'ana@aurora.example', password: PASSWORD } })
    return (body.data as { access_token: string }).access_token
  }
  const second = await login()
  for (let alive = 3; alive <= 200; alive += 1) await login()
  t.true(await isGood(first))
  const last = await login()
  t.deepEqual([await isGood(first), await isGood(second), await isGood(last)], [false, true, true])
})
