import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { story } from '../../apps/demo-real-estate/story.ts'
import { start } from '../apps/host/process.ts'
import { ROOT } from '../root.ts'

// `npm run pictures` takes the pictures of README.md from the running apps, after the demo of the agency.

const FOLDER = join(ROOT, 'apps/packaging/pictures')
const PASSWORD = 'segredo-123'

const post = async <A>(url: string, body: object, token = ''): Promise<A> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json() as Promise<A>
}

const MERCHANT = 'ana@escola.example'

const takeCheckout = async (browser: Browser, payments: string): Promise<void> => {
  const person = { name: 'Ana Souza', email: MERCHANT, password: PASSWORD, password_confirmation: PASSWORD }
  const { data } = await post<{ data: { access_token: string } }>(`${payments}/v1/auth/register`, person)
  const token = data.access_token
  await post(`${payments}/v1/organizations`, { name: 'Escola Aurora', document: '11.444.777/0001-61' }, token)
  const due = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  const payer = { name: 'Maria da Silva', document: '123.456.789-09', email: 'maria@example.com' }
  const order = { value: 150.5, payment_method: 'PIX', due_date: due, description: 'Mensalidade de dezembro', ...payer }
  for (const value of [150.5, 320, 89.9]) {
    const paid = await post<{ data: { pix: { txid: string } } }>(`${payments}/invoices`, { ...order, value }, token)
    await post(`${payments}/fake-bank/payments`, { txid: paid.data.pix.txid })
  }
  const charge = await post<{ data: { code: string } }>(`${payments}/invoices`, order, token)
  const page = await browser.newPage({ viewport: { width: 390, height: 780 }, locale: 'pt-BR' })
  await page.goto(`${payments}/pay/charge/${charge.data.code}`)
  await page.screenshot({ path: join(FOLDER, 'checkout.png') })
}

const takeMerchantPanel = async (browser: Browser, payments: string): Promise<void> => {
  const page = await browser.newPage({ viewport: { width: 1000, height: 780 }, locale: 'pt-BR' })
  await page.goto(`${payments}/panel`)
  await page.getByLabel('E-mail').fill(MERCHANT)
  await page.getByLabel('Senha').fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('link', { name: 'R$ 560,40' }).first().waitFor()
  await page
    .locator('.tile')
    .first()
    .evaluate((tile) => tile.scrollIntoView())
  await page.screenshot({ path: join(FOLDER, 'merchant.png') })
}

const takePanel = async (browser: Browser, estate: string, email: string): Promise<void> => {
  const page = await browser.newPage({ viewport: { width: 1000, height: 780 }, locale: 'pt-BR' })
  await page.goto(`${estate}/panel`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Senha').fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.locator('#live[data-state=live]').waitFor()
  await page.locator('[data-part][aria-busy]:not([hidden])').first().waitFor({ state: 'detached' })
  await page.screenshot({ path: join(FOLDER, 'panel.png') })
}

const data = mkdtempSync(join(tmpdir(), 'portico-pictures-'))
const app = start({ STORE_URL: 'memory:', DATA_DIR: data })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const { payments, estate } = await app.ready
  await mkdir(FOLDER, { recursive: true })
  await takeCheckout(browser, payments)
  await takeMerchantPanel(browser, payments)
  await story(estate, payments)
  await takePanel(browser, estate, 'ana@aurora.example')
} finally {
  await browser.close()
  app.child.kill('SIGKILL')
  rmSync(data, { recursive: true, force: true })
}
