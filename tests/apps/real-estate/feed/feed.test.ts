import test from 'ava'
import { feedLinks } from '../../../../core/real-estate/feed/module.ts'
import { aBroker, aProperty, PLACE } from '../given/listings.ts'
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

test('a feed that whoever asks has already is not sent again, until something in it changes', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const path = await feedPath(api, admin)
  const tag = (await api.ask('GET', path)).headers.get('etag') ?? ''
  const again = (sent: string) => api.ask('GET', path, { headers: { 'if-none-match': sent } })
  api.clock.advance(3_600)
  for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const known = await again(sent)
    t.deepEqual([known.status, known.text, known.headers.get('etag')], [304, '', tag])
  }
  t.is((await again('"other"')).status, 200)
  await aProperty(api, admin)
  const changed = await again(tag)
  t.is(changed.status, 200)
  t.not(changed.headers.get('etag'), tag)
})
