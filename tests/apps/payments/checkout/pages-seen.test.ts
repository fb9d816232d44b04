// Runs alone.
import test, { type ExecutionContext } from 'ava'
import { DESK, fill, hasBrowser, oneBrowser } from '../../browser.ts'
import { type Merchant, NOW, openMerchant, openTestApi, type TestApi, worked } from '../test-api.ts'
import { CHARGE_STATES } from './charge-states.ts'
import { type Known, linkOf, payBy, setLogo } from './payer.ts'

const OFF = { javaScriptEnabled: false }

const MARIA = { 'Nome completo': 'Maria da Silva', 'E-mail': 'maria@example.com', 'CPF ou CNPJ': '123.456.789-09' }
const STREET = { 'Rua ou avenida': 'Avenida Paulista', Número: '1000', Bairro: 'Bela Vista', Cidade: 'São Paulo' }
const HOME = { CEP: '01310-100', Estado: 'SP', ...STREET }

const use = async (api: TestApi, link: Known) => worked(await api.pay(worked(await payBy(api, link)).data.pix.txid))

type End = (api: TestApi, link: Known, owner: Merchant) => unknown

/** Links that take no payments, by the heading of their page, in the order of their times. */
const ENDED: readonly (readonly [heading: string, made: object, end: End])[] = [
  ['Este link de pagamento já foi pago', { max_uses: 1 }, use],
  [
    'Este link de pagamento atingiu o limite de pagamentos',
    { max_uses: 2, title: `Curso ${'W'.repeat(150)}` },
    async (api, link) => {
      await use(api, link)
      await use(api, link)
    },
  ],
  ['Este link de pagamento expirou', { expires_at: '2026-11-24' }, (api) => api.clock.set('2026-11-26T12:00:00.000Z')],
  ['Esta conta não está recebendo pagamentos', {}, (api, _, owner) => api.setStatus(owner, 'SUSPENDED')],
]

/** Addresses of no link, by the heading of their page. */
const LOST: readonly (readonly [heading: string, address: (link: Known) => string])[] = [
  ['Link de pagamento não encontrado', () => '/pay/nenhum?token=x'],
  ['O endereço deste pagamento está incompleto', ({ id }) => `/pay/${id}`],
]

if (hasBrowser(test)) {
  const open = oneBrowser(test)
  const charged = async (t: ExecutionContext, more: Record<string, unknown> = {}) => {
    const api = await openTestApi(t)
    const charge = await api.charge(await api.merchant(), more)
    return { api, charge, address: `${api.url}/pay/charge/${charge.code}` }
  }

  test.serial('shows each state, accessible in both colour schemes, within the width of a phone', async (t) => {
    const api = await openTestApi(t)
    const { page, wrong, findings, overflow } = await open(t, api.url)
    const look = async (word: string, code: string, said: string) => {
      await page.goto(`${api.url}/pay/charge/${code}`)
      t.is(await page.locator(said).textContent(), word)
      t.deepEqual(await findings(), [], word)
      t.is(await overflow(), 0, word)
    }
    const owner = await api.merchant()
    const seen: (readonly [word: string, code: string, at: string])[] = []
    for (const [word, { made, at = NOW }] of Object.entries(CHARGE_STATES))
      seen.push([word.split(',')[0] ?? word, await made(api, owner), at])
    for (const [word, code, at] of seen) {
      api.clock.set(at)
      await look(word, code, '.state')
    }
    // The page of an error, on a desktop.
    await page.setViewportSize(DESK)
    await look('Cobrança não encontrada', 'nenhuma', 'h1')
    t.deepEqual(wrong, [])
  })

  test.serial('copies the text of the QR code, and the digits of the boleto', async (t) => {
    const { api, charge, address } = await charged(t, { payment_method: 'BOLEPIX' })
    const { page, wrong, qrText } = await open(t, api.url)
    await page.goto(address)
    t.is(await qrText(), charge.pix.qrcode)
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    for (const [button, text] of [
      ['Copiar código Pix', charge.pix.qrcode],
      ['Copiar linha digitável', charge.boleto.digitableLine],
    ]) {
      await page.evaluate("document.getElementById('told').textContent = ''")
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('status').filter({ hasText: 'Código copiado' }).waitFor({ state: 'attached' })
      t.is(await copied(), text)
    }
    t.deepEqual(wrong, [])
  })

  test.serial('selects the code if the clipboard is not writable', async (t) => {
    const { api, charge, address } = await charged(t)
    const { page } = await open(t, api.url)
    await page.goto(address)
    await page.evaluate(
      "navigator.clipboard.writeText = () => Promise.reject(new Error('no')); document.execCommand = () => false",
    )
    await page.getByRole('button', { name: 'Copiar código Pix' }).click()
    await page.getByRole('button', { name: 'Selecionado' }).waitFor()
    t.is(await page.evaluate('getSelection().toString()'), charge.pix.qrcode)
  })

  test.serial('becomes paid while it is open, without a reload', async (t) => {
    const { api, charge, address } = await charged(t)
    const { page, wrong } = await open(t, api.url)
    await page.goto(address)
    await page.evaluate('window.stays = true')
    worked(await api.pay(charge.pix.txid))
    await page.locator('.state.paid').waitFor()
    t.is(await page.evaluate('window.stays'), true)
    t.is(await page.getByRole('status').textContent(), 'Pagamento recebido')
    t.is(await page.title(), 'Pagamento recebido: cobrança de Escola Aurora')
    t.is(await page.locator('section').count(), 0)
    t.deepEqual(wrong, [])
  })

  test.serial('shows no code once the charge is deleted', async (t) => {
    const { api, merchant: owner } = await openMerchant(t)
    const { id, code } = await api.charge(owner)
    const { page, wrong } = await open(t, api.url)
    await page.goto(`${api.url}/pay/charge/${code}`)
    worked(await api.ask('DELETE', `/invoices/${id}`, { token: owner.token }))
    await page.getByRole('heading', { name: 'Cobrança não encontrada' }).waitFor()
    t.is(await page.locator('#pix-code').count(), 0)
    t.deepEqual(wrong, [])
  })

  test.serial('shows the code once the bank has answered', async (t) => {
    const api = await openTestApi(t)
    await api.fail('create_pix', 'timeout')
    const { code } = await api.charge(await api.merchant())
    const { page } = await open(t, api.url)
    await page.goto(`${api.url}/pay/charge/${code}`)
    await api.drain(60)
    await page.locator('#pix-code').waitFor()
    t.is(await page.locator('.state').textContent(), 'Aguardando pagamento')
  })

  test.serial('shows the code without JavaScript, and no button that needs it', async (t) => {
    const { api, charge, address } = await charged(t)
    const { page, wrong, qrText, overflow } = await open(t, api.url, OFF)
    await page.goto(address)
    t.is(await page.locator('#pix-code').inputValue(), charge.pix.qrcode)
    t.is(await qrText(), charge.pix.qrcode)
    t.false(await page.getByRole('button').first().isVisible())
    t.true(await page.getByText('recarregue esta página').isVisible())
    t.is(await overflow(), 0)
    t.deepEqual(wrong, [])
  })
  const linked = async (t: ExecutionContext, more: object = {}) => {
    const api = await openTestApi(t)
    const { id, token } = await linkOf(api, await api.merchant(), { installments: 3, ...more })
    return { api, address: `${api.url}/pay/${id}?token=${token}` }
  }

  test.serial(
    'shows the form with each method and with errors, accessible in both colour schemes, within the width of a phone',
    async (t) => {
      const { api, address } = await linked(t, { title: `Curso ${'W'.repeat(150)}` })
      const { page, wrong, findings, overflow } = await open(t, api.url)
      const look = async (state: string) => {
        t.deepEqual(await findings(), [], state)
        t.is(await overflow(), 0, state)
      }
      await page.goto(address)
      await look('as it opens')
      await page.getByLabel('Cartão de crédito').check()
      await page.getByRole('button', { name: 'Pagar com cartão' }).click()
      await page.getByRole('alert').waitFor()
      t.is(await page.evaluate('document.activeElement.id'), 'name')
      await look('with what is wrong')
      t.deepEqual(wrong, [])
    },
  )

  test.serial(
    'shows a link that takes no payments with its payee, accessible in both colour schemes, within the width of a phone',
    async (t) => {
      const { api, merchant: owner } = await openMerchant(t)
      await setLogo(api, owner)
      const { page, wrong, findings, overflow } = await open(t, api.url)
      const look = async (heading: string, address: string) => {
        await page.goto(`${api.url}${address}`)
        t.is(await page.locator('.card :is(h1, h2)').textContent(), heading)
        t.deepEqual(await findings(), [], heading)
        t.is(await overflow(), 0, heading)
      }
      const ended: Known[] = []
      for (const [, more] of ENDED) ended.push(await linkOf(api, owner, more))
      for (const [index, [heading, , end]] of ENDED.entries()) {
        const link = ended[index] as Known
        await end(api, link, owner)
        await look(heading, `/pay/${link.id}?token=${link.token}`)
        t.is(await page.locator('h1').textContent(), 'Pagamento para Escola Aurora')
        t.is(await page.evaluate('document.images[0].naturalWidth'), 1, heading)
      }
      for (const [heading, addressOf] of LOST) await look(heading, addressOf(ended[0] as Known))
      t.deepEqual(wrong, [])
    },
  )

  test.serial('shows the fields of the chosen method without JavaScript, and a Pix with its code', async (t) => {
    const { api, address } = await linked(t)
    const { page, wrong, qrText } = await open(t, api.url, OFF)
    await page.goto(address)
    const number = page.getByLabel('Número do cartão')
    t.false(await number.isVisible())
    await page.getByLabel('Cartão de crédito').check()
    t.true(await number.isVisible())
    await page.getByLabel('Pix').check()
    t.false(await number.isVisible())
    await fill(page, MARIA)
    await page.getByRole('button', { name: 'Continuar' }).click()
    t.regex(page.url(), /\/pay\/charge\/[\w-]+$/)
    t.is(await qrText(), await page.locator('#pix-code').inputValue())
    t.deepEqual(wrong, [])
  })

  test.serial('groups the digits of a card, charges it at once and links back to the shop', async (t) => {
    const success_url = 'https://loja.example/obrigado'
    const { api, address } = await linked(t, { payment_methods: ['CARD'], success_url })
    const { page, wrong } = await open(t, api.url)
    await page.goto(address)
    await fill(page, { ...MARIA, ...HOME, 'Nome impresso no cartão': 'MARIA DA SILVA' })
    await page.getByLabel('Número do cartão').pressSequentially('4111111111111111')
    await page.getByLabel('Validade').pressSequentially('1230')
    await page.getByLabel('Código de segurança').fill('123')
    t.is(await page.getByLabel('Número do cartão').inputValue(), '4111 1111 1111 1111')
    t.is(await page.getByLabel('Validade').inputValue(), '12/30')
    await page.getByLabel('Parcelas').selectOption('2')
    await page.getByRole('button', { name: 'Pagar com cartão' }).click()
    await page.locator('.state.paid').waitFor()
    const back = page.getByRole('link', { name: 'Voltar para loja.example' })
    t.is(await back.getAttribute('href'), success_url)
    t.deepEqual(wrong, [])
  })
}
