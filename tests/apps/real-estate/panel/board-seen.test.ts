import test, { type ExecutionContext } from 'ava'
import type { Route } from 'playwright-core'
import { formatReais } from '../../../../core/kernel/values/money.ts'
import { testInFull } from '../../../size.ts'
import { DESK, hasBrowser, oneBrowser, PHONE, painted, RECORD_SHIFTS, slowAnswers } from '../../browser.ts'
import { worked } from '../test-api.ts'
import {
  employee,
  enter,
  fillAgency,
  founder,
  linesIn,
  openBoard,
  openWithIssuer,
  part,
  settled,
  signedIn,
  tilesIn,
} from './at-the-panel.ts'

const LOOK_EVERY_MS = 10_000

type Board = Awaited<ReturnType<typeof openBoard>>

const reais = (value: number) => formatReais(Math.round(value * 100))

/**
 * Asserts that the board is accessible in both colour schemes and no wider than its window, and so is the sign-in after
 * it.
 */
const assertAccessible = async (t: ExecutionContext, { page, findings, overflow }: Board): Promise<void> => {
  const inks = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme })
    return page.evaluate<string>(
      'getComputedStyle(document.body).backgroundColor + document.querySelector("canvas").toDataURL()',
    )
  }
  const check = async (name: string) => {
    for (const viewport of [PHONE, DESK]) {
      await page.setViewportSize(viewport)
      t.deepEqual([await findings(), await overflow()], [[], 0], `${name} at ${viewport.width}`)
    }
    for (const width of [320, 768]) {
      await page.setViewportSize({ width, height: 800 })
      // The chart takes its new width in the next frame.
      await page.evaluate(painted)
      t.is(await overflow(), 0, `${name} at ${width}`)
    }
  }
  await check('the board')
  t.not(await inks('light'), await inks('dark'))
  await page.getByRole('button', { name: 'Sair' }).click()
  await check('the sign-in')
}

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  test.serial(
    'the board shows the figures and lists of the API, is accessible in both colour schemes and fits its window',
    async (t) => {
      const seen = await openBoard(t, open, { viewport: DESK })
      const { api, admin, page, wrong } = seen
      const shown = worked(await api.ask('GET', '/api/dashboard', { token: admin.token }))
      const { financial, properties, contracts, visits, proposals, revenueByMonth } = shown
      t.true(financial.monthlyRevenue > 0 && financial.defaultedValue > 0 && financial.pendingValue > 0)
      t.deepEqual(await tilesIn(page), {
        'Recebido em novembro': reais(financial.monthlyRevenue),
        'A receber': reais(financial.pendingValue),
        'Em atraso': reais(financial.defaultedValue),
        Imóveis: `${properties.total}`,
        'Contratos ativos': `${contracts.active}`,
        'Visitas por fazer': `${visits.scheduled + visits.confirmed}`,
      })
      t.deepEqual(
        (await part(page, 'revenue').locator('td').allTextContents()).map((text) => text.replaceAll('\u00a0', ' ')),
        revenueByMonth.map(({ value }: { value: number }) => reais(value)),
      )
      t.is(await part(page, 'revenue').locator('canvas').count(), 1)
      t.deepEqual(await linesIn(page, 'funnel'), [
        `Em análise | ${proposals.underReview}`,
        `Em negociação | ${proposals.negotiating}`,
        `Aprovadas | ${proposals.approved}`,
        `Rejeitadas | ${proposals.rejected}`,
      ])
      t.deepEqual(await linesIn(page, 'visits'), [
        '09:00 | Sofia Almeida Prado | CS-301 · com Bruno Lima | Confirmada',
        '11:30 | Marcos Antunes | CS-302 · com Bruno Lima | Confirmada',
        '14:00 | Condomínio Edifício Primavera dos Jardins | CS-303 · com Bruno Lima | Agendada',
        '16:30 | Beatriz Camargo | CS-304 · com Bruno Lima | Agendada',
      ])
      const overdue = await linesIn(page, 'overdue')
      t.is(overdue.length, financial.defaultedPayments)
      t.is(
        overdue[0],
        'há 75 dias | Condomínio Edifício Primavera dos Jardins | AP-108 · Aluguel · venceu em 09/09/2026 | R$ 12.450,00',
      )
      // Due on a Saturday before a holiday: days count from Tuesday, 13 October, as in a quote.
      t.regex(`${overdue[1]}`, /^há 41 dias .* venceu em 10\/10\/2026 · recebido R\$ 1\.000,00 de R\$ [\d.,]+ \| R\$/)
      t.is(overdue.filter((line) => line.includes('recebido')).length, 1)
      const ending = await linesIn(page, 'contracts')
      t.is(ending.length, contracts.expiringSoon)
      t.deepEqual(ending.slice(0, 2), [
        'hoje | Marcos Antunes | CS-109 · Locação · até 23/11/2026',
        'em 4 dias | Maria da Silva | AP-101 · Locação · até 27/11/2026',
      ])
      await assertAccessible(t, seen)
      t.deepEqual(wrong, [])
    },
  )

  testInFull(test.serial, 'each part of an empty agency says that it is empty', async (t) => {
    const api = await openWithIssuer(t)
    const { page, wrong, findings } = await signedIn(t, open, api, (await founder(api)).email)
    t.like(await tilesIn(page), { 'Em atraso': 'R$ 0,00', Imóveis: '0' })
    t.deepEqual(await page.locator('.none').allTextContents(), [
      'Nada foi recebido nos últimos 5 meses.',
      'Nenhuma proposta ainda.',
      'Nenhuma visita hoje.',
      'Nenhum pagamento em atraso.',
      'Nenhum contrato termina nos próximos 30 dias.',
      'Nada de novo por aqui.',
    ])
    t.deepEqual(await findings(), [])
    t.deepEqual(wrong, [])
  })

  testInFull(
    test.serial,
    'a broker sees their own records and no money; financial staff see money and no visits',
    async (t) => {
      const api = await openWithIssuer(t)
      const admin = await founder(api)
      const broker = await employee(api, admin, 'Broker')
      const financial = await employee(api, admin, 'Financial')
      const { stored, broker: own } = await fillAgency(api, admin, broker.email)
      await stored.contractOf({ brokerId: own.id, endDate: '2026-12-01', propertyCode: 'AP-900', clientName: 'Maria' })
      const { page, wrong } = await signedIn(t, open, api, broker.email)
      const his = worked(await api.ask('GET', '/api/dashboard', { token: broker.token }))
      t.deepEqual(await tilesIn(page), {
        Imóveis: `${his.properties.total}`,
        'Contratos ativos': `${his.contracts.active}`,
        'Visitas por fazer': `${his.visits.scheduled + his.visits.confirmed}`,
      })
      const heads = () => page.locator('h2:visible').allTextContents()
      t.deepEqual(await heads(), ['Propostas', 'Visitas de hoje', 'Contratos que terminam em 30 dias', 'Novidades'])
      t.is((await linesIn(page, 'visits')).length, 4)
      t.is((await linesIn(page, 'contracts')).length, 1)
      const hers = await signedIn(t, open, api, financial.email)
      t.deepEqual(await hers.page.locator('h2:visible').allTextContents(), [
        'Receita por mês',
        'Propostas',
        'Pagamentos em atraso',
        'Contratos que terminam em 30 dias',
        'Novidades',
      ])
      t.deepEqual([...wrong, ...hers.wrong], [])
    },
  )

  test.serial('a notification is announced as it happens, and its changes are shown', async (t) => {
    const { api, admin, page, wrong } = await openBoard(t, open)
    const { data } = worked(await api.ask('GET', '/api/visits?status=Scheduled', { token: admin.token }))
    const [{ id, property }] = data
    const sent = { token: admin.token, body: { status: 'Confirmed' } }
    worked(await api.ask('PATCH', `/api/visits/${id}/status`, sent))
    await api.drain()
    const line = part(page, 'visits').locator('li', { hasText: property.code })
    await line.getByText('Confirmada').waitFor()
    // The next poll may show the change before the notification arrives.
    const announcement = /^Visita confirmada: A visita de .* foi confirmada\.$/
    await page.locator('#announcement', { hasText: announcement }).waitFor({ state: 'attached' })
    await part(page, 'figures').getByText('3 confirmadas').waitFor()
    await part(page, 'news').locator('li', { hasText: property.code }).first().waitFor()
    t.deepEqual(wrong, [])
  })

  testInFull(test.serial, 'a received payment, which notifies no user, appears with the next poll', async (t) => {
    const api = await openWithIssuer(t)
    const admin = await founder(api)
    await fillAgency(api, admin)
    const { page, wrong } = await open(t, api.url)
    // Time passes as usual until the test advances it.
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
  })

  testInFull(test.serial, 'after a cut the stream resumes and the board shows the missed events', async (t) => {
    const { api, admin, stored, leases, broker, page } = await openBoard(t, open)
    const notify = async () => {
      const [lease] = leases
      if (lease) await stored.emit('commission.paid', (await stored.commissionOf(lease, broker.id)).id)
      await api.drain()
    }
    await notify()
    await page.locator('#announcement', { hasText: 'Comissão paga' }).waitFor({ state: 'attached' })
    const { data } = worked(await api.ask('GET', '/api/notifications', { token: admin.token }))
    const notification = data.find(({ type }: { readonly type: string }) => type === 'CommissionPaid')
    await page.context().setOffline(true)
    await page.locator('#live[data-state=lost]').waitFor()
    t.is(await page.locator('#live').innerText(), 'Sem conexão')
    t.true((await linesIn(page, 'visits')).length > 0, 'what was there stays')
    await notify()
    const again = page.waitForRequest((request) => request.url().endsWith('/api/notifications/stream'))
    await page.context().setOffline(false)
    t.is((await (await again).allHeaders())['last-event-id'], notification.id)
    await settled(page)
    await part(page, 'news').getByText('Comissão paga').nth(1).waitFor()
  })

  testInFull(test.serial, 'a user with too many streams still sees the board', async (t) => {
    const api = await openWithIssuer(t)
    const admin = await founder(api)
    await fillAgency(api, admin)
    const { page } = await open(t, api.url)
    const full = { status: 429, json: { code: 'stream.too-many' } }
    await page.route('**/api/notifications/stream', (route) => route.fulfill(full))
    await page.goto(`${api.url}/panel`)
    await enter(page, admin.email)
    await part(page, 'visits').getByText('Beatriz Camargo').waitFor()
    t.is(await page.locator('#live').innerText(), 'Conectando…')
  })

  testInFull(test.serial, 'loading and failed parts say so, and a failed part is read again on request', async (t) => {
    const api = await openWithIssuer(t)
    const admin = await founder(api)
    await fillAgency(api, admin)
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
  })

  test.serial('answers that arrive late move nothing that is seen, on a phone and on a desk', async (t) => {
    const { api, admin, page } = await openBoard(t, open)
    const invited = { token: admin.token, body: { email: 'bruno@example.com', role: 'Broker' } }
    worked(await api.ask('POST', '/api/invitations', invited))
    await page.addInitScript(RECORD_SHIFTS)
    await slowAnswers(page)
    for (const viewport of [PHONE, DESK]) {
      await page.setViewportSize(viewport)
      await page.reload()
      await settled(page)
      await page.locator('#invitations li').waitFor()
      await page.evaluate(painted)
      t.deepEqual(await page.evaluate('shifts'), [], `at ${viewport.width}`)
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}
