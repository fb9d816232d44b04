import test, { type ExecutionContext } from 'ava'
import { mongoStore } from '../../../adapters/mongodb/mod.ts'
import { insert } from '../../../core/kernel/records/change.ts'
import { byId, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { claim, claims, thingCollections } from '../../fixtures/things.ts'
import { FULL, some } from '../../size.ts'
import { type Mongod, startMongod } from './mongod.ts'
import { allAddsUp, openAccounts, pay } from './payments.ts'
import { proxyTo, type Stretch } from './proxy.ts'
import { hasBinary } from './replica-set.ts'

// Bounds of the URL are the URL's: a store that gives up soon tells a test soon.
const HASTY = '&serverSelectionTimeoutMS=400&connectTimeoutMS=400&socketTimeoutMS=700&heartbeatFrequencyMS=500'

const PAID = FULL ? 320 : 64
/** After so many are paid. */
const KILLED_AT = [PAID / 4, (PAID * 5) / 8]

const numbers = (first: number, count: number): number[] => Array.from({ length: count }, (_, index) => first + index)

const running = async (t: ExecutionContext): Promise<Mongod> => {
  t.timeout(90_000)
  const mongod = await startMongod()
  t.teardown(mongod.remove)
  return mongod
}

const crashes = (): void => {
  test.serial(
    'killed and started again, twice, in the middle: nothing acknowledged is lost or happened twice',
    async (t) => {
      const mongod = await running(t)
      const stores = [
        await mongoStore(mongod.url('x') + HASTY, thingCollections),
        await mongoStore(mongod.url('x') + HASTY, thingCollections),
      ]
      t.teardown(() => Promise.all(stores.map((store) => store.close())))
      const [store] = stores
      if (!store) return t.fail()
      await openAccounts(store)
      let kills = 0
      let crash: Promise<void> = Promise.resolve()
      const run = await pay(stores, numbers(1, PAID), {
        paid: (count) => {
          if (!KILLED_AT.includes(count)) return
          kills += 1
          crash = mongod.kill().then(mongod.start)
        },
      })
      await crash
      t.is(kills, 2)
      t.is(run.paid.size, PAID)
      await allAddsUp(t, store, run)
      t.log(`${run.refused} refusals, ${run.doubtful} spends in doubt`)
    },
  )

  test.serial('without a server: refused within the bounds, and served again when it is back', async (t) => {
    const mongod = await running(t)
    const store = await mongoStore(mongod.url('x') + HASTY, thingCollections)
    t.teardown(() => store.close())
    t.true((await store.commit([insert(claims, claim('x'))])).ok)
    await mongod.kill()
    await t.throwsAsync(store.find(byId(claims, 'x')), { instanceOf: StoreUnavailable })
    await t.throwsAsync(store.reserve(claims.name, 1), { instanceOf: StoreUnavailable })
    await t.throwsAsync(store.commit([insert(claims, claim('y'))]), { instanceOf: StoreUnavailable })
    await mongod.start()
    await untilServed(store)
    t.is((await store.find(byId(claims, 'x')))?.id, 'x')
    t.true((await store.commit([insert(claims, claim('z'))])).ok)
  })
}

const networks = (): void => {
  const away: readonly [string, (proxy: Stretch) => void][] = [
    ['is cut', (proxy) => proxy.cut()],
    ['swallows everything', (proxy) => proxy.swallow()],
  ]
  for (const [what, take] of some(away, 1)) {
    test.serial(
      `the network ${what} for a while: refused or answered, nothing is lost or happened twice`,
      async (t) => {
        const mongod = await running(t)
        const proxy = await proxyTo(mongod.port)
        const url = `mongodb://127.0.0.1:${proxy.port}/x?directConnection=true${HASTY}`
        const store = await mongoStore(url, thingCollections)
        const beside = await mongoStore(mongod.url('x'), thingCollections)
        t.teardown(async () => {
          await Promise.all([store.close(), beside.close()])
          await proxy.close()
        })
        await openAccounts(store)
        let healing: Promise<void> = Promise.resolve()
        const run = await pay([store], numbers(1, 200), {
          paid: (count) => {
            if (count !== 60) return
            take(proxy)
            // Long enough for somebody to be told so.
            healing = untilRefused(store).then(() => proxy.heal())
          },
        })
        await healing
        t.is(run.paid.size, 200)
        await allAddsUp(t, beside, run)
        t.log(`${run.refused} refusals, ${run.doubtful} spends in doubt`)
      },
    )
  }
}

const isServed = async (store: Store): Promise<boolean> => {
  try {
    await store.find(byId(claims, 'x'))
    return true
  } catch (error) {
    if (error instanceof StoreUnavailable) return false
    throw error
  }
}

const untilRefused = async (store: Store): Promise<void> => {
  while (await isServed(store));
}

const untilServed = async (store: Store): Promise<void> => {
  while (!(await isServed(store)));
}

if (hasBinary(test)) {
  crashes()
  networks()
}
