import test from 'ava'
import { insert } from '../../../../core/kernel/records/record.ts'
import { codes } from '../../../../core/payments/access/code.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { reserveUnique } from '../../../../core/payments/claim.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { ADMIN, API } from '../../../../core/payments/payments-ports.ts'
import { byId } from '../../../../core/ports/store.ts'
import { anAccount } from '../records.ts'
import { ORIGIN, right, withPerson } from '../world.ts'

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
