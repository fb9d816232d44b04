import test from 'ava'
import { servedDuring } from '../served-during.ts'
import { clientsOf, openAgency } from './given/basics.ts'
import { type EstateTestApi, type openEstateApi, type Person, worked } from './test-api.ts'

/** Fewer than the queue of the search threads accepts: above it requests get 503. */
const AT_ONCE = 90

const many = <A>(count: number, ask: (number: number) => Promise<A>): Promise<readonly A[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => ask(number)))

const reading =
  (api: EstateTestApi, { token }: Person) =>
  async (path: string) =>
    worked(await api.ask('GET', path, { token }))

const opened = async (t: Parameters<typeof openEstateApi>[0]) => {
  const { api, admin: ana, send } = await openAgency(t)
  const ofRui = reading(api, await api.agency())
  return { api, ana, send, ofAna: reading(api, ana), page: () => ofRui('/api/properties') }
}

/** Returns how many of these requests are answered before a page of another company that is requested among them. */
const beforeThePage = async (
  count: number,
  ask: (number: number) => Promise<unknown>,
  page: () => Promise<unknown>,
): Promise<number> => {
  let answered = 0
  const asked = async (): Promise<number> => {
    const before = answered
    await page()
    return answered - before
  }
  let between = Promise.resolve(count)
  await many(count, async (number) => {
    await ask(number)
    answered += 1
    if (answered === count / 3) between = asked()
  })
  return between
}

test("a page of another company is served after few of one company's dashboards or searches", async (t) => {
  const { ofAna, send, page } = await opened(t)
  worked(await send('clients/import', clientsOf(2_000)))
  const search = (number: number) => ofAna(`/api/clients?search=cliente%20${number}&pageSize=1`)
  const dashboards = await beforeThePage(AT_ONCE, () => ofAna('/api/dashboard'), page)
  const searches = await beforeThePage(AT_ONCE, search, page)
  t.log(`${dashboards} dashboards and ${searches} searches before the page`)
  t.true(dashboards <= AT_ONCE / 3 && searches <= AT_ONCE / 3)
})

test('imports of one company do not delay pages of another', async (t) => {
  const { send, page } = await opened(t)
  const imports = many(3, async (number) => {
    const file = clientsOf(1_000).replaceAll('@', `.${number}@`)
    return (await send('clients/import', file)).body.created
  })
  const served = await servedDuring(imports, page)
  t.deepEqual(await imports, [1_000, 1_000, 1_000])
  t.log(`${served} pages beside the imports`)
  t.true(served >= 30, `${served}`)
})

test('streams of one company leave pages and streams to another', async (t) => {
  const { api, ana, page } = await opened(t)
  const hangUp = new AbortController()
  t.teardown(() => hangUp.abort())
  const stream = async ({ token }: Person) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${api.url}/api/notifications/stream`, { headers, signal: hangUp.signal })).status
  }
  const people = await many(30, () => api.colleague(ana, 'Broker'))
  const statuses = await many(300, (number) => stream(people[number % 30] ?? ana))
  t.true(statuses.filter((status) => status === 200).length >= 250)
  await page()
  t.is(await stream(await api.agency()), 200)
})
