import test from 'ava'
import { feedLinks } from '../../../../core/real-estate/feed.ts'
import { aBroker, aProperty, PLACE } from '../given/listings.ts'
import { storedIn } from '../stored.ts'
import { type EstateTestApi, openEstateApi, type Person, worked } from '../test-api.ts'

/** The path of a feed, as its Admin is told it. */
const feedPath = async (api: EstateTestApi, { token }: Person): Promise<string> => {
  const made = await api.ask('POST', '/api/properties/feed-token', { token })
  const { url } = worked(made)
  return url.replace('https://imoveis.example.com', '')
}

test('the feed shows the available properties of one company to whoever has its address', async (t) => {
  const api = await openEstateApi(t)
  const [admin, other] = [await api.agency(), await api.agency()]
  const broker = await aBroker(api, admin)
  await aProperty(api, admin, { code: 'AP<&>1', brokerId: broker.id, description: 'Sala & "varanda"' })
  const sold = await aProperty(api, admin, { code: 'SOLD-1' })
  worked(await api.ask('PATCH', `/api/properties/${sold.id}/status`, { token: admin.token, body: { status: 'Sold' } }))
  const gone = await aProperty(api, admin, { code: 'GONE-1' })
  worked(await api.ask('DELETE', `/api/properties/${gone.id}`, { token: admin.token }))
  await aProperty(api, other, { code: 'OTHER-1', address: PLACE })
  const answer = await api.ask('GET', await feedPath(api, admin))
  t.is(answer.status, 200, answer.text)
  t.is(answer.headers.get('content-type'), 'application/xml; charset=utf-8')
  t.deepEqual(answer.text.match(/<ListingID>.*?<\/ListingID>/g), ['<ListingID>AP&lt;&amp;&gt;1</ListingID>'])
  t.true(answer.text.includes('<Description>Sala &amp; &quot;varanda&quot;</Description>'))
  t.true(answer.text.includes(`<Email>${broker.email}</Email>`))
})

test('only the newest address of a feed opens it, and its token is kept nowhere', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const first = await feedPath(api, admin)
  const second = await feedPath(api, admin)
  t.like(await api.ask('GET', first), { status: 404, body: { code: 'feed.unknown' } })
  t.is((await api.ask('GET', second)).status, 200)
  const kept = JSON.stringify(await api.everything())
  t.false(kept.includes(second.split('.').at(-1) ?? ''))
  t.is((await api.every(feedLinks)).length, 1)
  for (const token of ['x', `${admin.companyId}.x`, `00000000-0000-4000-8000-999999999999.${second.slice(-40)}`])
    t.is((await api.ask('GET', `/api/properties/feed.xml?token=${token}`)).status, 404)
  t.is((await api.ask('GET', '/api/properties/feed.xml')).status, 400)
  const broker = await api.colleague(admin, 'Broker')
  t.is((await api.ask('POST', '/api/properties/feed-token', { token: broker.token })).status, 403)
})

test('of two new addresses made at once the last one opens the feed, and the other does not', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const made = await Promise.all([feedPath(api, admin), feedPath(api, admin), feedPath(api, admin)])
  const opened = await Promise.all(made.map(async (path) => (await api.ask('GET', path)).status))
  t.deepEqual(opened.sort(), [200, 404, 404])
})

test('feed and calendar are stored and revalidated: 304 to a client that has them, until something in them changes', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const stored = storedIn(api, admin)
  const { id: brokerId } = await stored.brokerOf()
  const sent = { token: admin.token, body: { brokerId } }
  const { url } = worked(await api.ask('POST', '/api/visits/calendar-token', sent))
  const property = await stored.propertyOf()
  const { id: clientId } = await stored.clientOf()
  const visit = { propertyId: property.id, clientId, brokerId, scheduledAt: '2026-11-30T17:00:00Z' }
  for (const path of [await feedPath(api, admin), url.replace('https://imoveis.example.com', '')]) {
    const first = await api.ask('GET', path)
    const tag = first.headers.get('etag') ?? ''
    t.is(first.headers.get('cache-control'), 'private, no-cache')
    const again = (tags: string, method = 'GET') => api.ask(method, path, { headers: { 'if-none-match': tags } })
    api.clock.advance(60)
    for (const tags of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const known = await again(tags)
      const { headers } = known
      t.deepEqual([known.status, known.text, headers.get('etag')], [304, '', tag], path)
      t.is(headers.get('cache-control'), 'private, no-cache')
    }
    t.is((await again(tag, 'HEAD')).status, 304)
    t.is((await again('"other"')).status, 200)
    await aProperty(api, admin)
    worked(await api.ask('POST', '/api/visits', { token: admin.token, body: visit }))
    const changed = await again(tag)
    t.is(changed.status, 200)
    t.not(changed.headers.get('etag'), tag)
  }
})
