import test from 'ava'
import { authenticate } from '../../../../core/payments/access/authenticate.ts'
import { codes } from '../../../../core/payments/access/code.ts'
import { codeHash } from '../../../../core/payments/access/code-tries.ts'
import { decideRegister, register } from '../../../../core/payments/access/register.ts'
import { sessions, tokenView } from '../../../../core/payments/access/session.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { onWire } from '../../kernel/input/reads.ts'
import { failureOf, failuresOf, NOW, ORIGIN, PASSWORD, right, taken, testPorts } from './test-ports.ts'

const MARIA = { name: 'Maria', email: 'maria@example.com', password: PASSWORD, phone: '+55 11 99999-0000' }
const TAKEN = taken('email')

test('stores a user with a hashed password, and signs in with a token without an account', async (t) => {
  const { ports, every } = testPorts()
  const signedIn = right(await register(ports)(MARIA, ORIGIN)())
  t.is((await every(users))[0]?.passwordHash, `hash of ${PASSWORD}`)
  t.false(JSON.stringify(await every(sessions)).includes(PASSWORD))
  t.deepEqual(onWire(tokenView, signedIn), {
    access_token: signedIn.accessToken,
    token_type: 'bearer',
    expires_in: 3600,
    user: { id: 1, name: 'Maria', email: 'maria@example.com', phone: '+55 11 99999-0000', email_verified_at: null },
  })
  const claims = ports.tokens.read(signedIn.accessToken)
  t.is(claims?.sub, 1)
  t.is(claims?.iat, Math.floor(Date.parse(NOW) / 1000))
  t.is(claims?.exp, Math.floor(Date.parse(NOW) / 1000) + 3600)
  t.false('acc' in (claims ?? {}))
  const caller = right(await authenticate(ports)(signedIn.accessToken)())
  t.like(caller, { userId: 1, sessionId: claims?.sid, tokenAccountId: null })
})

test('mails the code on a line of its own, and stores only its hash', async (t) => {
  const { ports, every, mailsTo } = testPorts()
  right(await register(ports)(MARIA, ORIGIN)())
  const [mail = ''] = await mailsTo('maria@example.com')
  const lines = mail.split('\n').filter((line) => /^\d{6}$/.test(line))
  t.is(lines.length, 1)
  const [code] = await every(codes)
  t.like(code, { id: 'maria@example.com', userId: 1, flow: 'verify', triesLeft: 20, verifySentAt: null })
  t.is(code?.expiresAt, '2026-11-21T14:05:09.123Z')
  t.is(code?.hash, codeHash(ports.cipher, code?.codeId ?? '', lines[0] ?? ''))
  t.false(JSON.stringify(code).includes(lines[0] ?? 'no code'))
})

const NEWCOMER = { name: 'Maria', email: 'maria@example.com', phone: null, passwordHash: 'hash' }

test('creates one user for twenty simultaneous registrations of one e-mail', async (t) => {
  const { ports, every, mailsTo } = testPorts()
  const tries = Array.from({ length: 20 }, (_, index) =>
    register(ports)({ ...MARIA, name: `Maria ${index}` }, ORIGIN)(),
  )
  t.deepEqual(failuresOf(await Promise.all(tries)), Array(19).fill(TAKEN))
  t.is((await every(users)).length, 1)
  t.is((await every(sessions)).length, 1)
  t.is((await mailsTo('maria@example.com')).length, 1)
})

test('replaces the code of an e-mail that is free again', async (t) => {
  const { ports, fresh, every } = testPorts()
  right(await register(ports)(MARIA, ORIGIN)())
  const [code = null] = await every(codes)
  const { changes } = right(
    decideRegister(ports, { claim: null, code, tries: null }, NEWCOMER, { origin: ORIGIN }, fresh()),
  )
  const change = changes.find(({ at }) => at[0] === codes.name)
  t.like(change, { kind: 'patch', when: { eq: ['codeId', code?.codeId ?? ''] } })
})

test('stores nothing if the store crashes', async (t) => {
  const { ports, every } = testPorts({ fault: () => 'crash-before' })
  t.is(failureOf(await register(ports)(MARIA, ORIGIN)())?.tag, 'unavailable')
  t.deepEqual([await every(users), await every(sessions), await every(codes)], [[], [], []])
})
