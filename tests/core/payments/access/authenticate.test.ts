import test from 'ava'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import type { UseCase } from '../../../../core/kernel/running/use-case.ts'
import { type Generation, resolveAccount } from '../../../../core/payments/access/authenticate.ts'
import { environmentPrefix } from '../../../../core/payments/access/named-key.ts'
import { type Account, accounts } from '../../../../core/payments/accounts/account.ts'
import { type Membership, memberships } from '../../../../core/payments/members/membership.ts'
import { payments } from '../../../../core/payments/payments.ts'
import { ROLES } from '../../../../core/payments/payments-ports.ts'
import { aMembership, anAccount } from '../records.ts'
import { failureOf, NOW, ORIGIN, right, withPerson } from '../world.ts'

const UNNAMED = { account: null, organization: null }
const NONE = { tag: 'not-found', code: 'organization.none' }
const UNKNOWN = { tag: 'not-found', code: 'organization.unknown' }
const FOREIGN = { tag: 'forbidden', code: 'account.foreign' }
const uuidOf = (id: number): string => `00000000-0000-4000-8000-${`${id}`.padStart(12, '0')}`

/** Maria belongs to accounts 1 to 3, the last one newest, and not to 4. */
const withAccounts = async (count = 3) => {
  const here = await withPerson()
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  const times = ids.map((id) => new Date(Date.parse(NOW) + id * 1000).toISOString())
  await here.ports.store.commit([
    ...[...ids, count + 1].map((id) => insert(accounts, anAccount({ id, uuid: uuidOf(id) }))),
    ...ids.map((id, index) => insert(memberships, aMembership({ id, accountId: id, createdAt: times[index] ?? NOW }))),
    insert(memberships, aMembership({ id: count + 1, accountId: count + 1, userId: 2 })),
  ])
  const set = (id: number, fields: Partial<Account>) =>
    here.ports.store.commit([patch(accounts, id, { set: fields, when: always })])
  const membership = (id: number, fields: Partial<Membership>) =>
    here.ports.store.commit([patch(memberships, id, { set: fields, when: always })])
  const resolve = async (
    named: { readonly account?: string; readonly organization?: string } = {},
    { generation = 'v1' as Generation, tokenAccountId = null as number | null, boundTo = null as number | null } = {},
  ) => {
    const caller = { ...(await here.again(here.signedIn.accessToken)), tokenAccountId, boundTo }
    return resolveAccount(here.ports)(caller, { ...UNNAMED, ...named }, generation)()
  }
  return { ...here, resolve, set, membership }
}

test('takes the account from the account id, else the organization, else the token, else the newest membership', async (t) => {
  const { resolve } = await withAccounts()
  const both = { account: '1', organization: uuidOf(2) }
  t.is(right(await resolve(both, { tokenAccountId: 3 })).accountId, 1)
  t.is(right(await resolve({ organization: uuidOf(2) }, { tokenAccountId: 1 })).accountId, 2)
  t.is(right(await resolve({ organization: uuidOf(2).toUpperCase() })).accountId, 2)
  t.is(right(await resolve({}, { tokenAccountId: 2 })).accountId, 2)
  t.is(right(await resolve()).accountId, 3)
})

test('rejects an unknown or foreign account that a request names, and takes no other instead', async (t) => {
  const { resolve } = await withAccounts()
  const foreign = [
    { account: '4' },
    { account: '99' },
    { account: 'abc' },
    { account: '1e0' },
    { account: '-1' },
    { account: '9'.repeat(40) },
    { organization: uuidOf(4) },
    { organization: uuidOf(99) },
    { organization: '1' },
    { account: '4', organization: uuidOf(1) },
  ]
  for (const named of foreign) {
    t.deepEqual(failureOf(await resolve(named)), UNKNOWN, JSON.stringify(named))
    t.deepEqual(failureOf(await resolve(named, { generation: 'legacy' })), FOREIGN, JSON.stringify(named))
  }
  t.deepEqual(failureOf(await resolve({}, { tokenAccountId: 4, generation: 'legacy' })), FOREIGN)
})

test('limits an API-key token to its account, even if its user belongs to others', async (t) => {
  const { resolve, membership } = await withAccounts()
  for (const named of [{}, { account: '1' }, { organization: uuidOf(1) }]) {
    const member = right(await resolve(named, { boundTo: 1 }))
    t.like(member, { accountId: 1, boundTo: 1 }, JSON.stringify(named))
  }
  for (const named of [{ account: '3' }, { account: '4' }, { organization: uuidOf(3) }]) {
    t.deepEqual(failureOf(await resolve(named, { boundTo: 1 })), UNKNOWN, JSON.stringify(named))
    t.deepEqual(failureOf(await resolve(named, { boundTo: 1, generation: 'legacy' })), FOREIGN, JSON.stringify(named))
  }
  await membership(1, { status: 0 })
  t.deepEqual(failureOf(await resolve({}, { boundTo: 1 })), UNKNOWN)
})

test('fails with organization.none for a caller without an organization, on both generations', async (t) => {
  const { resolve, set } = await withAccounts(1)
  await set(1, { removedAt: NOW })
  t.deepEqual(failureOf(await resolve()), NONE)
  t.deepEqual(failureOf(await resolve({}, { generation: 'legacy' })), NONE)
  t.deepEqual(failureOf(await resolve({ account: '2' })), UNKNOWN)
})

test('finds the only remaining organization after forty removed ones, also by uuid', async (t) => {
  const { resolve, set } = await withAccounts(41)
  for (let id = 2; id <= 41; id += 1) await set(id, { removedAt: NOW })
  t.is(right(await resolve()).accountId, 1)
  t.is(right(await resolve({ organization: uuidOf(1) })).accountId, 1)
})

test('finds caller and account in two reads', async (t) => {
  const { resolve, reads } = await withAccounts()
  const named = [{}, { account: '1' }, { organization: uuidOf(2) }]
  for (const each of named) {
    const before = reads()
    right(await resolve(each))
    t.is(reads() - before, 2, JSON.stringify(each))
  }
})

test('finds the account of the last request in the read of the caller', async (t) => {
  const { resolve, reads } = await withAccounts()
  right(await resolve())
  for (const each of [{}, { account: '3' }, { organization: uuidOf(3) }]) {
    const before = reads()
    t.is(right(await resolve(each)).accountId, 3)
    t.is(reads() - before, 1, JSON.stringify(each))
  }
})

test('applies a removed account, an ended membership and a new role although the account was guessed', async (t) => {
  const { ports, resolve, set, membership } = await withAccounts()
  right(await resolve())
  await set(3, { status: 'SUSPENDED' })
  t.is(right(await resolve()).account.status, 'SUSPENDED')
  await membership(3, { roleId: 4 })
  t.is(right(await resolve()).roleId, 4)
  await membership(3, { status: 0 })
  t.is(right(await resolve()).accountId, 2)
  t.deepEqual(failureOf(await resolve({ account: '3' })), UNKNOWN)
  t.deepEqual(failureOf(await resolve({ organization: uuidOf(3) }, { generation: 'legacy' })), FOREIGN)
  await set(2, { removedAt: NOW, status: 'DELETED' })
  t.is(right(await resolve()).accountId, 1)
  t.deepEqual(failureOf(await resolve({ account: '2' }, { generation: 'legacy' })), UNKNOWN)
  await ports.store.commit([
    insert(memberships, aMembership({ id: 99, accountId: 4, createdAt: '2027-01-01T00:00:00.000Z' })),
  ])
  t.is(right(await resolve()).accountId, 4)
})

test('reads the account and the membership again for a caller of more than a second ago', async (t) => {
  const { ports, clock, again, signedIn, set, membership } = await withAccounts()
  await again(signedIn.accessToken)
  const caller = await again(signedIn.accessToken)
  await set(3, { status: 'SUSPENDED' })
  await membership(3, { status: 0 })
  const resolve = (account: string | null) => resolveAccount(ports)(caller, { ...UNNAMED, account }, 'v1')()
  t.is(right(await resolve(null)).account.status, 'ACTIVE')
  clock.advance(1)
  t.is(right(await resolve(null)).account.status, 'SUSPENDED')
  t.deepEqual(failureOf(await resolve('3')), UNKNOWN)
})

test('rejects a wrong key and an unknown one by the same failure after one read each', async (t) => {
  const { ports, reads, signedIn, again } = await withAccounts()
  const pay = payments(ports)
  const caller = {
    ...(await again(signedIn.accessToken)),
    accountId: 1,
    roleId: 1,
    permissions: ROLES[0]?.permissions ?? [],
    passwordRecentUntil: '2100-01-01T00:00:00.000Z',
  }
  const { key } = right(await pay.apiKeys.create(caller, { name: 'Loja', permissions: ['charges:read'] })())
  const wrong = [`${key.slice(0, -1)}x`, `${environmentPrefix(ports.settings)}${'x'.repeat(42)}`]
  for (const each of wrong) {
    const before = reads()
    t.like(failureOf(await pay.sessions.authenticate(each, ORIGIN)()), { code: 'token.invalid' })
    t.is(reads() - before, 1)
  }
  t.is(environmentPrefix({ isProduction: true }), 'portico_live_')
})

test('withholds account:write and users:write from an API-key token of every role', async (t) => {
  const { resolve, membership } = await withAccounts()
  for (const { id, permissions } of ROLES) {
    await membership(1, { roleId: id })
    const [own, byKey] = [await resolve({ account: '1' }), await resolve({ account: '1' }, { boundTo: 1 })]
    t.deepEqual(right(own).permissions, permissions)
    t.deepEqual(
      right(byKey).permissions,
      permissions.filter((each) => each !== 'account:write' && each !== 'users:write'),
    )
  }
})

test('rejects an API-key token for everything that belongs to a person, in the facade too', async (t) => {
  const { ports, signedIn, again } = await withAccounts()
  const pay = payments(ports)
  const caller = { ...(await again(signedIn.accessToken)), boundTo: 1 }
  const page = { page: 1, perPage: 10 }
  const refused: readonly UseCase<unknown>[] = [
    pay.openings.open(caller, { name: 'Outra', email: null, document: '11222333000181' }),
    pay.people.editSelf(caller, { currentPassword: 'x' }, { address: '203.0.113.7', device: null }),
    pay.codes.sendVerification(caller),
    pay.sessions.list(caller),
    pay.sessions.end(caller, caller.sessionId),
    pay.notifications.list(caller, { ...page, unreadOnly: false }),
    pay.notifications.countUnread(caller),
    pay.sessions.read(caller, caller.sessionId),
    pay.notifications.markRead(caller, 'x'),
    pay.notifications.markAllRead(caller),
    pay.notifications.remove(caller, 'x'),
    pay.notifications.removeRead(caller),
  ]
  for (const own of refused) t.deepEqual(failureOf(await own()), { tag: 'forbidden', code: 'permission.lacking' })
  t.is(right(await pay.sessions.list({ ...caller, boundTo: null })()).length, 1)
  t.is(right(await pay.sessions.read({ ...caller, boundTo: null }, caller.sessionId)()).id, caller.sessionId)
  // An embedding program names a person without a token.
  right(await pay.codes.sendVerification({ userId: 1 })())
})
