import test from 'ava'
import { ADMIN, API, MANAGER } from '../../../../core/payments/payments-ports.ts'
import { anyDocument, ORIGIN, openPayments, PASSWORD, right } from '../world.ts'

const RUI = { name: 'Rui', email: 'rui@example.com', phone: null, password: PASSWORD }

/** A merchant whose account has a second ADMIN, a MANAGER and an inactive ADMIN, and another merchant. */
const opened = async () => {
  const world = openPayments()
  const { pay, merchant, mailsTo } = world
  const { member } = await merchant({ email: 'ana@example.com' })
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
  return { ...world, member, bia, add: () => add(RUI.email, MANAGER.id), notified }
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
