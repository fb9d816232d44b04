import test from 'ava'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { changeUser } from '../../../../core/payments/access/change-user.ts'
import { decideRemoval, decideTeamMemberUpdate } from '../../../../core/payments/access/team-changes.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { reserveUnique } from '../../../../core/payments/claim.ts'
import { memberships, teamOf } from '../../../../core/payments/members/membership.ts'
import { type User, users } from '../../../../core/payments/members/user.ts'
import { aMembership, anAccount, kindsOf } from '../records.ts'
import { column, failureOf, NOW, openPayments, right } from '../world.ts'

const user: User = {
  id: 2,
  name: 'João',
  email: 'joao@example.com',
  phone: null,
  document: '52998224725',
  passwordHash: 'hash',
  emailVerifiedAt: NOW,
  createdAt: NOW,
  updatedAt: NOW,
  removedAt: null,
  documentPassedAt: null,
  secondFactorAt: null,
}
const membership = (roleId: number, accountId = 1) => aMembership({ id: 9, userId: 2, accountId, roleId })
const { fresh, ports } = openPayments()
const notice = { admins: [], by: null }
const COLLEAGUE = { userId: 77, boundTo: null }
const SELF = { userId: user.id, boundTo: null, passwordFreshUntil: '9999-12-31T00:00:00.000Z' }

test('keeps the last ADMIN, and counts the removal of one of two', (t) => {
  const removal = (admins: number, roleId = 1, status = 1) =>
    decideRemoval(
      ports,
      {
        member: { user, membership: { ...membership(roleId), status } },
        account: anAccount({ admins }),
        other: membership(2, 5),
        alive: [],
        notice,
      },
      COLLEAGUE,
      fresh(),
    )
  t.like(failureOf(removal(1)), { tag: 'invalid', code: 'user.last-admin' })
  const { changes } = right(removal(2))
  t.deepEqual(kindsOf(changes), [
    'remove payments.memberships',
    'patch payments.accounts',
    'check payments.memberships',
  ])
  t.like(changes[1] ?? {}, { add: { admins: -1 } })
  t.deepEqual(kindsOf(right(removal(1, 2)).changes), ['remove payments.memberships', 'check payments.memberships'])
  t.deepEqual(kindsOf(right(removal(1, 1, 0)).changes), ['remove payments.memberships', 'check payments.memberships'])
})

test('removes the user with the last membership, and releases e-mail and document', (t) => {
  const facts = { member: { user, membership: membership(2) }, account: anAccount(), other: null, alive: [], notice }
  const { changes } = right(decideRemoval(ports, facts, COLLEAGUE, fresh()))
  t.deepEqual(
    changes.filter(({ at }) => !at[0].startsWith('payments.audit')).map(({ kind, at }) => `${kind} ${at.join('/')}`),
    [
      'remove payments.memberships/9',
      'patch payments.users/2',
      'remove payments.claims/email:joao@example.com',
      'remove payments.claims/user-document:52998224725',
    ],
  )
  t.like(failureOf(decideRemoval(ports, facts, SELF, fresh())), { code: 'user.self' })
  t.like(failureOf(decideRemoval(ports, { ...facts, member: null }, COLLEAGUE, fresh())), { code: 'user.unknown' })
})

test('lets only the user change e-mail and password if they belong to other accounts', (t) => {
  const facts = {
    account: anAccount(),
    member: { user, membership: membership(2) },
    isShared: true,
    email: null,
    document: null,
    alive: [],
    ownMemberships: [],
    notice,
  }
  for (const wanted of [{ email: 'x@example.com' }, { passwordHash: 'another' }]) {
    t.like(failureOf(decideTeamMemberUpdate(ports, facts, COLLEAGUE, wanted, {}, fresh())), {
      tag: 'forbidden',
      code: 'user.shared',
    })
    t.is(failureOf(decideTeamMemberUpdate(ports, facts, SELF, wanted, {}, fresh())), null)
    // A program with the account's API key acts under the user's id.
    const program = { ...SELF, boundTo: 1 }
    t.like(failureOf(decideTeamMemberUpdate(ports, facts, program, wanted, {}, fresh())), { code: 'user.shared' })
    t.is(failureOf(decideTeamMemberUpdate(ports, { ...facts, isShared: false }, COLLEAGUE, wanted, {}, fresh())), null)
  }
  t.is(failureOf(decideTeamMemberUpdate(ports, facts, COLLEAGUE, { email: user.email, name: 'x' }, {}, fresh())), null)
  t.deepEqual(right(decideTeamMemberUpdate(ports, facts, COLLEAGUE, {}, {}, fresh())).changes, [])
})

test('counts ADMINs on a change of role or status, and keeps the last one', (t) => {
  const nothing = { isShared: false, email: null, document: null, alive: [], ownMemberships: [], notice }
  const change = (roleId: number, admins: number, wanted: { roleId?: number; status?: number }) =>
    decideTeamMemberUpdate(
      ports,
      { ...nothing, account: anAccount({ admins }), member: { user, membership: membership(roleId) } },
      COLLEAGUE,
      {},
      wanted,
      fresh(),
    )
  for (const wanted of [{ roleId: 2 }, { status: 0 }]) {
    const [path = ''] = Object.keys(wanted)
    t.like(failureOf(change(1, 1, wanted)), { code: 'user.last-admin', issues: [{ path }] })
    t.like(right(change(1, 2, wanted)).changes[1] ?? {}, { add: { admins: -1 } })
    t.deepEqual(kindsOf(right(change(3, 1, wanted)).changes), ['patch payments.memberships'])
  }
  t.like(right(change(3, 1, { roleId: 1 })).changes[1] ?? {}, { add: { admins: 1 } })
  t.deepEqual(right(change(3, 1, { roleId: 3, status: 1 })).changes, [])
})

const REMOVED_ADMIN = {
  member: { user, membership: membership(1) },
  account: anAccount({ admins: 2 }),
  alive: [],
  notice,
}

for (const [what, written] of [
  ['the record of the user', patch(users, 2, { set: { updatedAt: '2030-01-01T00:00:00.000Z' }, when: always })],
  ['the role', patch(memberships, 9, { set: { roleId: 3 }, when: always })],
  ['the number of ADMINs', patch(accounts, 1, { set: { admins: 1 }, when: always })],
] as const)
  test(`does not commit the removal of a user if ${what} has changed since the read`, async (t) => {
    const { store } = openPayments().ports
    const { member, account } = REMOVED_ADMIN
    await store.commit([
      insert(users, user),
      insert(memberships, member.membership),
      insert(accounts, account),
      reserveUnique('email', user.email, user.id, null),
      reserveUnique('user-document', user.document ?? '', user.id, null),
    ])
    const { changes } = right(decideRemoval(ports, { ...REMOVED_ADMIN, other: null }, COLLEAGUE, fresh()))
    await store.commit([written])
    t.like(await store.commit(changes), { ok: false, stale: [...written.at] })
  })

test('makes the second of two simultaneous changes of a user read again', async (t) => {
  const { ports } = openPayments()
  await ports.store.commit([insert(users, user), insert(memberships, { ...membership(3), search: 'joão' })])
  const facts = { email: null, document: null, alive: [], ownMemberships: [membership(3)] }
  const renamed = right(changeUser(user, { name: 'João Lima' }, facts, NOW))
  const moved = right(changeUser(user, { phone: '11 97777-0000' }, facts, NOW))
  t.true((await ports.store.commit(renamed.changes)).ok)
  t.false((await ports.store.commit(moved.changes)).ok)
})

test('notifies the people of an account despite hundreds of newer programs and inactive members', async (t) => {
  const { ports } = openPayments()
  const later = '2030-01-01T00:00:00.000Z'
  const others = Array.from({ length: 300 }, (_, at) => {
    const gone = at % 2 === 0 ? { roleId: 5 } : { status: 0 }
    return insert(memberships, { ...membership(2), ...gone, id: 100 + at, userId: 100 + at, createdAt: later })
  })
  await ports.store.commit([insert(memberships, membership(3)), ...others])
  const { records } = await ports.store.list(teamOf(1))
  t.deepEqual(column(records, 'userId'), [2])
})

test('ends the sessions of a user who is removed with the last membership', (t) => {
  const alive = [{ id: 's1' }] as unknown as Parameters<typeof decideRemoval>[1]['alive']
  const facts = { member: { user, membership: membership(2) }, account: anAccount(), other: null, alive, notice }
  const ended = right(decideRemoval(ports, facts, COLLEAGUE, fresh())).changes.filter(({ at }) => at[1] === 's1')
  t.like(ended, [{ kind: 'patch', set: { endedAt: NOW } }])
})
