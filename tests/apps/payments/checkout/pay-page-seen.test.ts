import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { some, testInFull } from '../../../size.ts'
import { hasBrowser, oneBrowser } from '../../browser.ts'
import { openTestApi, type TestApi, worked } from '../test-api.ts'
import { type Known, linkOf, payBy } from './payer.ts'

const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}
const MARIA = { 'Nome completo': 'Maria da Silva', 'E-mail': 'maria@example.com', 'CPF ou CNPJ': '123.456.789-09' }
const HOME = {
  CEP: '01310-100',
  Estado: 'SP',
  'Rua ou avenida': 'Avenida Paulista',
  Número: '1000',
  Bairro: 'Bela Vista',
}

const use = async (api: TestApi, link: Known) => worked(await api.pay(worked(await payBy(api, link)).data.pix.txid))

/** A link that cannot be paid by, by the words that its page has for it. */
const ENDED: readonly (readonly [heading: string, made: object, end: (api: TestApi, link: Known) => unknown])[] = [
  ['Este link de pagamento expirou', { expires_at: '2026-11-24' }, (api) => api.clock.set('2026-11-26T12:00:00.000Z')],
  ['Este link de pagamento já foi pago', { max_uses: 1 }, use],
  [
    'Este link de pagamento atingiu o limite de pagamentos',
    { max_uses: 2 },
    async (api, link) => {
      await use(api, link)
      await use(api, link)
    },
  ],
]

/** An address that leads to no link, likewise. */
const LOST: readonly (readonly [heading: string, address: (link: Known) => string])[] = [
  ['Link de pagamento não encontrado', () => '/pay/nenhum?token=x'],
  ['O endereço deste pagamento está incompleto', ({ id }) => `/pay/${id}`],
]

if (hasBrowser(test)) {
  const open = oneBrowser(test)
  const linked = async (t: ExecutionContext, more: object = {}) => {
    const api = await openTestApi(t)
    const { id, token } = await linkOf(api, await api.merchant(), { installments: 3, ...more })
    return { api, address: `${api.url}/pay/${id}?token=${token}` }
  }

  test.serial(
    'the form is read by everybody by day and by night, whatever is chosen or wrong, and no wider than a phone',
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

  for (const [heading, more, end] of some(ENDED, 1))
    test.serial(`"${heading}" is said by day and by night, and no wider than a phone`, async (t) => {
      const api = await openTestApi(t)
      const link = await linkOf(api, await api.merchant(), more)
      await end(api, link)
      const { page, wrong, findings, overflow } = await open(t, api.url)
      await page.goto(`${api.url}/pay/${link.id}?token=${link.token}`)
      t.is(await page.getByRole('heading').textContent(), heading)
      t.deepEqual(await findings(), [])
      t.is(await overflow(), 0)
      t.deepEqual(wrong, [])
    })

  for (const [heading, addressOf] of some(LOST, 1))
    testInFull(test.serial, `"${heading}" is read by everybody by day and by night`, async (t) => {
      const api = await openTestApi(t)
      const link = await linkOf(api, await api.merchant())
      const { page, findings, overflow } = await open(t, api.url)
      await page.goto(`${api.url}${addressOf(link)}`)
      t.is(await page.getByRole('heading').textContent(), heading)
      t.deepEqual(await findings(), [])
      t.is(await overflow(), 0)
    })

  test.serial('without JavaScript a method is chosen, and its fields appear; a Pix is paid by its code', async (t) => {
    const { api, address } = await linked(t)
    const { page, wrong, qrText } = await open(t, api.url, { javaScriptEnabled: false })
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

  test.serial('a card is typed in groups, charged at once, and its payer led back', async (t) => {
    const { api, address } = await linked(t, {
      payment_methods: ['CARD'],
      success_url: 'https://loja.example/obrigado',
    })
    const { page, wrong } = await open(t, api.url)
    await page.goto(address)
    await fill(page, { ...MARIA, ...HOME, Cidade: 'São Paulo', 'Nome impresso no cartão': 'MARIA DA SILVA' })
    await page.getByLabel('Número do cartão').pressSequentially('4111111111111111')
    await page.getByLabel('Validade').pressSequentially('1230')
    await page.getByLabel('Código de segurança').fill('123')
    t.is(await page.getByLabel('Número do cartão').inputValue(), '4111 1111 1111 1111')
    t.is(await page.getByLabel('Validade').inputValue(), '12/30')
    await page.getByLabel('Parcelas').selectOption('2')
    await page.getByRole('button', { name: 'Pagar com cartão' }).click()
    await page.locator('.state.paid').waitFor()
    t.is(
      await page.getByRole('link', { name: 'Voltar para loja.example' }).getAttribute('href'),
      'https://loja.example/obrigado',
    )
    t.deepEqual(wrong, [])
  })

  testInFull(
    test.serial,
    'a card that its acquirer has not decided is told of, and becomes paid while somebody looks',
    async (t) => {
      const { api, address } = await linked(t, { payment_methods: ['CARD'] })
      const { page, wrong, findings } = await open(t, api.url)
      await page.goto(address)
      await fill(page, { ...MARIA, ...HOME, Cidade: 'São Paulo', 'Nome impresso no cartão': 'MARIA DA SILVA' })
      await fill(page, { 'Número do cartão': '4000000000000259', Validade: '12/30', 'Código de segurança': '123' })
      await page.getByRole('button', { name: 'Pagar com cartão' }).click()
      t.is(await page.locator('.state').textContent(), 'Pagamento em análise')
      t.deepEqual(await findings(), [])
      const code = page.url().split('/').at(-1)
      await api.ask('POST', '/fake-bank/cards', { body: { code, outcome: 'approve' } })
      await page.locator('.state.paid').waitFor()
      t.deepEqual(wrong, [])
    },
  )
}
