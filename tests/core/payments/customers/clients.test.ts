import test from 'ava'
import { isRight } from '../../../../core/failure.ts'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { type Client, client as clientResource, clients } from '../../../../core/payments/customers/client.ts'
import { clients as module } from '../../../../core/payments/customers/module.ts'
import { failureOf, NOW, openPayments, right } from '../world.ts'

const ANA = { name: 'Ana Souza', document: '52998224725' }
const actorIn = (accountId: number) => ({ userId: 1, accountId, roleId: 1, permissions: [] })

const idsOf = async (listing: { readonly all: AsyncIterable<Client> } | { readonly records: readonly Client[] }) => {
  if ('records' in listing) return listing.records.map(({ id }) => id)
  const ids: number[] = []
  for await (const { id } of listing.all) ids.push(id)
  return ids
}

test('returns no clients without an account', async (t) => {
  const { ports } = openPayments()
  const { create, list, read, update, remove } = module.useCases(ports)
  const { id } = right(await create(actorIn(1), ANA)())
  const unknown = { tag: 'not-found', code: 'client.unknown' }
  for (const caller of [{}, { accountId: undefined }, { accountId: null }] as never[]) {
    t.deepEqual(await idsOf(right(await list(caller, null)())), [])
    t.deepEqual(await idsOf(right(await list(caller, { page: 1, perPage: 10 })())), [])
    for (const one of [id, id + 1]) {
      t.deepEqual(failureOf(await read(caller, `${one}`)()), unknown)
      t.deepEqual(failureOf(await update(caller, one, { name: 'Eva' })()), unknown)
      t.deepEqual(failureOf(await remove(caller, one)()), unknown)
    }
  }
  t.deepEqual(await idsOf(right(await list(actorIn(1), null, { where: { accountId: 2 } })())), [])
  t.is(right(await read(actorIn(1), id as never)()).id, id)
})

const NO_FACTS = { record: null, keyHolders: {}, references: [], storedReferences: [] }
const aClient = (more: Partial<Parameters<typeof clientResource.create>[2]>) => ({
  name: 'Ana Souza',
  email: null,
  phone: null,
  document: null,
  type: null,
  gender: null,
  birthdate: null,
  metadata: null,
  ...more,
})

test('reads a client by its id, by its code, or by either, and only one of the account that is not removed', async (t) => {
  const { ports } = openPayments()
  const { create, read } = module.useCases(ports)
  const { id, code } = right(await create(actorIn(1), ANA)())
  const isThere = async (accountId: number, named: string, by?: 'id' | 'code' | 'either') =>
    isRight(await read(actorIn(accountId), named, by)())
  const names = [`${id}`, code]
  const found = async (accountId: number, by?: 'id' | 'code' | 'either') =>
    Promise.all(names.map((named) => isThere(accountId, named, by)))
  t.deepEqual(await found(1), [true, false])
  t.deepEqual(await found(1, 'code'), [false, true])
  t.deepEqual(await found(1, 'either'), [true, true])
  t.deepEqual(await found(2, 'either'), [false, false])
  for (const none of ['', 'abc', '01', '1.0', '-1', '9'.repeat(30), `${id + 1}`])
    t.is(failureOf(await read(actorIn(1), none)())?.code, 'client.unknown')
  t.false(await isThere(1, code.toLowerCase() === code ? code.toUpperCase() : code.toLowerCase(), 'either'))
  await ports.store.commit([patch(clients, id, { set: { removedAt: NOW }, when: always })])
  t.deepEqual(await found(1, 'either'), [false, false])
})

const seeded = async (count: number) => {
  const here = openPayments()
  const { record: one } = right(clientResource.create(NO_FACTS, 1, aClient({ name: 'Cliente' }), here.fresh()))
  const first = await here.ports.store.reserve(clients.name, count)
  // Two of each instant, so that a page may end between them.
  const made = Array.from({ length: count }, (_, index) => ({
    ...one,
    id: first + index,
    code: `C${index}`,
    createdAt: new Date(Date.parse(NOW) + Math.floor(index / 2)).toISOString(),
  }))
  for (let start = 0; start < count; start += 1000) {
    await here.ports.store.commit(made.slice(start, start + 1000).map((client) => insert(clients, client)))
  }
  return here
}

test('lists each client once while others are added or removed', async (t) => {
  const { ports, clock } = await seeded(1003)
  const listing = right(await module.useCases(ports).list(actorIn(1), null)())
  if (!('all' in listing)) return t.fail()
  clock.advance(60)
  const ids: number[] = []
  for await (const { id } of listing.all) {
    ids.push(id)
    if (ids.length !== 250) continue
    await ports.store.commit([patch(clients, 1003, { set: { removedAt: NOW }, when: always })])
    right(await module.useCases(ports).create(actorIn(1), { name: 'Nova' })())
  }
  t.deepEqual(
    ids,
    Array.from({ length: 1003 }, (_, index) => 1003 - index),
  )
})
