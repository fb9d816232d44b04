import test from 'ava'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { idPool } from '../../../../core/kernel/running/ids.ts'
import { epochSeconds } from '../../../../core/kernel/values/day.ts'
import { exchangeKey } from '../../../../core/payments/access/api-keys.ts'
import { authenticate, decideCaller } from '../../../../core/payments/access/authenticate.ts'
import { confirmPassword } from '../../../../core/payments/access/confirm-password.ts'
import { logIn } from '../../../../core/payments/access/log-in.ts'
import { meView, readMe } from '../../../../core/payments/access/organizations.ts'
import {
  decideRefresh,
  logOut,
  readRefreshToken,
  refreshSession,
} from '../../../../core/payments/access/own-sessions.ts'
import { register } from '../../../../core/payments/access/register.ts'
import {
  boundAccountOf,
  claimsOf,
  openSession,
  passwordMark,
  sessions,
  sessionTokenView,
  tokenView,
} from '../../../../core/payments/access/session.ts'
import { accounts, apiKeyOf } from '../../../../core/payments/accounts/account.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { isPasswordRecent } from '../../../../core/payments/payments-ports.ts'
import { openAccount } from '../../../../core/payments/registrations/opening.ts'
import { byId } from '../../../../core/ports/store.ts'
import { onWire } from '../../kernel/input/reads.ts'
import { failureOf, failuresOf, NOW, ORIGIN, openPayments, PASSWORD, right, withPerson } from '../world.ts'

const INVALID = { tag: 'unauthorized', code: 'token.invalid' }

test('accepts a token for an hour', async (t) => {
  const { ports, clock, signedIn } = await withPerson()
  clock.set('2026-11-23T14:05:08.999Z')
  t.is(failureOf(await authenticate(ports)(signedIn.accessToken)()), null)
  clock.set('2026-11-23T14:05:09.000Z')
  t.deepEqual(failureOf(await authenticate(ports)(signedIn.accessToken)()), INVALID)
})

test('returns the life of a token after registration, login, refresh and key exchange', async (t) => {
  const { ports, clock, every, signedIn: registered, caller } = await withPerson()
  const input = { name: 'Padaria', email: null, document: '11222333000181' }
  const { id } = right(await openAccount(ports)(caller, input)())
  const account = await ports.store.find(byId(accounts, id))
  if (!account) return t.fail('it was opened')
  const email = 'maria@example.com'
  const claims = right(await readRefreshToken(ports)(registered.accessToken)())
  clock.advance(60)
  const results = {
    registered,
    loggedIn: right(await logIn(ports)({ email, password: PASSWORD }, ORIGIN)()),
    refreshed: right(await refreshSession(ports)(claims)()),
    byKey: right(await exchangeKey(ports)({ email, apiKey: apiKeyOf(ports.cipher, account) }, ORIGIN)()),
  }
  const seconds = { registered: 3_600, loggedIn: 3_600, refreshed: 3_600, byKey: 600 }
  for (const [how, result] of Object.entries(results)) {
    const { iat = 0, exp = 0 } = ports.tokens.read(result.accessToken) ?? {}
    t.deepEqual([how, exp - iat], [how, Reflect.get(seconds, how)])
    t.is(result.expiresInSeconds, exp - iat, how)
    t.is(onWire(tokenView, result).expires_in, exp - iat, how)
    t.is(onWire(sessionTokenView, result).session_duration, exp - iat, how)
    t.is(epochSeconds(result.expiresAt), exp, how)
  }
  t.is((await every(sessions)).length, 3)
})

test('rejects a missing, malformed or wrongly signed token without a read', async (t) => {
  const { ports, reads, signedIn } = await withPerson()
  const before = reads()
  for (const token of [null, '', 'abc', `${signedIn.accessToken}x`]) {
    t.deepEqual(failureOf(await authenticate(ports)(token)()), INVALID)
  }
  t.is(reads(), before)
})

/** A registered person with an open session. */
const withSession = async () => {
  const here = openPayments()
  await here.person('maria@example.com')
  const [user = null] = await here.every(users)
  const { session } = openSession(here.fresh(), { userId: 1, accountId: 5, origin: ORIGIN, passwordMark: null })
  return { ...here, user, session, claims: claimsOf(session) }
}

test('accepts only the present token of an open session', async (t) => {
  const { session, user, claims } = await withSession()
  const memberships = { records: [], total: null }
  const { value } = right(decideCaller({ digest }, { session, user, memberships }, claims))
  const caller = {
    userId: 1,
    sessionId: session.id,
    tokenAccountId: 5,
    boundTo: null,
    passwordFreshUntil: '2026-11-23T13:15:09.123Z',
    memberships: [],
    origin: null,
  }
  t.deepEqual(
    value(() => null),
    caller,
  )
  for (const wrong of [null, { ...session, endedAt: NOW }, { ...session, jti: 'newer' }, { ...session, userId: 2 }]) {
    t.deepEqual(failureOf(decideCaller({ digest }, { session: wrong, user, memberships }, claims)), INVALID)
  }
})

test('refreshes only the present token of an open session', async (t) => {
  const { ports, fresh, session, user, claims } = await withSession()
  const request = { ...claims, refreshKey: null, wasCurrent: true }
  const decide = (over: Partial<typeof session>, of: Partial<typeof request> = {}) =>
    right(decideRefresh(ports, { session: { ...session, ...over }, user }, { ...request, ...of }, fresh()))
  const renewed = decide({})
  const taken = () => null
  t.is(ports.tokens.read(right(renewed.value(taken)).accessToken)?.acc, 5)
  const set = { lastUsedAt: NOW, refreshUntil: '2026-12-07T13:05:09.123Z' }
  t.like(renewed.changes, [{ kind: 'patch', at: [sessions.name, session.id], set }])
  t.is(session.refreshUntil, set.refreshUntil)

  const earlier = decide({}, { jti: 'earlier', wasCurrent: false })
  t.is(failureOf(earlier.value(taken))?.code, 'token.invalid')
  t.like(earlier.changes, [{ set: { endedAt: NOW } }])
  t.deepEqual(decide({ jti: 'a newer one' }).changes, [])

  for (const over of [{ endedAt: NOW }, { refreshUntil: null }, { refreshUntil: NOW }, { userId: 2 }]) {
    const refused = decideRefresh(ports, { session: { ...session, ...over }, user }, request, fresh())
    t.is(failureOf(refused)?.code, 'token.invalid', JSON.stringify(over))
  }
  const marked = { ...session, passwordMark: passwordMark(ports, user?.passwordHash ?? null) }
  const codeFor = (of: typeof user) =>
    failureOf(decideRefresh(ports, { session: marked, user: of }, request, fresh()))?.code
  t.is(codeFor(user), undefined)
  for (const other of [null, user && { ...user, removedAt: NOW }, user && { ...user, passwordHash: 'another' }])
    t.is(codeFor(other), 'token.invalid')
})

test('rejects a session that a password change or the removal of the user did not end', async (t) => {
  const { ports, signedIn, caller } = await withPerson()
  const claims = right(await readRefreshToken(ports)(signedIn.accessToken)())
  const answers = async () => [
    failureOf(await authenticate(ports)(signedIn.accessToken)()),
    failureOf(await refreshSession(ports)(claims)()),
  ]
  for (const set of [{ passwordHash: 'hash of another' }, { removedAt: NOW }]) {
    const before = await ports.store.find(byId(users, caller.userId))
    await ports.store.commit([patch(users, caller.userId, { set, when: always })])
    t.deepEqual(await answers(), [INVALID, INVALID])
    const { passwordHash = null, removedAt = null } = before ?? {}
    await ports.store.commit([patch(users, caller.userId, { set: { passwordHash, removedAt }, when: always })])
  }
  t.is(failureOf(await authenticate(ports)(signedIn.accessToken)()), null)
})

test('ends the oldest of two hundred sessions at a further one, those of a person and of a program apart', async (t) => {
  const { pay, clock, merchant } = openPayments()
  const { token, apiKey } = await merchant({ email: 'maria@example.com' })
  const isGood = async (of: string | undefined) =>
    failureOf(await pay.sessions.authenticate(of ?? null, ORIGIN)()) === null
  const entered = async (enter: () => Promise<{ readonly accessToken: string }>, count: number) => {
    const tokens: string[] = []
    while (tokens.length < count) {
      clock.advance(1)
      tokens.push((await enter()).accessToken)
    }
    return tokens
  }
  const credentials = { email: 'maria@example.com', password: PASSWORD }
  const logIn = async () => right(await pay.sessions.logIn(credentials, ORIGIN)())
  const [own] = await entered(logIn, 199)
  t.true(await isGood(token))
  await logIn()
  t.deepEqual([await isGood(token), await isGood(own)], [false, true])
  const exchange = async () => right(await pay.sessions.exchangeKey({ email: credentials.email, apiKey }, ORIGIN)())
  const [first, second] = await entered(exchange, 201)
  t.deepEqual([await isGood(first), await isGood(second), await isGood(own)], [false, true, true])
  await logIn()
  t.deepEqual([await isGood(second), await isGood(own)], [true, false])
})

test('binds an API-key session to its account, and no sign-in', async (t) => {
  const { fresh, user } = await withSession()
  const boundTo = (of: { readonly accountId: number | null; readonly lifeSeconds?: number }) => {
    const { session } = openSession(fresh(), { userId: 1, origin: ORIGIN, passwordMark: null, ...of })
    const { value } = right(
      decideCaller({ digest }, { session, user, memberships: { records: [], total: null } }, claimsOf(session)),
    )
    return [boundAccountOf(session), value(() => null).boundTo]
  }
  t.deepEqual(boundTo({ accountId: 5, lifeSeconds: 600 }), [5, 5])
  t.deepEqual(boundTo({ accountId: 5 }), [null, null])
  t.deepEqual(boundTo({ accountId: null }), [null, null])
})

test('accepts one of two simultaneous logouts, and rejects that of an unknown session', async (t) => {
  const { ports, caller } = await withPerson()
  const both = await Promise.all([logOut(ports)(caller)(), logOut(ports)(caller)()])
  t.deepEqual(failuresOf(both), [INVALID])
  t.deepEqual(failureOf(await logOut(ports)({ ...caller, sessionId: 'unknown' })()), INVALID)
})

test('shows the user, verified at a time of São Paulo, and the organizations, newest first', async (t) => {
  const { ports, clock, again, signedIn, caller } = await withPerson()
  t.like(onWire(meView, right(await readMe(ports)(caller)())), { organizations: [], email_verified_at: null })
  for (const [name, document] of [['Padaria', '11222333000181'] as const, ['Oficina', '52998224725'] as const]) {
    right(await openAccount(ports)(caller, { name, email: null, document })())
    clock.advance(1)
  }
  const set = { emailVerifiedAt: '2026-11-23T13:10:00.000Z' }
  await ports.store.commit([patch(users, 1, { set, when: always })])
  const me = onWire(meView, right(await readMe(ports)(await again(signedIn.accessToken))()))
  t.like(me, { id: 1, name: 'Maria', email: 'maria@example.com', phone: null })
  t.is(me.email_verified_at, '2026-11-23T10:10:00-03:00')
  t.deepEqual(
    me.organizations.map(({ id, name, status }: Record<string, unknown>) => [id, name, status]),
    [
      [2, 'Oficina', 'INACTIVE'],
      [1, 'Padaria', 'INACTIVE'],
    ],
  )
  t.deepEqual(Object.keys(me.organizations[0] ?? {}), ['id', 'uuid', 'name', 'status'])
})

test('accepts one of two simultaneous refreshes, and keeps the session', async (t) => {
  const { ports, every, person } = openPayments()
  const { signedIn } = await person('maria@example.com')
  const claims = right(await readRefreshToken(ports)(signedIn.accessToken)())
  const both = await Promise.all([refreshSession(ports)(claims)(), refreshSession(ports)(claims)()])
  t.deepEqual(both.map((each) => failureOf(each)?.code ?? null).sort(), [null, 'token.invalid'].sort())
  t.is((await every(sessions))[0]?.endedAt, null)
})

test('repeats a refresh under its key for a minute, in any process, and never for an ended session', async (t) => {
  const { ports, clock, every, person } = openPayments()
  const { signedIn } = await person('maria@example.com')
  const claims = right(await readRefreshToken(ports)(signedIn.accessToken)())
  const refresh = (key: string | null) => refreshSession({ ...ports, ids: idPool(ports.store) })(claims, key)()
  const first = right(await refresh('key-1'))
  clock.advance(59)
  t.deepEqual(right(await refresh('key-1')), first)
  const next = right(await readRefreshToken(ports)(first.accessToken)())
  const second = right(await refreshSession(ports)(next, 'key-2')())
  t.not(second.accessToken, first.accessToken)
  clock.advance(1)
  const [before] = await every(sessions)
  t.deepEqual(right(await refreshSession(ports)(next, 'key-2')()), second)
  clock.advance(59)
  t.deepEqual(failureOf(await refreshSession(ports)(next, 'key-2')()), INVALID)
  const [after] = await every(sessions)
  t.deepEqual([before?.endedAt, typeof after?.endedAt], [null, 'string'])
  t.deepEqual(failureOf(await refreshSession(ports)(next, 'key-2')()), INVALID)
})

test('ends the session of a token that another key or none had refreshed', async (t) => {
  for (const [key, other] of [
    ['key-1', 'key-2'],
    ['key-1', null],
    [null, 'key-1'],
    // Malformed keys count as none.
    ['', ''],
    ['x'.repeat(256), 'x'.repeat(256)],
  ] as const) {
    const { ports, every, person } = openPayments()
    const { signedIn } = await person('maria@example.com')
    const claims = right(await readRefreshToken(ports)(signedIn.accessToken)())
    right(await refreshSession(ports)(claims, key)())
    t.deepEqual(failureOf(await refreshSession(ports)(claims, other)()), INVALID)
    t.not((await every(sessions))[0]?.endedAt, null)
  }
})

test('a guarded session has a recent password for ten minutes, and again after its confirmation', async (t) => {
  const { ports, clock } = openPayments()
  const input = { name: 'Maria', email: 'maria@example.com', password: PASSWORD, phone: null }
  const { accessToken } = right(await register(ports)({ ...input, guarded: true }, ORIGIN)())
  const isRecent = async () => isPasswordRecent(ports, right(await authenticate(ports)(accessToken)()))
  clock.advance(599)
  t.true(await isRecent())
  clock.advance(1)
  t.false(await isRecent())
  const caller = right(await authenticate(ports)(accessToken)())
  const confirm = (password: string) => confirmPassword(ports)(caller, { password }, ORIGIN)()
  t.deepEqual(failureOf(await confirm('wrong password'))?.code, 'password.wrong')
  t.false(await isRecent())
  right(await confirm(PASSWORD))
  clock.advance(599)
  t.true(await isRecent())
})
