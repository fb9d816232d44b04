import test from 'ava'
import { aesCipher } from '../../../../adapters/crypto/cipher.ts'
import { digest } from '../../../../adapters/crypto/digest.ts'
import {
  type Code,
  codeHash,
  newCode,
  secondsToNextCode,
  tryCode,
} from '../../../../core/payments/identity/codes/code.ts'
import { decideRefresh } from '../../../../core/payments/identity/sessions/refresh-session.ts'
import { claimsOf, openSession, passwordMark, sessions } from '../../../../core/payments/identity/sessions/session.ts'
import { users } from '../../../../core/payments/identity/user.ts'
import { failureOf, NOW, ORIGIN, right, world } from './world.ts'

const cipher = aesCipher(new Uint8Array(32).fill(7))

const code: Code = {
  id: 'maria@example.com',
  userId: 1,
  flow: 'verify',
  codeId: 'c-1',
  hash: codeHash(cipher, 'c-1', '123456'),
  triesLeft: 5,
  expiresAt: '2026-11-21T14:05:09.123Z',
  verifySentAt: null,
  recoverySentAt: NOW,
  legacyRecoverySentAt: null,
  createdAt: NOW,
}
test('whoever reads a stored code cannot try the million that it may be: that takes the operator’s key', (t) => {
  t.not(codeHash(aesCipher(new Uint8Array(32).fill(8)), 'c-1', '123456'), code.hash)
  t.not(codeHash(cipher, 'c-2', '123456'), code.hash)
})

const tried = (over: Partial<Code>, digits = '123456') =>
  tryCode({ cipher, digest }, { ...code, ...over }, 'verify', digits, NOW)

test('a right code is used up, a wrong one costs a try, each guarded by the tries that were left', (t) => {
  t.like(tried({}), { isRight: true, changes: [{ set: { hash: null } }] })
  t.like(tried({}, '654321'), { isRight: false, changes: [{ add: { triesLeft: -1 } }] })
  const [guard] = tried({ triesLeft: 3 }, '654321').changes
  t.true(JSON.stringify(guard).includes('"eq":["triesLeft",3]'))
})

test('where there is no code to try nothing is right and nothing changes', (t) => {
  const NOTHING = { isRight: false, changes: [] }
  t.deepEqual(tryCode({ cipher, digest }, null, 'verify', '123456', NOW), NOTHING)
  for (const over of [{ flow: 'recovery' }, { hash: null }, { triesLeft: 0 }, { expiresAt: NOW }] as const) {
    t.deepEqual(tried(over), NOTHING, JSON.stringify(over))
  }
})

test('two minutes are counted for each flow alone, and only from what was asked for', (t) => {
  t.is(secondsToNextCode(null, 'verify', NOW), 0)
  t.is(secondsToNextCode(code, 'verify', NOW), 0)
  t.is(secondsToNextCode(code, 'recovery', NOW), 120)
  t.is(secondsToNextCode(code, 'recovery', '2026-11-21T13:07:08.123Z'), 1)
  t.is(secondsToNextCode(code, 'recovery', '2026-11-21T13:07:09.123Z'), 0)
  const { fresh } = world()
  const to = { email: code.id, userId: 1, flow: 'verify' } as const
  for (const [isAskedFor, sentAt] of [
    [true, NOW],
    [false, null],
  ] as const) {
    const { change } = newCode(cipher, fresh(), null, to, isAskedFor)
    t.like(change, { kind: 'insert', record: { verifySentAt: sentAt, recoverySentAt: null, triesLeft: 5 } })
  }
})

test('the decision alone: only the present token of a living session is renewed', async (t) => {
  const { ports, every, fresh, somebody } = world()
  await somebody('maria@example.com')
  const [user = null] = await every(users)
  const { session } = openSession(fresh(), { userId: 1, accountId: 7, origin: ORIGIN, passwordMark: null })
  const claims = claimsOf(session)
  const decide = (over: Partial<typeof session>, of = claims, wasPresent = true) =>
    right(decideRefresh(ports, { session: { ...session, ...over }, user }, of, wasPresent, fresh()))
  const renewed = decide({})
  const taken = () => null
  t.is(ports.tokens.read(right(renewed.value(taken)).accessToken)?.acc, 7)
  t.like(renewed.changes, [{ kind: 'patch', at: [sessions.name, session.id], set: { lastUsedAt: NOW } }])

  const earlier = decide({}, { ...claims, jti: 'earlier' }, false)
  t.is(failureOf(earlier.value(taken))?.code, 'token.invalid')
  t.like(earlier.changes, [{ set: { endedAt: NOW } }])
  t.deepEqual(decide({ jti: 'a newer one' }, claims, true).changes, [])

  for (const over of [{ endedAt: NOW }, { refreshUntil: null }, { refreshUntil: NOW }, { userId: 2 }]) {
    const refused = decideRefresh(ports, { session: { ...session, ...over }, user }, claims, true, fresh())
    t.is(failureOf(refused)?.code, 'token.invalid', JSON.stringify(over))
  }
  const others = [null, user && { ...user, removedAt: NOW }, user && { ...user, passwordHash: 'another' }]
  const marked = { ...session, passwordMark: passwordMark(ports, user?.passwordHash ?? null) }
  t.is(failureOf(decideRefresh(ports, { session: marked, user }, claims, true, fresh())), null)
  for (const other of others)
    t.is(
      failureOf(decideRefresh(ports, { session: marked, user: other }, claims, true, fresh()))?.code,
      'token.invalid',
    )
})
