import test from 'ava'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { devAccounts, devThrottle } from '../../../adapters/identity/dev-accounts.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import { MAX_WAITING_HASHES } from '../../../core/limits.ts'
import { AT_ONCE, steppedHasher } from '../../adapters/crypto/stepped-hasher.ts'
import { loginRush, turn } from '../http/login-rush.ts'
import { type Answer, type EstateTestApi, NOW, openEstateApi, outcomeOf, worked } from './test-api.ts'

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts'
const TOKEN = '/securetoken.googleapis.com/v1/token'
const ANA = { email: 'ana@example.com', password: 'segredo-123' }

/** Opens the app with its development issuer, as it starts without a configured provider. */
const openIssuer = async (t: Parameters<typeof openEstateApi>[0], env: Record<string, string> = {}) => {
  const api = await openEstateApi(t, { env, usualIdentity: true })
  const call = (what: string, body: object) => api.ask('POST', `${ACCOUNTS}:${what}?key=any`, { body })
  return { ...api, call }
}

const wordOf = ({ status, body }: Answer) => [status, body.error.message]

const refresh = (api: EstateTestApi, form: Record<string, string>) =>
  api.ask('POST', `${TOKEN}?key=any`, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

test('tokens have the claims of Firebase and verify with the published keys', async (t) => {
  const api = await openIssuer(t)
  const made = worked(await api.call('signUp', { ...ANA, email: 'Ana@Example.com', displayName: 'Ana' }))
  const { idToken, localId } = made
  t.like(made, { email: ANA.email, displayName: 'Ana', expiresIn: '3600', registered: true })
  t.regex(localId, /^[A-Za-z0-9]{28}$/)
  const { iat = 0, ...claims } = decodeJwt(idToken)
  t.like(decodeProtectedHeader(idToken), { alg: 'ES256', typ: 'JWT' })
  t.deepEqual(claims, {
    iss: 'urn:portico:dev-issuer',
    aud: 'portico',
    sub: localId,
    user_id: localId,
    email: ANA.email,
    email_verified: true,
    name: 'Ana',
    auth_time: iat,
    exp: iat + 3_600,
    firebase: { identities: { email: [ANA.email] }, sign_in_provider: 'password' },
  })
  const { keys } = worked(await api.ask('GET', '/.well-known/jwks.json'))
  t.deepEqual(Object.keys(keys[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  const remote = createRemoteJWKSet(new URL('/.well-known/jwks.json', api.url))
  t.is((await jwtVerify(idToken, remote, { currentDate: new Date(NOW) })).payload.sub, localId)
  const [account] = await api.every(devAccounts)
  t.regex(account?.passwordHash ?? '', /^scrypt\$/)
})

test('a token expires after an hour and is renewed for the same sign-in until the password changes', async (t) => {
  const api = await openIssuer(t)
  const { idToken, refreshToken, localId } = worked(await api.call('signUp', ANA))
  api.clock.set(addSeconds(NOW, 3_661))
  t.is((await api.ask('POST', '/api/auth/login', { token: idToken })).status, 401)
  t.deepEqual(wordOf(await api.call('lookup', { idToken })), [400, 'INVALID_ID_TOKEN'])
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const renewed = worked(await refresh(api, grant))
  t.like(renewed, { user_id: localId, expires_in: '3600', token_type: 'Bearer', project_id: 'portico' })
  t.is(renewed.access_token, renewed.id_token)
  t.is(decodeJwt(renewed.id_token).auth_time, decodeJwt(idToken).auth_time)
  t.is((await api.ask('POST', '/api/auth/login', { token: renewed.id_token })).status, 404)
  t.is((await api.ask('POST', TOKEN, { body: grant })).status, 200)
  const changed = worked(await api.call('update', { idToken: renewed.id_token, password: 'outra-senha' }))
  t.deepEqual(wordOf(await refresh(api, grant)), [400, 'TOKEN_EXPIRED'])
  t.is((await refresh(api, { ...grant, refresh_token: changed.refreshToken })).status, 200)
  t.deepEqual(wordOf(await api.call('signInWithPassword', ANA)), [400, 'INVALID_LOGIN_CREDENTIALS'])
  t.is((await api.call('signInWithPassword', { ...ANA, password: 'outra-senha' })).status, 200)
})

test('a refresh token of another account and an ID token are refused as refresh tokens', async (t) => {
  const api = await openIssuer(t)
  const [ana, bia] = await Promise.all(
    ['ana', 'bia'].map(async (name) => worked(await api.call('signUp', { ...ANA, email: `${name}@example.com` }))),
  )
  const [uid, since, mark] = ana.refreshToken.split('.')
  for (const [token, word] of [
    [ana.idToken, 'INVALID_REFRESH_TOKEN'],
    ['x', 'INVALID_REFRESH_TOKEN'],
    [`unknown.${since}.${mark}`, 'INVALID_REFRESH_TOKEN'],
    [`${bia.localId}.${since}.${mark}`, 'TOKEN_EXPIRED'],
    [`${uid}.${Number(since) + 1}.${mark}`, 'TOKEN_EXPIRED'],
    [`${uid}.${since}.x${mark}`, 'TOKEN_EXPIRED'],
  ])
    t.deepEqual(wordOf(await refresh(api, { grant_type: 'refresh_token', refresh_token: token })), [400, word], token)
  t.is((await api.ask('POST', '/api/auth/login', { token: ana.refreshToken })).status, 401)
})

test('errors have the codes of Firebase', async (t) => {
  const api = await openIssuer(t)
  const { idToken } = worked(await api.call('signUp', ANA))
  for (const [what, body, word] of [
    ['signUp', ANA, 'EMAIL_EXISTS'],
    ['signUp', { ...ANA, email: 'ANA@example.com' }, 'EMAIL_EXISTS'],
    ['signUp', {}, 'MISSING_EMAIL'],
    ['signUp', { email: 'x', password: 'segredo-123' }, 'INVALID_EMAIL'],
    ['signUp', { email: 'bia@example.com' }, 'MISSING_PASSWORD'],
    ['signUp', { ...ANA, password: '12345' }, 'WEAK_PASSWORD : Password should be at least 6 characters'],
    ['signInWithPassword', { ...ANA, password: 'x' }, 'INVALID_LOGIN_CREDENTIALS'],
    ['signInWithPassword', { ...ANA, email: 'bia@example.com' }, 'INVALID_LOGIN_CREDENTIALS'],
    ['signInWithPassword', { email: ANA.email }, 'MISSING_PASSWORD'],
    ['lookup', {}, 'MISSING_ID_TOKEN'],
    ['lookup', { idToken: `${idToken}x` }, 'INVALID_ID_TOKEN'],
    ['update', { idToken: 'x', displayName: 'Ana' }, 'INVALID_ID_TOKEN'],
    ['update', { idToken, password: '1' }, 'WEAK_PASSWORD : Password should be at least 6 characters'],
  ] as const) {
    const answer = await api.call(what, body)
    t.like(answer, { status: 400, body: { error: { code: 400, message: word } } })
    t.like(answer.body.error.errors, [{ message: word, domain: 'global' }])
  }
  const [detail] = (await api.call('signUp', {})).body.error.details
  t.deepEqual(
    detail.fieldViolations.map(({ field, reason }: Readonly<Record<string, string>>) => [field, reason]),
    [
      ['email', 'required'],
      ['password', 'required'],
    ],
  )
  t.deepEqual(wordOf(await refresh(api, { grant_type: 'password' })), [400, 'INVALID_GRANT_TYPE'])
  t.deepEqual(wordOf(await refresh(api, { grant_type: 'refresh_token' })), [400, 'MISSING_REFRESH_TOKEN'])
  t.is((await api.every(devAccounts)).length, 1)
})

test('an account changes its name, picture and e-mail, and its next token carries them', async (t) => {
  const api = await openIssuer(t)
  const { idToken, localId } = worked(await api.call('signUp', ANA))
  worked(await api.call('signUp', { ...ANA, email: 'bia@example.com' }))
  const photoUrl = 'https://example.com/ana.png'
  const changed = worked(
    await api.call('update', { idToken, displayName: 'Ana Lima', photoUrl, email: 'N@example.com' }),
  )
  t.like(changed, { displayName: 'Ana Lima', photoUrl, email: 'n@example.com', localId })
  t.like(decodeJwt(changed.idToken), { name: 'Ana Lima', picture: photoUrl, email: 'n@example.com', sub: localId })
  t.deepEqual(wordOf(await api.call('update', { idToken, email: 'BIA@example.com' })), [400, 'EMAIL_EXISTS'])
  const cleared = worked(await api.call('update', { idToken, displayName: null, photoUrl: '' }))
  t.false('displayName' in cleared || 'photoUrl' in cleared)
  const time = `${Date.parse(NOW)}`
  t.deepEqual(worked(await api.call('lookup', { idToken })), {
    users: [
      {
        localId,
        email: 'n@example.com',
        emailVerified: true,
        providerUserInfo: [
          { providerId: 'password', federatedId: 'n@example.com', rawId: 'n@example.com', email: 'n@example.com' },
        ],
        createdAt: time,
        lastLoginAt: time,
      },
    ],
  })
})

test('five wrong passwords from one address lock an e-mail for fifteen minutes', async (t) => {
  const api = await openIssuer(t)
  worked(await api.call('signUp', ANA))
  const guess = (password: string) => api.call('signInWithPassword', { ...ANA, password })
  for (let round = 1; round <= 2; round += 1) {
    for (let failures = 1; failures <= 4; failures += 1) t.is((await guess('errada')).status, 400)
    t.is((await guess(ANA.password)).status, 200)
  }
  const answers = await Promise.all(Array.from({ length: 8 }, () => guess('errada')))
  t.deepEqual(answers.map(({ status }) => status).sort(), [400, 400, 400, 400, 400, 429, 429, 429])
  const closed = await guess(ANA.password)
  t.like(closed, { status: 429 })
  t.regex(closed.body.error.message, /^TOO_MANY_ATTEMPTS_TRY_LATER : /)
  t.is(closed.headers.get('retry-after'), '900')
  t.is((await api.call('signInWithPassword', { ...ANA, email: 'bia@example.com' })).status, 400)
  api.clock.advance(900)
  t.is((await guess(ANA.password)).status, 200)
  await api.drain()
  t.deepEqual(
    (await api.every(devThrottle.throttles)).filter(({ id }) => id.startsWith('ana')),
    [],
  )
})

const PROVIDER = {
  IDENTITY_ISSUER: 'https://id.example.com',
  IDENTITY_AUDIENCE: 'aurora',
  IDENTITY_JWKS_URL: 'http://127.0.0.1:1/keys',
}
const PRODUCTION = {
  NODE_ENV: 'production',
  JWT_SECRET: 'x'.repeat(32),
  DATA_KEY: Buffer.alloc(32, 3).toString('base64'),
}

for (const [name, env] of [
  ['where a provider is configured', PROVIDER],
  ['in production', { ...PROVIDER, ...PRODUCTION }],
] as const)
  test(`${name} the development issuer does not exist and its tokens are refused`, async (t) => {
    const dev = await openIssuer(t, { DATA_KEY: PRODUCTION.DATA_KEY, STORE_URL: 'memory:' })
    const { idToken } = worked(await dev.call('signUp', ANA))
    const api = await openIssuer(t, { ...env, STORE_URL: 'memory:' })
    for (const what of ['signUp', 'signInWithPassword', 'lookup', 'update'])
      t.is(outcomeOf(await api.call(what, ANA)), '404 route.unknown')
    t.is((await api.ask('POST', TOKEN, { body: {} })).status, 404)
    t.is((await api.ask('GET', '/.well-known/jwks.json')).status, 404)
    const { paths } = worked(await api.ask('GET', '/openapi.json'))
    t.deepEqual(
      Object.keys(paths).filter((path) => /google|jwks/.test(path)),
      [],
    )
    // The key server does not respond, so no token can be verified.
    const answer = await api.ask('POST', '/api/auth/login', { token: idToken })
    t.is(outcomeOf(answer), '503 identity.unavailable')
    t.truthy(answer.headers.get('retry-after'))
  })

test('processes accept each other’s tokens if they share a DATA_KEY, and refuse them otherwise', async (t) => {
  const keyOf = (byte: number) => ({ STORE_URL: 'memory:', DATA_KEY: Buffer.alloc(32, byte).toString('base64') })
  const [one, two, other] = await Promise.all([1, 1, 2].map((byte) => openIssuer(t, keyOf(byte))))
  if (!one || !two || !other) throw new Error('three were opened')
  const { idToken: token } = worked(await one.call('signUp', ANA))
  t.deepEqual(
    await Promise.all(
      [one, two, other].map(async (api) => (await api.ask('POST', '/api/auth/login', { token })).status),
    ),
    [404, 404, 401],
  )
})

const SIGN_IN = `${ACCOUNTS}:signInWithPassword?key=any`
const [FLOOD, OTHER] = ['203.0.113.7', '198.51.100.9']
const RUSH = 600
const REFUSED = RUSH - AT_ONCE - MAX_WAITING_HASHES

test('600 sign-ins from one address at the development issuer do not delay other requests', async (t) => {
  const { hasher, started, step, run, hold } = steppedHasher()
  const api = await openEstateApi(t, {
    env: { TRUST_PROXY: 'true' },
    usualIdentity: true,
    instead: () => ({ hasher }),
  })
  t.teardown(run)
  run()
  t.is((await api.ask('POST', `${ACCOUNTS}:signUp?key=any`, { body: ANA })).status, 200)
  hold()
  started.length = 0
  const rush = loginRush(t, api.url, SIGN_IN)
  for (let number = 0; number < RUSH; number += 1) {
    rush.ask(FLOOD, { email: `a${number}@example.com`, password: `palpite ${number}` })
  }
  while (rush.count(503) < REFUSED) await turn()
  let status = 0
  const other = api.ask('POST', SIGN_IN, { headers: { 'x-forwarded-for': OTHER }, body: ANA }).then((answer) => {
    status = answer.status
  })
  while (rush.count(503) < REFUSED + 1) await turn()
  for (let steps = 0; steps < 3; steps += 1) await step()
  await other
  t.is(status, 200)
  t.is(started[AT_ONCE], ANA.password)
  run()
  while (rush.statuses.length < RUSH) await turn()
  t.is(rush.count(503), REFUSED + 1)
  t.is(rush.count(400), RUSH - REFUSED - 1)
})
