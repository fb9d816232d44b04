import test from 'ava'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { changeUser } from '../../../../core/payments/access/change-user.ts'
import { decideRemoval, decideTeamMemberUpdate } from '../../../../core/payments/access/team-changes.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { reserveUnique } from '../../../../core/payments/claim.ts'
import { memberships, teamOf } from '../../../../core/payments/members/membership.ts'
import { type User, users } from '../../../../core/payments/members/user.ts'
import { ADMIN, API, MANAGER } from '../../../../core/payments/payments-ports.ts'
import { aMembership, anAccount, kindsOf } from '../records.ts'
import { anyDocument, column, failureOf, NOW, ORIGIN, openPayments, PASSWORD, right } from '../world.ts'

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

const RUI = { name: 'Rui', email: 'rui@example.com', phone: null, password: PASSWORD }

/** A merchant whose account has a second ADMIN, a MANAGER and an inactive ADMIN, and another merchant. */
const opened = async () => {
  const world = openPayments()
  const { pay, merchant, mailsTo } = world
  const { member, signedIn } = await merchant({ email: 'ana@example.com' })
  await merchant({ email: 'eva@example.com', name: 'Padaria Sol' })
  const add = async (email: string, roleId: number) =>
    right(await pay.team.add(member, { ...RUI, email, document: anyDocument(), roleId })()).user.id
  const bia = await add('bia@example.com', ADMIN.id)
  await add('leo@example.com', MANAGER.id)
  right(await pay.team.update(member, await add('ivo@example.com', ADMIN.id), { status: 0 })())
  const everyone = ['ana', 'bia', 'leo', 'ivo', 'eva', 'rui'].map((name) => `${name}@example.com`)
  const counts = async () => Promise.all(everyone.map(async (email) => (await mailsTo(email)).length))
  /** Makes a change of the team; returns whom it notified, and the notice. */
  const notified = async (change: () => Promise<unknown>) => {
    world.clock.advance(1)
    const before = await counts()
    await change()
    const after = await counts()
    const people = everyone.filter((_, at) => after[at] !== before[at])
    const [newest = null] = people.slice(0, 1)
    return { people, notice: newest && (await mailsTo(newest)).at(-1) }
  }
  return { ...world, member, signedIn, bia, add: () => add(RUI.email, MANAGER.id), notified }
}

const ADMINS = ['ana@example.com', 'bia@example.com']

const lines = (notice: string | null | undefined) =>
  notice?.split('\n').filter((line) => /^(Conta|Membro|Novo|Perfil|Quem)/.test(line))

test('notifies the active ADMINs of an account of a new member, of a changed access and of a removal', async (t) => {
  const { pay, member, add, notified } = await opened()
  let rui = 0
  const added = await notified(async () => {
    rui = await add()
  })
  t.deepEqual(added.people, ADMINS)
  const by = 'Quem alterou: Ana Souza (ana@example.com)'
  t.deepEqual(lines(added.notice), ['Conta: Escola Aurora', 'Novo membro: rui@example.com', 'Perfil: MANAGER', by])
  t.true(added.notice?.startsWith('Olá, Ana Souza!\nA equipe da sua conta acabou de mudar.'))
  const update = (change: object) => async () => right(await pay.team.update(member, rui, change)())
  const changed = (before: string, after: string) => [
    'Conta: Escola Aurora',
    'Membro: rui@example.com',
    `Perfil anterior: ${before}`,
    `Perfil: ${after}`,
    by,
  ]
  const inactive = await notified(update({ status: 0 }))
  t.deepEqual(inactive.people, ADMINS)
  t.deepEqual(lines(inactive.notice), changed('MANAGER', 'MANAGER, inativo'))
  const raised = await notified(update({ status: 1, roleId: ADMIN.id }))
  t.deepEqual(raised.people, ADMINS)
  t.deepEqual(lines(raised.notice), changed('MANAGER, inativo', 'ADMIN'))
  const removed = await notified(async () => right(await pay.team.remove(member, rui)()))
  t.deepEqual(removed.people, ADMINS)
  t.deepEqual(lines(removed.notice), ['Conta: Escola Aurora', 'Membro removido: rui@example.com', 'Perfil: ADMIN', by])
})

test('notifies of a new program, and of no other change of a member', async (t) => {
  const { pay, member, add, notified } = await opened()
  const program = { name: 'Robô', email: 'robo@example.com', document: null, phone: null, password: null }
  const { people } = await notified(async () => right(await pay.team.add(member, { ...program, roleId: API.id })()))
  t.deepEqual(people, ADMINS)
  const rui = await add()
  const others = { name: 'Rui Reis', phone: '11 97777-0000', roleId: MANAGER.id, status: 1 }
  t.deepEqual(await notified(async () => right(await pay.team.update(member, rui, others)())), {
    people: [],
    notice: null,
  })
})

test('notifies the former address of a new e-mail, of oneself and of a member, and of no other change', async (t) => {
  const { pay, member, signedIn, again, add, mailsTo, clock } = await opened()
  const rui = await add()
  const subjects = async (email: string) => (await mailsTo(email)).map((mail) => mail.split('\n')[2] ?? '')
  const moved = async (email: string) => (await subjects(email)).filter((line) => line.startsWith('O e-mail do seu'))
  clock.advance(1)
  right(await pay.team.update(member, rui, { email: 'RUI@example.com', name: 'Rui Reis', password: 'outra e longa' })())
  t.deepEqual(await moved('rui@example.com'), [])
  right(await pay.team.update(member, rui, { email: 'novo@example.com' })())
  const caller = await again(signedIn.accessToken)
  const change = { currentPassword: PASSWORD, email: 'nova@example.com' }
  for (let times = 0; times < 2; times += 1) right(await pay.people.editSelf(caller, change, ORIGIN)())
  for (const [email, former] of [
    ['novo@example.com', 'rui@example.com'],
    ['nova@example.com', 'ana@example.com'],
  ] as const) {
    t.deepEqual(
      [await moved(former), await moved(email)].map(({ length }) => length),
      [1, 0],
      former,
    )
    t.false((await mailsTo(former)).at(-1)?.includes(email))
  }
})

test('notifies of no change that is refused', async (t) => {
  const { pay, member, notified } = await opened()
  const refused = async () => {
    await pay.team.add(member, { ...RUI, email: 'leo@example.com', document: anyDocument(), roleId: MANAGER.id })()
    await pay.team.remove(member, member.userId)()
  }
  t.deepEqual((await notified(refused)).people, [])
})

test('does not notify the member, also an ADMIN who loses the role, nor the other account of the member', async (t) => {
  const { pay, member, bia, again, notified } = await opened()
  const credentials = { email: 'bia@example.com', password: PASSWORD }
  const signedIn = right(await pay.sessions.logIn(credentials, ORIGIN)())
  const opening = { name: 'Bia ME', email: null, document: anyDocument() }
  right(await pay.openings.open(await again(signedIn.accessToken), opening)())
  const caller = await again(signedIn.accessToken)
  const own = right(await pay.access.resolveAccount(caller, { account: null, organization: null }, 'v1')())
  t.not(own.accountId, member.accountId)
  const add = async () => right(await pay.team.add(own, { ...RUI, document: anyDocument(), roleId: ADMIN.id })())
  t.deepEqual((await notified(add)).people, ['bia@example.com'])
  const demote = async () => right(await pay.team.update(member, bia, { roleId: MANAGER.id })())
  t.deepEqual((await notified(demote)).people, ['ana@example.com'])
})
