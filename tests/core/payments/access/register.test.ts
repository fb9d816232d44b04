import test from 'ava'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { insert } from '../../../../core/kernel/records/record.ts'
import { authenticate } from '../../../../core/payments/access/authenticate.ts'
import { codes } from '../../../../core/payments/access/code.ts'
import { codeHash } from '../../../../core/payments/access/code-tries.ts'
import { decideRegister, register } from '../../../../core/payments/access/register.ts'
import { sessions, tokenView } from '../../../../core/payments/access/session.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { reserveUnique } from '../../../../core/payments/claim.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { ADMIN, API } from '../../../../core/payments/payments-ports.ts'
import { byId } from '../../../../core/ports/store.ts'
import { onWire } from '../../kernel/input/reads.ts'
import { anAccount } from '../records.ts'
import {
  failureOf,
  failuresOf,
  NOW,
  ORIGIN,
  openPayments,
  PASSWORD,
  right,
  taken,
  WORLD_COLLECTIONS,
  withPerson,
} from '../world.ts'

const MARIA = { name: 'Maria', email: 'maria@example.com', password: PASSWORD, phone: '+55 11 99999-0000' }
const TAKEN = taken('email')

test('stores a user with a hashed password, and signs in with a token without an account', async (t) => {
  const { ports, every } = openPayments()
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
  const { ports, every, mailsTo } = openPayments()
  right(await register(ports)(MARIA, ORIGIN)())
  const [mail = ''] = await mailsTo('maria@example.com')
  const lines = mail.split('\n').filter((line) => /^\d{6}$/.test(line))
  t.is(lines.length, 1)
  const [code] = await every(codes)
  t.like(code, { id: 'maria@example.com', userId: 1, flow: 'verify', triesLeft: 20, verifySentAt: null })
  t.is(code?.expiresAt, '2026-11-23T14:05:09.123Z')
  t.is(code?.hash, codeHash(ports.cipher, code?.codeId ?? '', lines[0] ?? ''))
  t.false(JSON.stringify(code).includes(lines[0] ?? 'no code'))
})

const NEWCOMER = { name: 'Maria', email: 'maria@example.com', phone: null, passwordHash: 'hash' }

test('rejects an e-mail that a pending registration has claimed', (t) => {
  const { ports, fresh } = openPayments()
  const claim = { id: 'email:maria@example.com', accountId: null, holder: 'a registration' }
  t.deepEqual(
    failureOf(decideRegister(ports, { claim, code: null, tries: null }, NEWCOMER, { origin: ORIGIN }, fresh())),
    TAKEN,
  )
})

test('creates one user for twenty simultaneous registrations of one e-mail', async (t) => {
  const { ports, every, mailsTo } = openPayments()
  const tries = Array.from({ length: 20 }, (_, index) =>
    register(ports)({ ...MARIA, name: `Maria ${index}` }, ORIGIN)(),
  )
  t.deepEqual(failuresOf(await Promise.all(tries)), Array(19).fill(TAKEN))
  t.is((await every(users)).length, 1)
  t.is((await every(sessions)).length, 1)
  t.is((await mailsTo('maria@example.com')).length, 1)
})

test('replaces the code of an e-mail that is free again', async (t) => {
  const { ports, fresh, every } = openPayments()
  right(await register(ports)(MARIA, ORIGIN)())
  const [code = null] = await every(codes)
  const { changes } = right(
    decideRegister(ports, { claim: null, code, tries: null }, NEWCOMER, { origin: ORIGIN }, fresh()),
  )
  const change = changes.find(({ at }) => at[0] === codes.name)
  t.like(change, { kind: 'patch', when: { eq: ['codeId', code?.codeId ?? ''] } })
})

test('stores nothing if the store crashes', async (t) => {
  const { ports, every } = openPayments({ store: memoryStore(WORLD_COLLECTIONS, { fault: () => 'crash-before' }) })
  t.is(failureOf(await register(ports)(MARIA, ORIGIN)())?.tag, 'unavailable')
  t.deepEqual([await every(users), await every(sessions), await every(codes)], [[], [], []])
})

const MEMBER = { name: 'João', email: 'joao@example.com', roleId: 2, password: 'correto e longo' }

const withCaller = async () => {
  const here = await withPerson()
  const actor = { userId: 1, accountId: 1, roleId: ADMIN.id, permissions: ADMIN.permissions, boundTo: null }
  return { ...here, actor }
}

test('normalizes the input of a program like that of the wire', async (t) => {
  const { pay, actor, caller, ports, every } = await withCaller()
  const account = anAccount()
  await ports.store.commit([insert(accounts, account), reserveUnique('document', account.document, 1, 1)])
  const input = { ...MEMBER, name: ' Joa\u0303o ', email: 'Joao@Example.com', document: '529.982.247-25', phone: ' ' }
  const { user } = right(await pay.team.add(actor, input)())
  t.like(user, { name: 'João', email: 'joao@example.com', document: '52998224725', phone: null })
  right(await pay.sessions.logIn({ email: ' JOAO@EXAMPLE.COM', password: MEMBER.password }, ORIGIN)())
  const changed = right(await pay.team.update(actor, user.id, { document: '111.444.777-35' })())
  t.is(changed.user.document, '11144477735')
  const program = { name: 'Caixa', email: 'caixa@example.com', roleId: API.id }
  const { id } = right(await pay.team.add(actor, program)()).user
  t.is((await ports.store.find(byId(users, id)))?.passwordHash, null)
  const organization = right(await pay.organizations.update(actor, { document: '11.444.777/0001-61', email: '' })())
  t.like(organization, { document: '11444777000161', email: null })
  right(await pay.codes.sendVerification(caller, { email: ' Maria@Example.com ' })())
  t.is((await every(codes)).length, 1)
})

test('lists the first page of the default length without paging', async (t) => {
  const { pay, actor, caller } = await withCaller()
  t.like(right(await pay.team.list(actor, {})()), { page: 1, perPage: 15, total: 0 })
  t.like(right(await pay.team.listMemberships(actor, 'people', {})()), { page: 1, perPage: 100, total: 0 })
  t.like(right(await pay.organizations.list(caller, {})()), { page: 1, perPage: 15, total: 0 })
  t.like(right(await pay.notifications.list(caller, {})()), { page: 1, perPage: 15, unread: 0 })
})
