// Runs alone.
import test from 'ava'
import { hasBrowser, oneBrowser, painted, RECORD_SHIFTS, slowAnswers } from '../../browser.ts'
import { NOW, openTestApi, PASSWORD, worked } from '../test-api.ts'

const VIEWPORTS = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } }

/** The views that read records. */
const VIEWS = [
  '#/',
  '#/cobrancas',
  '#/links',
  '#/clientes',
  '#/extrato',
  '#/saques',
  '#/cartao',
  '#/desenvolvedores',
  '#/configuracoes',
]

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  for (const [device, viewport] of Object.entries(VIEWPORTS))
    test.serial(`on a ${device} answers that arrive late move nothing that is seen`, async (t) => {
      const api = await openTestApi(t)
      const merchant = await api.merchant()
      await api.setStatus(merchant, 'ACTIVE')
      const { id } = await api.charge(merchant)
      for (const value of [10, 20.5, 1_150.5]) await api.pay((await api.charge(merchant, { value })).pix.txid)
      const body = { title: 'Camiseta', amount: 50, payment_methods: ['PIX'] }
      worked(await api.ask('POST', '/billing/payment-links', { token: merchant.token, body }))
      const { page } = await open(t, api.url, { viewport })
      await page.addInitScript(RECORD_SHIFTS)
      await page.clock.setFixedTime(new Date(NOW))
      await page.goto(`${api.url}/panel`)
      await page.getByLabel('E-mail', { exact: true }).fill(merchant.email)
      await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Entrar' }).click()
      await page.getByRole('button', { name: 'Sair' }).waitFor()
      await slowAnswers(page)
      await page.reload()
      const seen = new Map<string, readonly string[]>()
      for (const address of [...VIEWS, `#/cobrancas/${id}`]) {
        await page.goto(`${api.url}/panel${address}`)
        await page.evaluate(painted)
        await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
        await page
          .getByText(/^(Somando)?…$/)
          .first()
          .waitFor({ state: 'detached' })
        await page.evaluate(painted)
        const shifts = await page.evaluate<string[]>('shifts.splice(0)')
        if (shifts.length > 0) seen.set(address, shifts)
      }
      t.deepEqual(seen, new Map())
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
}
