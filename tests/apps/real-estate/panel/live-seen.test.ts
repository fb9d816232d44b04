import test from 'ava'
import type { Route } from 'playwright-core'
import { testInFull } from '../../../size.ts'
import { hasBrowser, oneBrowser } from '../../browser.ts'
import { worked } from '../test-api.ts'
import { enter, linesIn, part, settled, signedIn, tilesIn } from './at-the-panel.ts'
import { furnished } from './furnished.ts'
import { founder, openWithIssuer } from './signed-up.ts'

const LOOK_EVERY_MS = 10_000

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  test.serial('what happens is told as it happens, and what it changed is shown', async (t) => {
    const api = await openWithIssuer(t)
    const admin = await founder(api)
    await furnished(api, admin)
    const { page, wrong } = await signedIn(t, open, api, admin.email)
    const { data } = worked(await api.ask('GET', '/api/visits?status=Scheduled', { token: admin.token }))
    const [{ id, property }] = data
    const sent = { token: admin.token, body: { status: 'Confirmed' } }
    worked(await api.ask('PATCH', `/api/visits/${id}/status`, sent))
    await api.drain()
    const line = part(page, 'visits').locator('li', { hasText: property.code })
    await line.getByText('Confirmada').waitFor()
    t.regex((await page.locator('#told').textContent()) ?? '', /^Visita confirmada: A visita de .* foi confirmada\.$/)
    await part(page, 'figures').getByText('3 confirmadas').waitFor()
    await part(page, 'news').locator('li', { hasText: property.code }).first().waitFor()
    t.deepEqual(wrong, [])
  })

  testInFull(
    test.serial,
    'a payment that comes, of which nobody is notified, is seen with the next look',
    async (t) => {
      const api = await openWithIssuer(t)
      const admin = await founder(api)
      await furnished(api, admin)
      const { page, wrong } = await open(t, api.url)
      // Time goes on as usual, until it is told to hurry.
      await page.clock.install()
      await page.goto(`${api.url}/panel`)
      await enter(page, admin.email)
      await settled(page)
      t.is((await linesIn(page, 'overdue')).length, 3)
      const { data } = worked(await api.ask('GET', '/api/payments?status=Defaulted', { token: admin.token }))
      const [{ id, value }] = data
      const body = { method: 'Pix', paidAt: api.clock.now(), paidValue: value }
      worked(await api.ask('PATCH', `/api/payments/${id}/pay`, { token: admin.token, body }))
      const before = await tilesIn(page)
      await page.clock.fastForward(LOOK_EVERY_MS)
      await part(page, 'figures').getByText('2 pagamentos, inadimplência').waitFor()
      const after = await tilesIn(page)
      t.not(after['Recebido em novembro'], before['Recebido em novembro'])
      await part(page, 'overdue').locator('li:nth-child(2):last-child').waitFor()
      t.deepEqual(wrong, [])
    },
  )

  testInFull(test.serial, 'after a cut it goes on where it was, and shows what came meanwhile', async (t) => {
    const api = await openWithIssuer(t)
    const admin = await founder(api)
    const { stored, leases, broker } = await furnished(api, admin)
    const { page } = await signedIn(t, open, api, admin.email)
    const tell = async () => {
      const [lease] = leases
      if (lease) await stored.tell('commission.paid', (await stored.commissionOf(lease, broker.id)).id)
      await api.drain()
    }
    await tell()
    await page.locator('#told', { hasText: 'Comissão paga' }).waitFor({ state: 'attached' })
    const { data } = worked(await api.ask('GET', '/api/notifications', { token: admin.token }))
    const told = data.find(({ type }: { readonly type: string }) => type === 'CommissionPaid')
    await page.context().setOffline(true)
    await page.locator('#live[data-state=lost]').waitFor()
    t.is(await page.locator('#live').innerText(), 'Sem conexão')
    t.true((await linesIn(page, 'visits')).length > 0, 'what was there stays')
    await tell()
    const again = page.waitForRequest((request) => request.url().endsWith('/api/notifications/stream'))
    await page.context().setOffline(false)
    t.is((await (await again).allHeaders())['last-event-id'], told.id)
    await settled(page)
    await part(page, 'news').getByText('Comissão paga').nth(1).waitFor()
  })

  testInFull(test.serial, 'who has too many streams sees all the same what is there', async (t) => {
    const api = await openWithIssuer(t)
    const admin = await founder(api)
    await furnished(api, admin)
    const { page } = await open(t, api.url)
    const full = { status: 429, json: { code: 'stream.too-many' } }
    await page.route('**/api/notifications/stream', (route) => route.fulfill(full))
    await page.goto(`${api.url}/panel`)
    await enter(page, admin.email)
    await part(page, 'visits').getByText('Beatriz Camargo').waitFor()
    t.is(await page.locator('#live').innerText(), 'Conectando…')
  })

  testInFull(
    test.serial,
    'while it reads it says so; what cannot be read says so too, and is read when it is asked to',
    async (t) => {
      const api = await openWithIssuer(t)
      const admin = await founder(api)
      await furnished(api, admin)
      const { page, findings } = await open(t, api.url)
      const held: Route[] = []
      await page.route('**/api/dashboard', (route) => void held.push(route))
      await page.route('**/api/contracts?*', (route) => route.fulfill({ status: 503, json: { code: 'store.busy' } }))
      await page.goto(`${api.url}/panel`)
      await enter(page, admin.email)
      await page.locator('#live[data-state=live]').waitFor()
      t.true((await page.locator('[aria-busy=true] .ghost:visible').count()) > 6)
      t.deepEqual(await findings(), [])
      await page.unroute('**/api/dashboard')
      for (const route of held) await route.continue()
      await part(page, 'contracts').getByText('Não foi possível carregar.').waitFor()
      t.deepEqual(await findings(), [])
      await page.unroute('**/api/contracts?*')
      await page.getByRole('button', { name: 'Tentar de novo' }).click()
      await part(page, 'contracts').getByText('Marcos Antunes').waitFor()
    },
  )
}
