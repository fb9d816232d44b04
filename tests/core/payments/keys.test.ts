import test, { type ExecutionContext } from 'ava'
import { fakeBankCollections, titles } from '../../../adapters/bank/fake/books.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { type CodesOf, type Either, type Failure, isLeft } from '../../../core/failure.ts'
import { insert } from '../../../core/kernel/records/record.ts'
import type { IdempotencyKey } from '../../../core/office/facade.ts'
import { idempotencyKeys, KEY_LEASE_SECONDS } from '../../../core/office/idempotency-keys.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import type { issueCharge } from '../../../core/payments/charges/issue.ts'
import type { NewCharge } from '../../../core/payments/charges/new-charge.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { mails } from '../../../core/payments/office.ts'
import { type Payments, paymentsCollections } from '../../../core/payments/payments.ts'
import type { Bank } from '../../../core/ports/bank.ts'
import type { Store } from '../../../core/ports/store.ts'
import { openSqlite } from '../observed-store.ts'
import { anAccount } from './records.ts'
import { column, failureOf, ORIGIN, openPayments, PASSWORD, right } from './world.ts'

/** Ids that the store does not draw here. */
const [FIRST, SECOND] = [1_001, 1_002]
const ACTOR = { userId: 5, accountId: FIRST }
const KEY = { key: 'order-17' }
const PAYER = { name: 'João', email: 'joao@example.com', document: '11144477735' }
const CHARGE: NewCharge = { valueCents: 15_050, paymentMethod: 'PIX', dueDate: '2026-11-30', payer: PAYER }
const DIED = { message: 'the process died' }

const collections = [...paymentsCollections, ...fakeBankCollections]

const stores: Readonly<Record<string, (t: ExecutionContext) => Promise<Store>>> = {
  memory: async () => memoryStore(collections),
  SQLite: (t) => openSqlite(t, collections),
}

/** A bank during whose call the process dies, before or after the order is executed. */
const dyingBank = (bank: Bank, when: 'before' | 'after'): Bank => {
  let lives = false
  const dying =
    <A, V>(call: (order: A) => Promise<V>) =>
    async (order: A): Promise<V> => {
      if (lives) return call(order)
      lives = true
      if (when === 'after') await call(order)
      throw new Error(DIED.message)
    }
  return { ...bank, createTitle: dying(bank.createTitle), openAccount: dying(bank.openAccount) }
}

/** The business on a store, with two accounts that can issue charges. */
const businessOn = async (store: Store, dies?: 'before' | 'after') => {
  const world = openPayments({ store, instead: ({ bank }) => (dies ? { bank: dyingBank(bank, dies) } : {}) })
  const account = { id: FIRST, pixKey: 'chave', email: null, admins: 0 }
  const other = { id: SECOND, uuid: 'b', codeAccount: 'A2', document: '11444777000161' }
  const made = await store.commit(
    [anAccount(account), anAccount({ ...account, ...other })].map((one) => insert(accounts, one)),
  )
  if (!made.ok) throw new Error('the accounts were not made')
  return world
}

for (const [name, open] of Object.entries(stores)) {
  test(`twenty at once with one key issue one charge: ${name}`, async (t) => {
    const { pay, every } = await businessOn(await open(t))
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => pay.charges.issue(ACTOR, CHARGE)(KEY)))
    const values = outcomes.flatMap((outcome) => (isLeft(outcome) ? [] : [outcome.right]))
    t.true(values.length > 0)
    const again = right(await pay.charges.issue(ACTOR, CHARGE)(KEY))
    for (const value of values) t.deepEqual(value, again)
    for (const outcome of outcomes)
      if (isLeft(outcome)) t.deepEqual(outcome.left, { tag: 'conflict', code: 'key.running', retryAfterSeconds: 2 })
    t.deepEqual([(await every(charges)).length, (await every(titles)).length], [1, 1])
    t.is((await every(clients)).length, 1)
  })

  for (const when of ['before', 'after'] as const)
    test(`a crash ${when} the bank did it is carried on by the repeat: ${name}`, async (t) => {
      const { pay, every, clock } = await businessOn(await open(t), when)
      // On the evening of its due date: the day is over at the repetition, but was not at the request.
      clock.set('2026-12-01T02:59:30.000Z')
      await t.throwsAsync(pay.charges.issue(ACTOR, CHARGE)(KEY), DIED)
      t.is(failureOf(await pay.charges.issue(ACTOR, CHARGE)(KEY))?.code, 'key.running')
      clock.advance(KEY_LEASE_SECONDS)
      t.is(failureOf(await pay.charges.issue(ACTOR, CHARGE)({ key: 'another' }))?.code, 'fields')
      const done = right(await pay.charges.issue(ACTOR, CHARGE)(KEY))
      t.like(done.charge, { status: 'pending', pix: null })
      t.deepEqual(right(await pay.charges.issue(ACTOR, CHARGE)(KEY)), done)
      const worker = pay.worker()
      await worker.prepare()
      await worker.drain()
      t.is((await every(charges))[0]?.status, 'expired')
      // Titles that the bank registered are closed again; others are no longer requested.
      t.deepEqual(column(await every(titles), 'status'), when === 'after' ? ['cancelled'] : [])
    })

  test(`a crash that the worker finished is what the repeat is told: ${name}`, async (t) => {
    const { pay, every, clock } = await businessOn(await open(t), 'before')
    await t.throwsAsync(pay.charges.issue(ACTOR, CHARGE)(KEY), DIED)
    clock.advance(KEY_LEASE_SECONDS)
    await pay.worker().drain()
    t.is((await every(charges))[0]?.operationId, null)
    const done = right(await pay.charges.issue(ACTOR, CHARGE)(KEY))
    t.deepEqual(right(await pay.charges.issue(ACTOR, CHARGE)(KEY)), done)
    t.deepEqual([(await every(charges)).length, (await every(titles)).length], [1, 1])
  })

  test(`resumes a started opening of the same user only: ${name}`, async (t) => {
    const { pay, every, clock } = await businessOn(await open(t), 'before')
    const bakery = { name: 'Padaria', email: null, document: '52998224725' }
    await t.throwsAsync(pay.openings.open({ userId: 3 }, bakery)(KEY), DIED)
    clock.advance(KEY_LEASE_SECONDS)
    t.is(failureOf(await pay.openings.open({ userId: 4 }, bakery)(KEY))?.code, 'fields')
    const account = right(await pay.openings.open({ userId: 3 }, bakery)(KEY))
    t.deepEqual(right(await pay.openings.open({ userId: 3 }, bakery)(KEY)), account)
    t.is((await every(accounts)).length, 3)
  })
}

test('returns the first result for a repeated key in every member that writes', async (t) => {
  const { pay, clock, every, merchant, again } = await businessOn(memoryStore(collections))
  const { email, token, member: actor } = await merchant()
  const caller = await again(token)
  const ana = { email, password: PASSWORD }
  const { id } = right(await pay.clients.create(actor, PAYER)())
  const member = {
    name: 'Rui',
    email: 'rui@example.com',
    password: 'segredo-123',
    document: '39053344705',
    phone: null,
    roleId: 2,
  }
  const eva = right(await pay.team.add(actor, { ...member, email: 'eva@example.com', document: '11144477735' })())
  const elsewhere = right(await pay.sessions.logIn(ana, ORIGIN)())
  const tasks: Readonly<Record<string, () => (once: IdempotencyKey) => Promise<Either<Failure, unknown>>>> = {
    'clients.create': () => pay.clients.create(actor, { ...PAYER, document: '39053344705' }),
    'clients.update': () => pay.clients.update(actor, id, { name: 'José' }),
    'clients.remove': () => pay.clients.remove(actor, id),
    'accounts.update': () => pay.accounts.update(actor, { name: 'Loja nova' }),
    'accounts.setPin': () => pay.accounts.setPin(actor, { pin: '493817' }),
    'organizations.update': () => pay.organizations.update({ ...caller, ...actor }, { name: 'Loja' }),
    'codes.sendVerification': () => pay.codes.sendVerification(caller),
    'notifications.markAllRead': () => pay.notifications.markAllRead(caller),
    'notifications.removeRead': () => pay.notifications.removeRead(caller),
    'people.editSelf': () => pay.people.editSelf(caller, { name: 'Ana Maria', currentPassword: ana.password }, ORIGIN),
    'team.add': () => pay.team.add(actor, member),
    'team.update': () => pay.team.update({ ...caller, ...actor }, eva.user.id, { name: 'Eva Lima' }),
    'team.remove': () => pay.team.remove(actor, eva.user.id),
    'sessions.end': () => pay.sessions.end(caller, elsewhere.sessionId),
    'organizations.remove': () => pay.organizations.remove(actor),
    'sessions.logOut': () => pay.sessions.logOut(caller),
  }
  for (const [at, [name, task]] of Object.entries(tasks).entries()) {
    const first = right(await task()({ key: 'k' }))
    clock.advance(1)
    t.deepEqual(right(await task()({ key: 'k' })), first, name)
    t.is((await every(idempotencyKeys)).length, at + 1, name)
  }
  // Two codes, and the notices of two new members and of a removed one.
  t.is((await every(mails)).filter(({ to }) => to === ana.email).length, 5)
})

test('verifies the PIN again for a repeated key', async (t) => {
  const { pay, every } = await businessOn(memoryStore(collections))
  const actor = { ...ACTOR, permissions: [] }
  right(await pay.accounts.setPin(actor, { pin: '493817' })())
  // @ts-expect-error: there is no key parameter.
  right(await pay.accounts.checkPin(actor, '493817')(KEY))
  // @ts-expect-error: nor can the earlier form be used.
  t.is(failureOf(await pay.accounts.checkPin(actor, '111222')(KEY))?.code, 'pin.wrong')
  t.deepEqual(await every(idempotencyKeys), [])
})

type Same<X, Y> = (<T>() => T extends X ? 1 : 2) extends <T>() => T extends Y ? 1 : 2 ? true : false
const exactly = <X, Y>(same: Same<X, Y>): boolean => same

test('adds no failure code for keys that the app must word', (t) => {
  t.true(exactly<CodesOf<Payments['charges']['issue']>, CodesOf<typeof issueCharge>>(true))
  t.true(exactly<Extract<CodesOf<Payments>, 'key.malformed' | 'key.reused' | 'key.running'>, never>(true))
})
