// Runs alone.
import test from 'ava'
import type { Page } from 'playwright-core'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { DESK, fill, hasBrowser, oneBrowser, PHONE, painted } from '../../browser.ts'
import { NOW, openTestApi, worked } from '../test-api.ts'
import { enter, focused, openPanel, pollAgain, press, signedIn, signIn, title } from './at-the-panel.ts'

const OPERATOR = 3

/** The views of the panel by their addresses, each with its title. */
const VIEWS = [
  ['#/', null],
  ['#/cobrancas', 'Cobranças'],
  ['#/cobrancas/nova', 'Nova cobrança'],
  ['#/links', 'Links de pagamento'],
  ['#/links/novo', 'Novo link'],
  ['#/clientes', 'Clientes'],
  ['#/clientes/novo', 'Novo cliente'],
  ['#/extrato', 'Extrato'],
  ['#/saques', 'Saques'],
  ['#/transferencias', 'Transferir'],
  ['#/cartao', 'Vendas no cartão'],
  ['#/desenvolvedores', 'Desenvolvedores'],
  ['#/configuracoes', 'Configurações'],
  ['#/nada', 'Página não encontrada'],
] as const

/** Returns a promise, and the function that resolves it. */
const hold = () => {
  let answer = (): void => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  return { held, answer }
}

const errors = (page: Page) => page.locator('.error').allInnerTexts()

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  test.serial('a new user registers, creates an organization, and sees the next steps', async (t) => {
    const api = await openTestApi(t)
    const { page, findings, wrong } = await openPanel(t, open, api)
    await press(page, 'Criar uma conta')
    await press(page, 'Criar conta')
    await page.locator('#password-error').waitFor()
    t.deepEqual(await errors(page), ['O campo é obrigatório.', 'O campo é obrigatório.', 'O campo é obrigatório.'])
    await focused(page, '#name')
    await page.keyboard.type('M')
    t.is((await errors(page)).length, 2, 'an edited field has no error')
    await fill(page, { 'Seu nome': 'Maria da Silva', 'E-mail': 'maria@example.com', Senha: 'correto e longo' })
    const { held, answer } = hold()
    await page.route('**/v1/auth/register', (route) => held.then(() => route.continue()))
    const before = await page.locator('form button').boundingBox()
    await press(page, 'Criar conta')
    await page.getByRole('button', { name: 'Enviando…' }).waitFor()
    t.deepEqual(await page.locator('form button').boundingBox(), before, 'a second click hits the same button')
    answer()
    await title(page, 'Criar uma organização')
    await fill(page, { Nome: 'Padaria Central', 'CPF ou CNPJ': '11.222.333/0001-81' })
    await press(page, 'Criar organização')
    await title(page, 'Padaria Central')
    await page.getByRole('heading', { name: 'Confirme seu e-mail' }).waitFor()
    await press(page, 'Ativar')
    await page.getByRole('heading', { name: 'Ative a organização' }).waitFor({ state: 'detached' })
    await focused(page, 'h1')
    await page.getByRole('link', { name: 'Emitir a primeira cobrança' }).waitFor()
    t.is(await page.locator('.tile').count(), 0)
    await page.setViewportSize(PHONE)
    await page.getByRole('link', { name: 'Clientes' }).waitFor({ state: 'hidden' })
    t.deepEqual(await findings(), [])
    await press(page, 'Menu')
    t.deepEqual(await findings(), [])
    await page.getByRole('link', { name: 'Clientes' }).press('Enter')
    await title(page, 'Clientes')
    await page.getByRole('link', { name: 'Cobranças' }).waitFor({ state: 'hidden' })
    await page.goto(`${api.url}/panel#/configuracoes`)
    await page.getByText(/os juros e a multa.*Crie-o primeiro/).waitFor()
    t.is(await page.getByRole('button', { name: /^Salvar/ }).count(), 0, 'no form asks for a PIN that does not exist')
    await fill(page, { PIN: '739154', 'O PIN, outra vez': '739154' })
    await press(page, 'Criar PIN')
    await page.getByRole('button', { name: 'Salvar avisos' }).waitFor()
    await page.getByText('Chrome em Linux').first().waitFor()
    t.deepEqual(wrong, [])
  })

  test.serial('every view is accessible in light and dark, and fits a phone', async (t) => {
    const { page, api, merchant, goTo, findings, overflow, wrong } = await signedIn(t, open)
    const { id } = await api.charge(merchant, { payment_method: 'BOLEPIX', description: 'W'.repeat(200) })
    const paths = Object.keys((await api.ask('GET', '/openapi.json')).body.paths)
    const documented = paths.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
    const unknown = new Set<string>()
    page.on('request', (sent) => {
      const { pathname } = new URL(sent.url())
      if (sent.resourceType() === 'fetch' && !documented.some((path) => path.test(pathname))) unknown.add(pathname)
    })
    for (const [address, name] of [...VIEWS, [`#/cobrancas/${id}`, 'de Maria da Silva'] as const]) {
      await page.setViewportSize(DESK)
      await goTo(address)
      if (name) await title(page, name)
      await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
      t.deepEqual(await findings(), [], address)
      await page.setViewportSize(PHONE)
      t.is(await overflow(), 0, address)
    }
    t.deepEqual([...unknown], [], 'the panel asks the documented API alone')
    t.deepEqual(wrong, [])
  })

  test.serial('a forgotten password is replaced by a code, and one of two organizations is chosen', async (t) => {
    const api = await openTestApi(t)
    const { token, email } = await api.merchant()
    const bakery = { name: 'Padaria Central', email: 'padaria@example.com', document: '11.444.777/0001-61' }
    worked(await api.ask('POST', '/v1/organizations', { token, body: bakery }))
    const { page, wrong } = await openPanel(t, open, api)
    await press(page, 'Esqueci a senha')
    await fill(page, { 'E-mail': email })
    await press(page, 'Enviar código')
    await title(page, 'Criar uma nova senha')
    const mail = (await api.mailsTo(email)).find((text) => text.includes('nova senha:')) ?? ''
    const code = /^\d{6}$/m.exec(mail)?.[0] ?? ''
    await fill(page, { 'Código do e-mail': code === '000000' ? '000001' : '000000', 'Nova senha': 'outra e longa' })
    await press(page, 'Salvar senha')
    await focused(page, '#code[aria-invalid]')
    await fill(page, { 'Código do e-mail': code })
    await press(page, 'Salvar senha')
    await title(page, 'Entrar no painel')
    await fill(page, { Senha: 'outra e longa' })
    await press(page, 'Entrar')
    await title(page, 'Escolha a organização')
    await press(page, 'Padaria Central')
    await title(page, 'Padaria Central')
    await press(page, 'Trocar')
    await press(page, 'Escola Aurora')
    await title(page, 'Escola Aurora')
    t.deepEqual(wrong, [])
  })

  test.serial('a charge is issued once, and its payment shows within seconds', async (t) => {
    const { page, api, merchant, goTo } = await signedIn(t, open)
    await goTo('#/cobrancas/nova')
    await fill(page, { 'Valor em reais': '1.150,50' })
    await press(page, 'Emitir cobrança')
    await page.locator('#name-error').waitFor()
    t.is((await errors(page)).length, 3)
    await fill(page, {
      'Nome do cliente': 'João Pereira',
      'CPF ou CNPJ': '123.456.789-09',
      'E-mail': 'joao@example.com',
    })
    await page.getByRole('button', { name: 'Emitir cobrança' }).dblclick()
    await title(page, 'de João Pereira')
    t.is((await api.ask('GET', '/invoices', { token: merchant.token })).body.meta.total, 1)
    const [charge] = (await api.ask('GET', '/invoices', { token: merchant.token })).body.data
    t.is(charge.value, 1150.5)
    await page.locator('.code img').waitFor()
    await page.getByRole('button', { name: /^Cancelar no banco: R/ }).waitFor()
    await api.host.store.commit([patch(accounts, merchant.id, { set: { acceptPartial: true }, when: always })])
    const pay = page.getByRole('button', { name: /^Pagar: R/ })
    await page.getByLabel(/^Valor a pagar: R/).fill('0')
    await pay.click()
    await page.getByText('Escreva o valor em reais: 150,50.').waitFor()
    await page.getByLabel(/^Valor a pagar: R/).fill('150,50')
    await pay.click()
    await page.getByText('O banco de testes pagou.').waitFor()
    t.is((await api.ask('GET', '/invoices', { token: merchant.token })).body.data[0].amount_left, 1_000)
    await api.drain()
    await page.getByPlaceholder(/1\.000,00/).waitFor()
    await pay.click()
    await page.locator('.chip.paid').waitFor({ timeout: 10_000 })
    t.is(await page.getByRole('button', { name: /^Pagar: R/ }).count(), 0)
    await goTo('#/cobrancas?status_id=2,7')
    await page.getByRole('link', { name: 'João Pereira' }).waitFor()
  })

  test.serial('a lost answer keeps the form, and its repeat issues one charge, though the form was left', async (t) => {
    const { page, api, merchant, goTo } = await signedIn(t, open)
    await goTo('#/cobrancas/nova')
    const person = { 'Nome do cliente': 'João Pereira', 'CPF ou CNPJ': '123.456.789-09', 'E-mail': 'joao@example.com' }
    await fill(page, { 'Valor em reais': '10', ...person })
    // The server gets the request, and its answer is lost.
    await page.route('**/invoices', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await press(page, 'Emitir cobrança')
    await page.locator('form .alert').waitFor()
    await page.unroute('**/invoices')
    await goTo('#/cobrancas')
    await title(page, 'Cobranças')
    await goTo('#/cobrancas/nova')
    t.is(await page.getByLabel('Nome do cliente').inputValue(), 'João Pereira')
    await press(page, 'Emitir cobrança')
    await title(page, 'de João Pereira')
    t.is((await api.ask('GET', '/invoices', { token: merchant.token })).body.meta.total, 1)
  })

  test.serial('a withdrawal shows its receiver and requires the PIN, which the page does not store', async (t) => {
    const { page, api, merchant, goTo } = await signedIn(t, open)
    await api.setStatus(merchant, 'ACTIVE')
    await api.paid(merchant)
    await goTo('#/desenvolvedores')
    await page.getByText('Crie-o primeiro.').waitFor()
    await goTo('#/saques/novo')
    await fill(page, { PIN: '135790', 'O PIN, outra vez': '135790' })
    await press(page, 'Criar PIN')
    await fill(page, { 'Chave Pix': 'maria@example.com', 'Valor em reais': '10' })
    await press(page, 'Consultar chave')
    await title(page, 'Sacar R$ 10,00?')
    await fill(page, { PIN: '000000' })
    await page.getByRole('button', { name: /^Sacar R/ }).click()
    await page.getByText('PIN inválido.').waitFor()
    t.is(await page.getByLabel('PIN').inputValue(), '')
    await fill(page, { PIN: '135790' })
    await page.getByRole('button', { name: /^Sacar R/ }).click()
    await title(page, 'Saques')
    await page.locator('.lines li').filter({ hasText: 'Pago' }).waitFor()
    const stored = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
    t.false(stored.includes('135790'))
  })

  test.serial('a view that the role may not read is not found, and an unknown record is read once', async (t) => {
    const { page, goTo } = await signedIn(t, open, { prepare: (api, merchant) => api.setRole(merchant, OPERATOR) })
    const refused: string[] = []
    page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()))
    await goTo('#/saques/1')
    await title(page, 'Página não encontrada')
    await goTo('#/saques')
    await page.getByRole('link', { name: 'Extrato' }).waitFor()
    t.is(await page.getByRole('link', { name: 'Saques' }).count(), 0)
    t.deepEqual(refused, [])
    await goTo('#/cobrancas/999')
    await title(page, 'Cobrança não encontrada')
    const unknown: string[] = []
    page.on('request', (sent) => sent.url().endsWith('/invoices/999') && unknown.push(sent.url()))
    // The rights are read again meanwhile, every ten seconds.
    const polled = page.waitForResponse(/account\/access/)
    await pollAgain(page)
    await polled
    t.deepEqual(unknown, [])
  })

  test.serial('the session outlives a reload and ends with the sign-out, at the server too', async (t) => {
    const { page, api, goTo } = await signedIn(t, open)
    await page.reload()
    await page.getByRole('button', { name: 'Sair', exact: true }).waitFor()
    const token = await page.evaluate<string>(`JSON.parse(sessionStorage.getItem('portico.panel')).token`)
    t.is((await api.ask('GET', '/v1/auth/me', { token })).status, 200)
    await goTo('#/cobrancas/nova')
    await fill(page, { 'Nome do cliente': 'João Pereira' })
    // A key that follows at once moves the focus on; the view does not take it back.
    await page.evaluate(`document.querySelector('#panel').addEventListener('focusin', function moveOn({ target }) {
      if (!target.matches('h1')) return
      this.removeEventListener('focusin', moveOn)
      queueMicrotask(() => document.querySelector('input[type=email]').focus())
    })`)
    await enter(page, 'Sair')
    await page.getByRole('heading', { name: 'Entrar no painel' }).waitFor()
    await page.evaluate(painted)
    t.is(await page.evaluate('document.activeElement.type'), 'email')
    t.is(await page.evaluate('sessionStorage.length'), 0)
    t.is((await api.ask('GET', '/v1/auth/me', { token })).status, 401)
    const next = await api.merchant()
    await signIn(page, next.email)
    await page.getByRole('button', { name: 'Sair', exact: true }).waitFor()
    await goTo('#/cobrancas/nova')
    t.is(await page.getByLabel('Nome do cliente').inputValue(), '')
  })

  test.serial('an answer to a session that has ended changes nothing of the next one', async (t) => {
    const { page, api, merchant } = await signedIn(t, open)
    const next = await api.merchant()
    const { held, answer } = hold()
    await page.route('**/v1/auth/refresh', async (route) => {
      const reply = await route.fetch()
      await held
      await route.fulfill({ response: reply })
    })
    const renewal = page.waitForRequest('**/v1/auth/refresh')
    // The next request renews the token, and the answer arrives after the sign-out.
    await page.clock.setFixedTime(new Date(Date.parse(NOW) + 3_590_000))
    await renewal
    await press(page, 'Sair')
    await signIn(page, next.email)
    await page.getByRole('button', { name: 'Sair', exact: true }).waitFor()
    const ended = page.waitForResponse('**/v1/auth/logout')
    answer()
    await ended
    await page.reload()
    await page.getByRole('button', { name: 'Sair', exact: true }).waitFor()
    const token = await page.evaluate<string>(`JSON.parse(sessionStorage.getItem('portico.panel')).token`)
    t.is((await api.ask('GET', '/v1/auth/me', { token })).body.user.email, next.email)
    t.not(merchant.email, next.email)
  })
}
