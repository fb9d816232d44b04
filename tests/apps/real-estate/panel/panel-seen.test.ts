import test from 'ava'
import { formatReais } from '../../../../core/kernel/values/money.ts'
import { testInFull } from '../../../size.ts'
import { hasBrowser, oneBrowser, PHONE } from '../../browser.ts'
import { worked } from '../test-api.ts'
import { DESK, linesIn, part, signedIn, tilesIn } from './at-the-panel.ts'
import { furnished } from './furnished.ts'
import { employee, founder, openWithIssuer } from './signed-up.ts'

const reais = (value: number) => formatReais(Math.round(value * 100))

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  test.serial(
    'it shows what the API says: figures, revenue, proposals, and what comes first of each list',
    async (t) => {
      const api = await openWithIssuer(t)
      const admin = await founder(api)
      await furnished(api, admin)
      const { page, wrong } = await signedIn(t, open, api, admin.email, { viewport: DESK })
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
      // A Saturday before a holiday: late days count from Tuesday, 13 October, as those of a quote.
      t.regex(`${overdue[1]}`, /^há 41 dias .* venceu em 10\/10\/2026/)
      const ending = await linesIn(page, 'contracts')
      t.is(ending.length, contracts.expiringSoon)
      t.deepEqual(ending.slice(0, 2), [
        'hoje | Marcos Antunes | CS-109 · Locação · até 23/11/2026',
        'em 4 dias | Maria da Silva | AP-101 · Locação · até 27/11/2026',
      ])
      t.deepEqual(wrong, [])
    },
  )

  for (const [device, viewport] of Object.entries({ phone: PHONE, desk: DESK }))
    test.serial(
      `on a ${device} it is read by everybody by day and by night, and no wider than its window`,
      async (t) => {
        const api = await openWithIssuer(t)
        const admin = await founder(api)
        await furnished(api, admin)
        const { page, wrong, findings, overflow } = await signedIn(t, open, api, admin.email, { viewport })
        t.deepEqual(await findings(), [])
        t.is(await overflow(), 0)
        const inks = async (colorScheme: 'light' | 'dark') => {
          await page.emulateMedia({ colorScheme })
          return page.evaluate<string>(
            'getComputedStyle(document.body).backgroundColor + document.querySelector("canvas").toDataURL()',
          )
        }
        t.not(await inks('light'), await inks('dark'))
        await page.getByRole('button', { name: 'Sair' }).click()
        t.deepEqual(await findings(), [])
        t.is(await overflow(), 0)
        t.deepEqual(wrong, [])
      },
    )

  testInFull(test.serial, 'an agency that has nothing yet is told so, part by part', async (t) => {
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
    'a broker sees what is their own and nothing of money; financial staff see money and no visits',
    async (t) => {
      const api = await openWithIssuer(t)
      const admin = await founder(api)
      const broker = await employee(api, admin, 'Broker')
      const financial = await employee(api, admin, 'Financial')
      const { stored, broker: own } = await furnished(api, admin, broker.email)
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
}
