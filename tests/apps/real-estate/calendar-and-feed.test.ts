import test from 'ava'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { calendarLinks } from '../../../core/real-estate/calendar.ts'
import { feedLinks } from '../../../core/real-estate/feed.ts'
import { brokers } from '../../../core/real-estate/records/people.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { aBroker, aProperty, openAgency, PLACE } from './given/basics.ts'
import { type Answer, type EstateTestApi, openEstateApi, outcomeOf, type Person, worked, wrongIn } from './test-api.ts'

/** Returns the unfolded lines of a calendar. */
const linesOf = ({ text }: Answer): readonly string[] => text.replaceAll('\r\n ', '').split('\r\n')
const targetOf = (url: string): string => url.replace('https://imoveis.example.com', '')

test('a broker’s calendar shows their visits; a change keeps the UID and raises the SEQUENCE', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const bruno = await api.colleague(admin, 'Broker')
  const stored = storedIn(api, admin)
  const broker = await stored.brokerOf({ email: bruno.email, name: 'Bruno Lima' })
  const property = await stored.propertyOf({ code: 'AP-101' })
  const client = await stored.clientOf({ name: 'Maria; da Silva', phone: '11988880000' })
  const body = { propertyId: property.id, clientId: client.id, scheduledAt: '2026-11-30T17:00:00Z', notes: 'a, b' }
  const made = worked(await ask('POST', '/api/visits', { ...body, brokerId: broker.id }))
  const other = { ...body, brokerId: (await stored.brokerOf()).id }
  worked(await ask('POST', '/api/visits', other))
  const link = await api.ask('POST', '/api/visits/calendar-token', { token: bruno.token, body: {} })
  t.is(link.status, 201, link.text)
  const target = targetOf(link.body.url)
  t.regex(target, /^\/api\/visits\/calendar\.ics\?token=[A-Za-z0-9]{40}$/)
  t.false(JSON.stringify(await api.every(calendarLinks)).includes(target.split('=')[1] ?? ''))
  const calendar = await api.ask('GET', target)
  t.is(calendar.status, 200)
  t.is(calendar.headers.get('content-type'), 'text/calendar; charset=utf-8')
  const lines = linesOf(calendar)
  for (const line of [
    `UID:${made.id}@portico`,
    'SEQUENCE:0',
    'STATUS:TENTATIVE',
    'DTSTART:20261130T170000Z',
    'SUMMARY:Visita ao imóvel AP-101 com Maria\\; da Silva',
    'LOCATION:Rua das Flores\\, 100\\, Centro\\, São Paulo - SP',
    'DESCRIPTION:Telefone: 11988880000\\na\\, b',
    'X-WR-CALNAME:Visitas de Bruno Lima',
  ])
    t.true(lines.includes(line), line)
  t.is(lines.filter((line) => line === 'BEGIN:VEVENT').length, 1)
  const says = async (...expected: readonly string[]) => {
    const now = linesOf(await api.ask('GET', target))
    for (const line of [`UID:${made.id}@portico`, ...expected]) t.true(now.includes(line), line)
  }
  const path = `/api/visits/${made.id}`
  const { token } = admin
  worked(await api.ask('PATCH', `${path}/status`, { token, body: { status: 'Confirmed' } }))
  await says('SEQUENCE:1', 'STATUS:CONFIRMED')
  worked(await api.ask('PUT', path, { token, body: { scheduledAt: '2026-12-01T10:00:00Z' } }))
  await says('SEQUENCE:2', 'DTSTART:20261201T100000Z')
  worked(await api.ask('PATCH', `${path}/status`, { token, body: { status: 'Cancelled' } }))
  await says('SEQUENCE:3', 'STATUS:CANCELLED')
  worked(await api.ask('DELETE', path, { token }))
  await says('SEQUENCE:4', 'STATUS:CANCELLED')
})

test('an event is revised if shown fields of its property or client change, and otherwise not', async (t) => {
  const api = await openEstateApi(t)
  const { token, companyId } = await api.agency()
  const stored = storedIn(api, { companyId })
  const [{ id: propertyId }, { id: clientId }] = [await stored.propertyOf(), await stored.clientOf()]
  const { id: brokerId } = await stored.brokerOf()
  const body = { propertyId, clientId, brokerId, scheduledAt: '2026-11-30T17:00:00Z' }
  worked(await api.ask('POST', '/api/visits', { token, body }))
  const { url } = worked(await api.ask('POST', '/api/visits/calendar-token', { token, body: { brokerId } }))
  const version = async () => {
    const lines = linesOf(await api.ask('GET', targetOf(url)))
    return lines.filter((line) => /^(SEQUENCE|LAST-MODIFIED|DTSTAMP):/.test(line))
  }
  const change = async (path: string, set: object) => {
    api.clock.advance(60)
    const before = worked(await api.ask('GET', path, { token }))
    worked(await api.ask('PUT', path, { token, body: { ...before, ...set } }))
    const now = `${api.clock.now().slice(0, 19).replace(/[-:]/g, '')}Z`
    return (sequence: number) => [`DTSTAMP:${now}`, `LAST-MODIFIED:${now}`, `SEQUENCE:${sequence}`]
  }
  const [home, person] = [`/api/properties/${propertyId}`, `/api/clients/${clientId}`]
  const { address } = worked(await api.ask('GET', home, { token }))
  const changes: readonly (readonly [string, object])[] = [
    [home, { address: { ...address, number: '200' } }],
    [home, { code: 'AP-7' }],
    [person, { name: 'Maria Souza' }],
    [person, { phone: '11988880000' }],
  ]
  for (const [index, [path, set]] of changes.entries()) {
    const expected = await change(path, set)
    t.deepEqual(await version(), expected(index + 1), JSON.stringify(set))
  }
  const before = await version()
  await change(home, { description: 'Vista para o parque' })
  await change(person, { email: 'maria@example.com' })
  t.deepEqual(await version(), before)
})

test('a calendar shows the nearest visits up to its limit, and cuts long notes', async (t) => {
  const { api, ask, brokerOf, visitOf } = await openAgency(t)
  const { id: brokerId } = await brokerOf()
  const at = (scheduledAt: string, notes: string | null = null) =>
    visitOf({ propertyId: 'p', brokerId, scheduledAt, notes })
  for (let count = 0; count < 500; count += 1) await at('2099-01-01T12:00:00.000Z')
  const soon = await at('2026-11-27T12:00:00.000Z', '😀'.repeat(2_500))
  const gone = await at('2026-11-20T12:00:00.000Z')
  const old = await at('2026-08-01T12:00:00.000Z')
  const body = { brokerId }
  const { url } = worked(await ask('POST', '/api/visits/calendar-token', body))
  const lines = linesOf(await api.ask('GET', targetOf(url)))
  for (const { id } of [soon, gone]) t.true(lines.includes(`UID:${id}@portico`))
  t.false(lines.includes(`UID:${old.id}@portico`))
  t.is(lines.filter((line) => line === 'BEGIN:VEVENT').length, 501)
  t.true(lines.includes(`DESCRIPTION:${'😀'.repeat(500)}…`))
})

test('a new link revokes the former one, and a removed broker has no calendar', async (t) => {
  const { api, ask, stored } = await openAgency(t)
  const broker = await stored.brokerOf()
  const linked = async () =>
    targetOf(worked(await ask('POST', '/api/visits/calendar-token', { brokerId: broker.id })).url)
  const former = await linked()
  const target = await linked()
  t.not(former, target)
  t.is((await api.ask('GET', former)).status, 404)
  t.is((await api.ask('GET', target)).status, 200)
  t.is((await api.ask('GET', '/api/visits/calendar.ics')).status, 400)
  t.is((await api.ask('GET', '/api/visits/calendar.ics?token=x')).status, 404)
  await stored.softDelete(brokers, broker)
  t.is((await api.ask('GET', target)).status, 404)
})

test('a new e-mail of a broker ends the link to their calendar, and no other change does', async (t) => {
  const { api, ask, brokerOf } = await openAgency(t)
  const { id } = await brokerOf()
  const { url } = worked(await ask('POST', '/api/visits/calendar-token', { brokerId: id }))
  const replace = async (set: object) => {
    worked(await ask('PUT', `/api/brokers/${id}`, { ...worked(await ask('GET', `/api/brokers/${id}`)), ...set }))
    return (await api.ask('GET', targetOf(url))).status
  }
  t.is(await replace({ name: 'Bruno Lima', status: 'Inactive' }), 404)
  t.is(await replace({ status: 'Active' }), 200)
  t.is(await replace({ email: 'carla@example.com' }), 404)
  t.deepEqual(await api.every(calendarLinks), [])
})

test('a broker opens their own calendar, an Admin that of any broker of the company', async (t) => {
  const { api, admin } = await openAgency(t)
  const bruno = await api.colleague(admin, 'Broker')
  const ask = (token: string, body: object = {}) => api.ask('POST', '/api/visits/calendar-token', { token, body })
  t.is(outcomeOf(await ask(bruno.token)), '422 calendar.brokerless')
  const stored = storedIn(api, admin)
  const own = await stored.brokerOf({ email: bruno.email })
  const other = await stored.brokerOf()
  t.is((await ask(bruno.token, { brokerId: own.id })).status, 201)
  t.is(outcomeOf(await ask(bruno.token, { brokerId: other.id })), '403 calendar.not-own')
  t.is((await ask(admin.token, { brokerId: other.id })).status, 201)
  t.deepEqual(wrongIn(await ask(admin.token)), { brokerId: ['required'] })
})

/** Creates the link of a feed and returns its path. */
const feedPath = async (api: EstateTestApi, { token }: Person): Promise<string> => {
  const made = await api.ask('POST', '/api/properties/feed-token', { token })
  const { url } = worked(made)
  return url.replace('https://imoveis.example.com', '')
}

test('the feed shows the available properties of one company to every holder of its address', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const other = await api.agency()
  const broker = await aBroker(api, admin)
  await aProperty(api, admin, { code: 'AP<&>1', brokerId: broker.id, description: 'Sala & "varanda"' })
  const sold = await aProperty(api, admin, { code: 'SOLD-1' })
  worked(await ask('PATCH', `/api/properties/${sold.id}/status`, { status: 'Sold' }))
  const gone = await aProperty(api, admin, { code: 'GONE-1' })
  worked(await ask('DELETE', `/api/properties/${gone.id}`))
  await aProperty(api, other, { code: 'OTHER-1', address: PLACE })
  const answer = await api.ask('GET', await feedPath(api, admin))
  t.is(answer.status, 200, answer.text)
  t.is(answer.headers.get('content-type'), 'application/xml; charset=utf-8')
  t.deepEqual(answer.text.match(/<ListingID>.*?<\/ListingID>/g), ['<ListingID>AP&lt;&amp;&gt;1</ListingID>'])
  t.true(answer.text.includes('<Description>Sala &amp; &quot;varanda&quot;</Description>'))
  t.true(answer.text.includes(`<Email>${broker.email}</Email>`))
})

test('only the newest address of a feed opens it, and its token is not stored', async (t) => {
  const { api, admin } = await openAgency(t)
  const first = await feedPath(api, admin)
  const second = await feedPath(api, admin)
  t.is(outcomeOf(await api.ask('GET', first)), '404 feed.unknown')
  t.is((await api.ask('GET', second)).status, 200)
  const everything = JSON.stringify(await api.everything())
  t.false(everything.includes(second.split('.').at(-1) ?? ''))
  t.is((await api.every(feedLinks)).length, 1)
  for (const token of ['x', `${admin.companyId}.x`, `00000000-0000-4000-8000-999999999999.${second.slice(-40)}`])
    t.is((await api.ask('GET', `/api/properties/feed.xml?token=${token}`)).status, 404)
  t.is((await api.ask('GET', '/api/properties/feed.xml')).status, 400)
})

test('of two simultaneous new addresses only the last one opens the feed', async (t) => {
  const { api, admin } = await openAgency(t)
  const made = await Promise.all([feedPath(api, admin), feedPath(api, admin), feedPath(api, admin)])
  const opened = await Promise.all(made.map(async (path) => (await api.ask('GET', path)).status))
  t.deepEqual(opened.sort(), [200, 404, 404])
})

test('feed and calendar return 304 until their content changes', async (t) => {
  const { api, admin, ask, stored } = await openAgency(t)
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
    worked(await ask('POST', '/api/visits', visit))
    const changed = await again(tag)
    t.is(changed.status, 200)
    t.not(changed.headers.get('etag'), tag)
  }
})

test('the calendar of an inactive or removed broker is as unknown as any other link', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const stored = storedIn(api, admin)
  const bruno = await api.colleague(admin, 'Broker')
  const { id } = await stored.brokerOf({ email: bruno.email })
  const link = worked(await api.ask('POST', '/api/visits/calendar-token', { token: bruno.token, body: {} }))
  const open = () => api.ask('GET', targetOf(link.url))
  const unknown = await api.ask('GET', `/api/visits/calendar.ics?token=${'x'.repeat(40)}`)
  t.is((await open()).status, 200)
  const set = (status: 'Active' | 'Inactive') =>
    api.host.store.commit([patch(brokers, id, { set: { status }, when: always })])
  await set('Inactive')
  t.deepEqual([(await open()).status, (await open()).body], [404, unknown.body])
  await set('Active')
  t.is((await open()).status, 200)
  t.is((await ask('DELETE', `/api/brokers/${id}`)).status, 204)
  t.deepEqual([(await open()).status, (await open()).body], [404, unknown.body])
})
