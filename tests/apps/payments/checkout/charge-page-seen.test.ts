// Runs alone.
import test, { type ExecutionContext } from 'ava'
import { hasBrowser, oneBrowser, PHONE } from '../../browser.ts'
import { NOW, openTestApi, worked } from '../test-api.ts'
import { CHARGE_STATES } from './charge-states.ts'

const OFF = { javaScriptEnabled: false }

if (hasBrowser(test)) {
  const open = oneBrowser(test)
  const charged = async (t: ExecutionContext, more: Record<string, unknown> = {}) => {
    const api = await openTestApi(t)
    const charge = await api.charge(await api.merchant(), more)
    return { api, charge, address: `${api.url}/pay/charge/${charge.code}` }
  }

  test.serial('each state is said, read by everybody by day and by night, and no wider than a phone', async (t) => {
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
    // A page of one card, on a desk.
    await page.setViewportSize({ ...PHONE, width: 1280 })
    await look('Cobrança não encontrada', 'nenhuma', 'h1')
    t.deepEqual(wrong, [])
  })

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

  test.serial('where nothing may write to the clipboard, the code is selected', async (t) => {
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

  test.serial('a charge that is deleted while somebody looks at it is no longer to be paid', async (t) => {
    const api = await openTestApi(t)
    const owner = await api.merchant()
    const { id, code } = await api.charge(owner)
    const { page, wrong } = await open(t, api.url)
    await page.goto(`${api.url}/pay/charge/${code}`)
    worked(await api.ask('DELETE', `/invoices/${id}`, { token: owner.token }))
    await page.getByRole('heading', { name: 'Cobrança não encontrada' }).waitFor()
    t.is(await page.locator('#pix-code').count(), 0)
    t.deepEqual(wrong, [])
  })

  test.serial('once the bank has answered, the code appears', async (t) => {
    const api = await openTestApi(t)
    await api.fail('create_pix', 'timeout')
    const { code } = await api.charge(await api.merchant())
    const { page } = await open(t, api.url)
    await page.goto(`${api.url}/pay/charge/${code}`)
    api.clock.advance(60)
    await api.drain()
    await page.locator('#pix-code').waitFor()
    t.is(await page.locator('.state').textContent(), 'Aguardando pagamento')
  })

  test.serial(
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
}
