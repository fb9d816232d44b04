import test from 'ava'
import { type CodesOf, failure, isLeft, left, right } from '../../../core/failure.ts'
import { type Collection, eq, insert, patch, t } from '../../../core/kernel/records/record.ts'
import { sweepAll } from '../../../core/kernel/running/jobs.ts'
import {
  accept,
  finishOperation,
  operationUseCase,
  type RunnerCode,
  readUseCase,
  startOperation,
  useCase,
  useCaseOf,
} from '../../../core/kernel/running/use-case.ts'
import { facadeOf, valueCodec } from '../../../core/office/facade.ts'
import {
  idempotencyKeys,
  KEY_LEASE_SECONDS,
  KEY_LIFE_SECONDS,
  type KeyCode,
  keysOf,
  keysPart,
} from '../../../core/office/idempotency-keys.ts'
import { byId, listOf, StoreUnavailable } from '../../../core/ports/store.ts'
import { failureOf, right as gave } from '../payments/world.ts'
import { openEstate } from './estate.ts'

const order = t.strict({
  id: t.number,
  accountId: t.number,
  text: t.string,
  secret: t.string,
  state: t.keyof({ placed: null, paying: null, paid: null, refused: null }),
})

type Order = t.TypeOf<typeof order>

const orders: Collection<Order> = {
  name: 'shop.orders',
  ids: 'integer',
  codec: order,
  owner: 'accountId',
}

interface InAccount {
  readonly accountId: number
}

const nothing = () => null

/** A small business: orders are placed, paid through a bank, and read. */
const ordersShop = () => {
  const { ports, clock, every } = openEstate([orders, ...keysPart.collections])
  const bank = {
    asked: [] as string[],
    answer: async (): Promise<'paid' | 'refused'> => 'paid',
  }

  const place = ({ accountId }: InAccount, text: string) =>
    useCase(ports, nothing, (_, fresh) => {
      if (text === '') return left(failure('refused', 'order.empty'))
      const placed: Order = { id: fresh.id(orders), accountId, text, secret: fresh.uuid(), state: 'placed' }
      return accept(placed, insert(orders, placed))
    })

  const finish = (asking: string) => (intent: string) =>
    useCaseOf<Order>()(async (hooks) => {
      bank.asked.push(`${asking} ${intent}`)
      const state = await bank.answer()
      return finishOperation(
        ports,
        (from) => from.find(byId(orders, Number(intent))),
        (found) => {
          if (!found) return left(failure('not-found', 'order.unknown'))
          const changes = [patch(orders, found.id, { set: { state }, when: eq('state', 'paying') })]
          const told = state === 'paid' ? right({ ...found, state }) : left(failure('refused', 'bank.refused'))
          return accept(told, ...(found.state === 'paying' ? changes : []))
        },
      )(hooks)
    })

  const members = {
    orders: {
      place,
      pay: ({ accountId }: InAccount, text: string) =>
        operationUseCase(
          startOperation(ports, nothing, (_, fresh) => {
            const begun: Order = { id: fresh.id(orders), accountId, text, secret: fresh.uuid(), state: 'paying' }
            return accept({ intent: String(begun.id) }, insert(orders, begun))
          }),
          ({ intent }) => finish('first')(intent),
          finish('again'),
        ),
      /** An order of a user. */
      own: ({ userId }: { readonly userId: number }, text: string) => place({ accountId: -userId }, text),
      count: ({ accountId }: InAccount) =>
        useCase(
          ports,
          (from) => from.list(listOf(orders, { where: eq('accountId', accountId), limit: 100 })),
          ({ records }) => accept(records.length),
        ),
      /** An order of the bearer of a record's token. */
      bearing: ({ id }: { readonly id: string; readonly token: string | null }, text: string) =>
        place({ accountId: id.length }, text),
      /** An order without an actor. */
      strangers: (text: string) => place({ accountId: 0 }, text),
      read: (_actor: InAccount, id: number) => readUseCase('order.unknown', () => ports.store.find(byId(orders, id))),
      list: (_actor: InAccount) => async () => right([1, 2, 3]),
      /** Returns a value that JSON does not preserve. */
      withBytes: ({ accountId }: InAccount, bytes: Uint8Array) =>
        useCase(ports, nothing, (_, fresh) => {
          const placed: Order = { id: fresh.id(orders), accountId, text: '', secret: '', state: 'placed' }
          return accept({ bytes }, insert(orders, placed))
        }),
    },
    returns: { place },
  }

  return { ports, clock, bank, every, shop: facadeOf('shop', ports, members), members }
}

const ACTOR = { accountId: 1 }
const MINE = { key: 'order-17' }
const codeOf = (outcome: Parameters<typeof failureOf>[0]) => (failureOf(outcome) as { code: string } | null)?.code

test('runs a use case once per key and returns the first value again', async (t) => {
  const { shop, every } = ordersShop()
  const first = gave(await shop.orders.place(ACTOR, 'pão')(MINE))
  t.is(first.text, 'pão')
  t.deepEqual(gave(await shop.orders.place({ ...ACTOR }, 'pão')(MINE)), first)
  t.is((await every(orders)).length, 1)
  // Without a key, and with another one, it runs again.
  t.not(gave(await shop.orders.place(ACTOR, 'pão')()).id, first.id)
  t.not(gave(await shop.orders.place(ACTOR, 'pão')({ key: 'order-18' })).id, first.id)
  t.is((await every(orders)).length, 3)
})

test('refuses a key with another input', async (t) => {
  const { shop, every } = ordersShop()
  await shop.orders.place(ACTOR, 'pão')(MINE)
  t.deepEqual(failureOf(await shop.orders.place(ACTOR, 'bolo')(MINE)), { tag: 'refused', code: 'key.reused' })
  t.is((await every(orders)).length, 1)
})

test('accepts keys of 1 to 255 characters and refuses any other value', async (t) => {
  const { shop, every } = ordersShop()
  for (const key of ['', 'k'.repeat(256), undefined, null, 17] as string[])
    t.deepEqual(failureOf(await shop.orders.place(ACTOR, 'pão')({ key })), { tag: 'refused', code: 'key.malformed' })
  for (const key of ['4111 1111-1111.1111', '5555555555554444'])
    t.is(codeOf(await shop.orders.place(ACTOR, 'pão')({ key })), 'key.malformed')
  t.deepEqual(await every(orders), [])
  for (const key of ['k', 'k'.repeat(255), '\ud800', 'chave ç 🗝'])
    t.is(codeOf(await shop.orders.place(ACTOR, 'pão')({ key })), undefined)
  t.is((await every(orders)).length, 4)
})

test('scopes keys by the tenant field of the business', async (t) => {
  const { ports, members, every } = ordersShop()
  const place = ({ companyId }: { readonly companyId: string }, text: string) =>
    members.returns.place({ accountId: companyId.length }, text)
  const estate = facadeOf('estate', ports, { orders: { place } }, 'companyId')
  const first = gave(await estate.orders.place({ companyId: 'c-1' }, 'pão')(MINE))
  t.deepEqual(gave(await estate.orders.place({ companyId: 'c-1' }, 'pão')(MINE)), first)
  t.not(gave(await estate.orders.place({ companyId: 'c-2' }, 'pão')(MINE)).id, first.id)
  t.is((await every(orders)).length, 2)
})

test('runs again after a failure', async (t) => {
  const { shop, bank, every } = ordersShop()
  t.is(codeOf(await shop.orders.place(ACTOR, '')(MINE)), 'order.empty')
  t.deepEqual(await every(idempotencyKeys), [])
  gave(await shop.orders.place(ACTOR, 'pão')(MINE))
  bank.answer = async () => 'refused'
  t.is(codeOf(await shop.orders.pay(ACTOR, 'pão')({ key: 'p' })), 'bank.refused')
  bank.answer = async () => 'paid'
  t.is(gave(await shop.orders.pay(ACTOR, 'pão')({ key: 'p' })).state, 'paid')
})

test('runs once for twenty calls at once; each returns the same value or key.running', async (t) => {
  const { shop, bank, every } = ordersShop()
  for (const ask of [shop.orders.place, shop.orders.pay]) {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => ask(ACTOR, 'pão')(MINE)))
    const values = outcomes.flatMap((outcome) => (isLeft(outcome) ? [] : [outcome.right]))
    t.true(values.length > 0)
    for (const value of values) t.deepEqual(value, values[0])
    for (const outcome of outcomes)
      if (isLeft(outcome)) t.deepEqual(outcome.left, { tag: 'conflict', code: 'key.running', retryAfterSeconds: 2 })
    t.deepEqual(gave(await ask(ACTOR, 'pão')(MINE)), values[0])
  }
  t.is((await every(orders)).length, 2)
  t.is(bank.asked.length, 1)
})

test('one repeat resumes an unfinished operation once its lease has ended', async (t) => {
  const { shop, bank, clock, every } = ordersShop()
  bank.answer = () => Promise.reject(new Error('the process died'))
  await t.throwsAsync(shop.orders.pay(ACTOR, 'pão')(MINE), { message: 'the process died' })
  bank.answer = async () => 'paid'
  clock.advance(KEY_LEASE_SECONDS - 1)
  t.is(codeOf(await shop.orders.pay(ACTOR, 'pão')(MINE)), 'key.running')
  t.is(codeOf(await shop.orders.pay(ACTOR, 'bolo')(MINE)), 'key.reused')
  clock.advance(1)
  const repeats = await Promise.all(Array.from({ length: 5 }, () => shop.orders.pay(ACTOR, 'pão')(MINE)))
  const [done, ...more] = repeats.flatMap((outcome) => (isLeft(outcome) ? [] : [outcome.right]))
  t.is(done?.state, 'paid')
  for (const value of more) t.deepEqual(value, done)
  t.true(repeats.every((outcome) => !isLeft(outcome) || outcome.left.code === 'key.running'))
  // No second operation is started.
  t.deepEqual(bank.asked, [`first ${done?.id}`, `again ${done?.id}`])
  t.deepEqual(gave(await shop.orders.pay(ACTOR, 'pão')(MINE)), done)
  t.is((await every(orders)).length, 1)
})

test('separates the keys of accounts, members, users, token bearers, businesses and HTTP', async (t) => {
  const { shop, every, ports, members } = ordersShop()
  const made = [
    await shop.orders.place({ accountId: 1 }, 'pão')(MINE),
    await shop.orders.place({ accountId: 2 }, 'pão')(MINE),
    await shop.orders.pay({ accountId: 1 }, 'pão')(MINE),
    await shop.returns.place({ accountId: 1 }, 'pão')(MINE),
    await shop.orders.own({ userId: 1 }, 'pão')(MINE),
    await shop.orders.own({ userId: 2 }, 'pão')(MINE),
    await shop.orders.bearing({ id: '1', token: 'a' }, 'pão')(MINE),
    await shop.orders.bearing({ id: '1', token: 'b' }, 'pão')(MINE),
    await shop.orders.bearing({ id: '2', token: 'a' }, 'pão')(MINE),
    await shop.orders.bearing({ id: '1', token: null }, 'pão')(MINE),
    await facadeOf('garden', ports, members).returns.place({ accountId: 1 }, 'pão')(MINE),
  ].map(gave)
  t.is((await every(idempotencyKeys)).length, made.length)
  const overHttp = keysOf(ports, valueCodec).claim(['shop', 'account 1|orders.place'], MINE.key, ['pão'])
  if ('tag' in overHttp) return t.fail(overHttp.code)
  t.deepEqual(await keysOf(ports, valueCodec).stateOf(overHttp), { is: 'free', expired: false })
})

test('shares keys between the users of an account', async (t) => {
  const { shop, every } = ordersShop()
  const [ana, eva] = [3, 4].map((userId) => ({ ...ACTOR, userId, origin: null }))
  if (!ana || !eva) return t.fail('two actors expected')
  const first = gave(await shop.orders.place(ana, 'pão')(MINE))
  t.deepEqual(gave(await shop.orders.place(eva, 'pão')(MINE)), first)
  t.is((await every(orders)).length, 1)
})

test('stores only the sealed text of a value', async (t) => {
  const { shop, every, ports } = ordersShop()
  const value = gave(await shop.orders.place(ACTOR, 'confidencial')(MINE))
  const [kept, ...more] = await every(idempotencyKeys)
  if (!kept || more.length > 0) return t.fail('one record expected')
  t.like(kept, { status: 'done', intent: null, replyStatus: null, replyType: null, replyHeaders: null })
  const text = JSON.stringify(kept)
  for (const word of ['confidencial', value.secret, MINE.key]) t.false(text.includes(word), word)
  t.deepEqual(JSON.parse(ports.cipher.open(kept.replySealed ?? '', `http.keys/${kept.id}`)), value)
})

test('runs again with an expired key, and the sweep deletes it', async (t) => {
  const { shop, every, clock, ports } = ordersShop()
  const first = gave(await shop.orders.place(ACTOR, 'pão')(MINE))
  clock.advance(KEY_LIFE_SECONDS - 1)
  t.deepEqual(gave(await shop.orders.place(ACTOR, 'pão')(MINE)), first)
  clock.advance(1)
  t.not(gave(await shop.orders.place(ACTOR, 'bolo')(MINE)).id, first.id)
  t.is((await every(idempotencyKeys)).length, 1)
  clock.advance(KEY_LIFE_SECONDS)
  const report = (error: unknown) => t.fail(`${error}`)
  await sweepAll(ports.store, keysPart.sweeps, { steady: clock.steady(), cursor: null, report })
  t.deepEqual(await every(idempotencyKeys), [])
})

test('keeps the life of a key while the clock is days ahead', async (t) => {
  const { shop, every, clock, ports } = ordersShop()
  const report = (error: unknown) => t.fail(`${error}`)
  const sweep = () => sweepAll(ports.store, keysPart.sweeps, { steady: clock.steady(), cursor: null, report })
  const first = gave(await shop.orders.place(ACTOR, 'pão')(MINE))
  clock.jump(2 * KEY_LIFE_SECONDS)
  await sweep()
  t.deepEqual(gave(await shop.orders.place(ACTOR, 'pão')(MINE)), first)
  const other = gave(await shop.orders.place(ACTOR, 'bolo')({ key: 'order-18' }))
  clock.jump(-2 * KEY_LIFE_SECONDS)
  t.deepEqual(gave(await shop.orders.place(ACTOR, 'pão')(MINE)), first)
  t.deepEqual(gave(await shop.orders.place(ACTOR, 'bolo')({ key: 'order-18' })), other)
  clock.advance(KEY_LIFE_SECONDS)
  await sweep()
  t.deepEqual(await every(idempotencyKeys), [])
})
test('fails with store.unavailable if the store cannot be reached, and rejects with any other error', async (t) => {
  const { ports, members, shop } = ordersShop()
  const away = async (): Promise<never> => {
    throw new StoreUnavailable('away')
  }
  const failed = { tag: 'unavailable', code: 'store.unavailable', retryAfterSeconds: 2 }
  const withoutKeys = facadeOf('shop', { ...ports, store: { ...ports.store, find: away } }, members)
  t.deepEqual(failureOf(await withoutKeys.orders.place(ACTOR, 'pão')(MINE)), failed)
  const { id } = gave(await shop.orders.place(ACTOR, 'pão')())
  t.is(gave(await shop.orders.read(ACTOR, id)()).id, id)
  t.is(codeOf(await shop.orders.read(ACTOR, id + 1)()), 'order.unknown')
  const readers = { orders: { read: (_: object) => away, list: (_: object) => async () => right(1) } }
  t.deepEqual(failureOf(await facadeOf('shop', ports, readers).orders.read(ACTOR)()), failed)
  t.is(gave(await facadeOf('shop', ports, readers).orders.list(ACTOR)()), 1)
  const broken = { orders: { read: (_: object) => () => Promise.reject(new TypeError('a defect')) } }
  await t.throwsAsync(facadeOf('shop', ports, broken).orders.read(ACTOR)(), { instanceOf: TypeError })
})

test('refuses a key of an actor without a scope for keys', async (t) => {
  const { shop, every } = ordersShop()
  const strangers = shop.orders.strangers as (text: string) => (once: object) => Promise<unknown>
  t.deepEqual(await strangers('pão')(MINE), { _tag: 'Left', left: { tag: 'refused', code: 'key.malformed' } })
  for (const actor of [{ accountId: undefined }, { accountId: '' }] as readonly unknown[] as { accountId: number }[])
    t.is(codeOf(await shop.orders.place(actor, 'pão')(MINE)), 'key.malformed')
  t.deepEqual(await every(orders), [])
})

test('commits nothing if JSON would change the value', async (t) => {
  const { shop, every } = ordersShop()
  const ask = shop.orders.withBytes as (actor: object, bytes: unknown) => (once: object) => Promise<unknown>
  const odd = [
    new Uint8Array([1]),
    undefined,
    new Date(0),
    Number.NaN,
    () => 1,
    [new Map()],
    { a: { b: undefined } },
    1n,
  ]
  for (const bytes of odd) await t.throwsAsync(ask(ACTOR, bytes)(MINE), { instanceOf: TypeError })
  t.deepEqual([await every(orders), await every(idempotencyKeys)], [[], []])
  const kept = { a: [null, 1.5, 'ç\u2028', true, {}], ['__proto__']: 1 }
  await ask(ACTOR, kept)(MINE)
  t.deepEqual(await ask(ACTOR, kept)(MINE), right({ bytes: kept }))
})

type Same<X, Y> = (<T>() => T extends X ? 1 : 2) extends <T>() => T extends Y ? 1 : 2 ? true : false
const exactly = <X, Y>(same: Same<X, Y>): boolean => same

test('the types offer a key if the member commits, has an actor with a scope and returns JSON', async (t) => {
  const { shop } = ordersShop()
  const keyed = shop.orders.place(ACTOR, 'pão')(MINE)
  const plain = shop.orders.place(ACTOR, 'pão')()
  type CodeOf<P> = CodesOf<() => P>
  t.true(exactly<CodeOf<typeof plain>, RunnerCode | 'order.empty'>(true))
  t.true(exactly<CodesOf<typeof shop.orders.read>, 'order.unknown' | 'store.unavailable'>(true))
  t.true(exactly<CodeOf<typeof keyed>, Exclude<RunnerCode, 'key.conflict'> | KeyCode | 'order.empty'>(true))
  t.deepEqual(gave(await keyed).text, 'pão')
  // Tasks of different types are called in one way.
  for (const task of [
    shop.orders.place(ACTOR, 'bolo'),
    shop.orders.own({ userId: 1 }, 'bolo'),
    shop.orders.bearing({ id: '1', token: 'a' }, 'bolo'),
    shop.orders.count(ACTOR),
  ])
    t.deepEqual(await task({ key: 'alike' }), await task({ key: 'alike' }))
  for (const task of [shop.orders.place(ACTOR, 'bolo'), shop.orders.count(ACTOR), shop.orders.list(ACTOR)])
    t.false(isLeft(await task()))
  // @ts-expect-error: it commits nothing.
  await shop.orders.list(ACTOR)(MINE)
  // @ts-expect-error: there is no actor with a scope for keys.
  await shop.orders.strangers('pão')(MINE)
  // @ts-expect-error: JSON does not preserve bytes.
  await t.throwsAsync(shop.orders.withBytes(ACTOR, new Uint8Array())(MINE))
  // @ts-expect-error: a key is a text.
  await shop.orders.place(ACTOR, 'pão')({ key: 17 })
})
