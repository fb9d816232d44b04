import test from 'ava'
import { isLeft } from '../../../../core/failure.ts'
import { insert } from '../../../../core/kernel/records/record.ts'
import type { UseCase } from '../../../../core/kernel/running/use-case.ts'
import { codes } from '../../../../core/payments/access/code.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { reserveUnique } from '../../../../core/payments/claim.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { ADMIN, API } from '../../../../core/payments/payments-ports.ts'
import { byId } from '../../../../core/ports/store.ts'
import { line } from '../../kernel/input/reads.ts'
import { anAccount } from '../records.ts'
import { ORIGIN, right, withPerson } from '../world.ts'

const MEMBER = { name: 'João', email: 'joao@example.com', roleId: 2, password: 'correto e longo' }

const withCaller = async () => {
  const here = await withPerson()
  const actor = { userId: 1, accountId: 1, roleId: ADMIN.id, permissions: ADMIN.permissions, boundTo: null }
  return { ...here, actor }
}

type Here = Awaited<ReturnType<typeof withCaller>>

/** The use cases that take fields, with any input. */
const useCasesOf = ({ pay, caller, actor }: Here) =>
  ({
    register: (input) => pay.people.register(input, ORIGIN),
    editSelf: (input) => pay.people.editSelf(caller, input, ORIGIN),
    logIn: (input) => pay.sessions.logIn(input, ORIGIN),
    exchangeKey: (input) => pay.sessions.exchangeKey(input, ORIGIN),
    sendVerification: (input) => pay.codes.sendVerification(caller, input),
    verifyEmail: (input) => pay.codes.verifyEmail(input),
    forgotPassword: (input) => pay.codes.forgotPassword(input),
    resetPassword: (input) => pay.codes.resetPassword(input),
    forgotPasswordByLink: (input) => pay.codes.forgotPasswordByLink(input),
    resetPasswordByToken: (input) => pay.codes.resetPasswordByToken(input),
    add: (input) => pay.team.add(actor, input),
    update: (input) => pay.team.update(actor, 1, input),
    listTeam: (input) => pay.team.list(actor, input),
    listMemberships: (input) => pay.team.listMemberships(actor, 'people', input),
    listOrganizations: (input) => pay.organizations.list(caller, input),
    updateOrganization: (input) => pay.organizations.update(actor, input),
    listNotifications: (input) => pay.notifications.list(caller, input),
  }) satisfies Readonly<Record<string, (input: never) => UseCase<unknown>>>

type UseCaseName = keyof ReturnType<typeof useCasesOf>

const issuesOf = async (here: Here, useCase: UseCaseName, input: unknown): Promise<readonly string[]> => {
  const outcome = await useCasesOf(here)[useCase](input as never)()
  return isLeft(outcome) && outcome.left.tag === 'invalid' ? outcome.left.issues.map(line) : []
}

const WRONG: readonly (readonly [useCase: UseCaseName, input: unknown, issues: string])[] = [
  [
    'register',
    { name: ' ', email: 'maria', password: 'curta', phone: '1\n2' },
    'name required, email email, password text.min 8, phone text.line',
  ],
  [
    'editSelf',
    { currentPassword: '', newPassword: '12345', name: '\u202Eanna', email: 3, document: '-', phone: '9'.repeat(21) },
    'currentPassword required, newPassword text.min 6, name text.direction, email text, document text.malformed, phone text.max 20',
  ],
  ['editSelf', { currentPassword: 'x', document: null }, 'document required'],
  ['logIn', { email: 'maria', password: '' }, 'email email, password required'],
  ['exchangeKey', { email: 'maria', apiKey: 'x'.repeat(256) }, 'email email, apiKey text.max 255'],
  ['sendVerification', { email: 'maria' }, 'email email'],
  ['verifyEmail', { email: 'maria', code: 123_456 }, 'email email, code text'],
  ['forgotPassword', { email: Number.NaN }, 'email text'],
  [
    'resetPassword',
    { email: null, code: '', password: 'x\u0000' },
    'email required, code required, password text.malformed',
  ],
  [
    'forgotPasswordByLink',
    { document: '1'.repeat(21), email: 'maria', url: 'javascript:alert(1)' },
    'document text.max 20, email email, url url',
  ],
  [
    'resetPasswordByToken',
    { token: 'x'.repeat(256), email: 'maria', password: '12345' },
    'token text.max 255, email email, password text.min 6',
  ],
  [
    'add',
    { name: 'x'.repeat(256), email: 'maria', document: '..', roleId: Number.NaN, password: '1234', phone: {} },
    'name text.max 255, email email, document text.malformed, roleId one-of 1, 2, 3, 4, 5, password text.min 5, phone text',
  ],
  ['add', { ...MEMBER, password: null }, 'password required'],
  [
    'update',
    { name: '', email: 'maria', document: '', phone: 1, password: '12345', roleId: 6, status: 0.5 },
    'name required, email email, document required, phone text, password text.min 6, roleId one-of 1, 2, 3, 4, 5, status one-of 0, 1',
  ],
  ['listTeam', { page: 0, perPage: Number.NaN }, 'page integer.min 1, perPage integer'],
  [
    'listMemberships',
    { page: '1', perPage: 501, search: 'x'.repeat(101), status: 2, roleId: 1.5 },
    'page integer, perPage integer.max 500, search text.max 100, status integer.max 1, roleId integer',
  ],
  ['listOrganizations', { page: 1.5, perPage: 0 }, 'page integer, perPage integer.min 1'],
  [
    'updateOrganization',
    { name: '\u200B', email: 'padaria', document: '11222333000182', status: 'OPEN' },
    'name text.invisible, email email, document document, status one-of ACTIVE, INACTIVE, SUSPENDED, DISABLED, DISQUALIFIED, SOFT_DELETED, DELETED',
  ],
  [
    'listNotifications',
    { page: -1, perPage: Number.POSITIVE_INFINITY, unreadOnly: 'true' },
    'page integer.min 1, perPage integer, unreadOnly flag',
  ],
]

for (const [at, [useCase, input, issues]] of WRONG.entries())
  test(`${useCase} reports every wrong field by its name in the program (${at + 1})`, async (t) => {
    const here = await withCaller()
    t.is((await issuesOf(here, useCase, input)).join(', '), issues)
  })

test('rejects an input that is not an object, without throwing', async (t) => {
  const here = await withCaller()
  for (const useCase of Object.keys(useCasesOf(here)) as UseCaseName[])
    for (const input of [3, 'x', [], true]) t.deepEqual(await issuesOf(here, useCase, input), ['object'], useCase)
})

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
