import test, { type ExecutionContext } from 'ava'
import { some, testInFull } from '../../../size.ts'
import { hasBrowser, oneBrowser, PHONE } from '../../browser.ts'
import { CARDS, cardBody } from '../../given/cards.ts'
import { openTestApi, type TestApi, worked } from '../test-api.ts'

const NOTE = `Mensalidade ${'W'.repeat(120)}`
/** Of the states some by chance: `npm run test:long` has time for all. */
const TRIED = 3
const OFF = { javaScriptEnabled: false }

/** A charge in each state, by the word that its page has for it. */
const STATES: Readonly<Record<string, (api: TestApi) => Promise<string>>> = {
  async 'Aguardando pagamento'(api) {
    const more = { payment_method: 'BOLEPIX', amount_rate: 2, type_rate: 'PERCENTAGE', description: NOTE }
    return (await api.charge(await api.merchant(), more)).code
  },
  async 'Preparando o pagamento'(api) {
    const owner = await api.merchant()
    await api.fail('create_pix', 'timeout')
    return (await api.charge(owner)).code
  },
  async 'Pagamento recebido'(api) {
    const { code, pix } = await api.charge(await api.merchant())
    worked(await api.pay(pix.txid))
    return code
  },
  async 'Cobrança vencida'(api) {
    const { code } = await api.charge(await api.merchant())
    api.clock.set('2026-12-01T03:00:00.000Z')
    return code
  },
  async 'Cobrança cancelada'(api) {
    const { code, pix } = await api.charge(await api.merchant())
    worked(await api.ask('POST', '/fake-bank/cancellations', { body: { txid: pix.txid } }))
    return code
  },
  async 'Aguardando pagamento, depois do vencimento'(api) {
    const { code } = await api.charge(await api.merchant(), { payment_method: 'BOLETO', due_date: '2026-11-24' })
    api.clock.set('2026-11-27T12:00:00.000Z')
    return code
  },
  async 'Pagamento em análise'(api) {
    const { token } = await api.merchant()
    const { data } = worked(await api.ask('POST', '/invoices', { token, body: cardBody(CARDS.pending) }))
    return data.code
  },
  async 'Pagamento não aprovado'(api) {
    const { token } = await api.merchant()
    await api.ask('POST', '/invoices', { token, body: cardBody(CARDS.declined) })
    return worked(await api.ask('GET', '/invoices?status_id=5', { token })).data[0].code
  },
  async 'Cobrança não emitida'(api) {
    const { token } = await api.merchant()
    await api.fail('create_pix', 'refuse')
    const payer = { name: 'Maria', email: 'maria@example.com', document: '12345678909' }
    const body = { value: 10, payment_method: 'PIX', due_date: '2026-11-30', ...payer }
    await api.ask('POST', '/invoices', { token, body })
    return worked(await api.ask('GET', '/invoices?status_id=5', { token })).data[0].code
  },
}

if (hasBrowser(test)) {
  const open = oneBrowser(test)
  const charged = async (t: ExecutionContext, more: Record<string, unknown> = {}) => {
    const api = await openTestApi(t)
    const charge = await api.charge(await api.merchant(), more)
    return { api, charge, address: `${api.url}/pay/charge/${charge.code}` }
  }

  for (const [word, made] of some(Object.entries(STATES), TRIED)) {
    test.serial(`${word}: said so, read by everybody by day and by night, and no wider than a phone`, async (t) => {
      const api = await openTestApi(t)
      const { page, wrong, findings, overflow } = await open(t, api.url)
      await page.goto(`${api.url}/pay/charge/${await made(api)}`)
      t.is(await page.locator('.state').textContent(), word.split(',')[0] ?? word)
      t.deepEqual(await findings(), [])
      t.is(await overflow(), 0)
      t.deepEqual(wrong, [])
    })
  }

  test.serial('the QR code that is seen is the text that is copied, and that of the boleto its digits', async (t) => {
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

  testInFull(test.serial, 'where nothing may write to the clipboard, the code is selected', async (t) => {
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

  test.serial('it becomes paid while somebody looks at it, and is not loaded anew', async (t) => {
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

  testInFull(test.serial, 'once the bank has answered, the code appears', async (t) => {
    const api = await openTestApi(t)
    const code = await STATES['Preparando o pagamento']?.(api)
    const { page } = await open(t, api.url)
    await page.goto(`${api.url}/pay/charge/${code}`)
    api.clock.advance(60)
    await api.drain()
    await page.locator('#pix-code').waitFor()
    t.is(await page.locator('.state').textContent(), 'Aguardando pagamento')
  })

  testInFull(
    test.serial,
    'without JavaScript it is read, the code is there to be selected, and nothing offers what it cannot do',
    async (t) => {
      const { api, charge, address } = await charged(t)
      const { page, wrong, qrText, overflow } = await open(t, api.url, OFF)
      await page.goto(address)
      t.is(await page.locator('#pix-code').inputValue(), charge.pix.qrcode)
      t.is(await qrText(), charge.pix.qrcode)
      t.false(await page.getByRole('button').first().isVisible())
      t.true(await page.getByText('recarregue esta página').isVisible())
      t.is(await overflow(), 0)
      t.deepEqual(wrong, [])
    },
  )

  testInFull(test.serial, 'an unknown charge is told as people would, and so it is on a desk', async (t) => {
    const api = await openTestApi(t)
    const { page, wrong, findings } = await open(t, api.url, { viewport: { ...PHONE, width: 1280 } })
    await page.goto(`${api.url}/pay/charge/nenhuma`)
    t.is(await page.getByRole('heading').textContent(), 'Cobrança não encontrada')
    t.deepEqual(await findings(), [])
    t.deepEqual(wrong, [])
  })
}
