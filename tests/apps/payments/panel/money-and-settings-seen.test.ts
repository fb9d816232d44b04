// Runs alone.

import test, { type ExecutionContext } from 'ava'
import { PNG } from 'pngjs'
import { insert } from '../../../../core/kernel/records/record.ts'
import { paidParties, recipients } from '../../../../core/payments/withdrawals/recipients.ts'
import { fill, hasBrowser, oneBrowser } from '../../browser.ts'
import { codeAt } from '../given/given.ts'
import { MARIA, NOW, PASSWORD, PIN, worked } from '../test-api.ts'
import { enter, focused, pollAgain, press, signedIn, title } from './at-the-panel.ts'

const MANAGER = 2

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  /** Opens the panel of an active merchant with a PIN and 150.50 reais. */
  const asPaid = (t: ExecutionContext) =>
    signedIn(t, open, {
      prepare: async (api, merchant) => {
        await api.fund(merchant, 150.5)
      },
    })

  test.serial('a withdrawal to a stored recipient, within limits, with a receipt and an export', async (t) => {
    const { page, api, merchant, goTo, check, wrong } = await asPaid(t)
    const terms = { limits: { pix_out_per_transaction: 100, pix_out_daily: 60 } }
    await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: terms })
    await goTo('#/saques')
    await page.getByText('Resta R$ 60,00').waitFor()
    await fill(page, { 'Chave Pix do novo destinatário': 'maria@example.com' })
    await enter(page, 'Adicionar destinatário')
    await page.getByRole('link', { name: /^Sacar para/ }).click()
    await page.waitForFunction(
      `[...document.querySelectorAll('input')].some(({ value }) => value === 'maria@example.com')`,
    )
    await fill(page, { 'Valor em reais': '10' })
    await enter(page, 'Consultar chave')
    await fill(page, { PIN })
    await enter(page, /^Sacar R/)
    await page.getByText('Resta R$ 50,00').waitFor()
    await check('the withdrawals')
    await page.locator('.lines a[href="#/saques/1"]').click()
    await title(page, 'R$ 10,00 para')
    await check('a withdrawal')
    const receipt = page.waitForEvent('download')
    await press(page, 'Comprovante em PDF')
    t.regex((await receipt).suggestedFilename(), /\.pdf$/)
    await goTo('#/cartao')
    await fill(page, { 'Valor em reais': '10' })
    await enter(page, 'Passar ao saldo')
    await page.getByText('Saldo insuficiente.').waitFor()
    await goTo('#/extrato?de=2026-11-23&ate=2026-11-01')
    await page.getByText('Não pode ser anterior ao início do período.').waitFor()
    t.is(await page.locator('.lost').textContent(), '', 'a wrong request is no lost connection')
    await goTo('#/extrato')
    await page.locator('.lines li').first().waitFor()
    await check('the statement')
    for (const [name, end] of Object.entries({ CSV: '.csv', Excel: '.xlsx', PDF: '.pdf' })) {
      const file = page.waitForEvent('download')
      const asked = page.waitForResponse('**/exports/download/*')
      await press(page, `Baixar em ${name}`)
      await page.getByRole('button', { name: 'Preparando…' }).waitFor()
      await asked
      await api.drain()
      t.true((await file).suggestedFilename().endsWith(end))
      await page.getByRole('button', { name: 'Preparando…' }).waitFor({ state: 'detached' })
    }
    await goTo('#/saques')
    await press(page, /^Remover /)
    await press(page, 'Remover destinatário')
    await page.getByText('Quem receber um saque fica aqui.').waitFor()
    t.deepEqual(wrong, [])
  })

  test.serial('recipients follow by pages of 20, and a removal keeps the page', async (t) => {
    const { page, api, merchant, goTo, check, wrong } = await asPaid(t)
    const at = { createdAt: NOW, accountId: merchant.id }
    const place = { ispb: '60701190', branch: '0001', accountType: 'CORRENTE', count: 1, lastUsedAt: NOW } as const
    const seeded = Array.from({ length: 22 }, (_, number) => {
      const [name, document, id] = [`Maria ${number}`, `${number}`.padStart(11, '0'), 900_000 + number]
      const known = { ...at, id, name, document, search: name.toLowerCase() }
      const party = { ...known, recipientChanges: null }
      const account = { account: `${number}`, key: `maria${number}@example.com`, destination: `${number}` }
      return [insert(paidParties, party), insert(recipients, { ...known, ...place, ...account })]
    })
    await api.host.store.commit(seeded.flat())
    await goTo('#/saques')
    const part = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Destinatários' }) })
    await part.getByText('Página 1 de 2').waitFor()
    t.is(await part.getByRole('listitem').count(), 20)
    await check('the recipients')
    await part.getByRole('link', { name: 'Próxima' }).press('Enter')
    await part.getByText('Página 2 de 2').waitFor()
    t.is(await part.getByRole('listitem').count(), 2)
    t.is(await part.getByRole('link', { name: 'Próxima' }).count(), 0)
    await part
      .getByRole('button', { name: /^Remover / })
      .first()
      .press('Enter')
    await enter(page, 'Remover destinatário')
    await part.getByRole('listitem').nth(1).waitFor({ state: 'detached' })
    await part.getByText('21 destinatários').waitFor()
    t.is(await part.getByText('Página 2 de 2').count(), 1)
    await part.getByRole('link', { name: 'Anterior' }).press('Enter')
    await part.getByText('Página 1 de 2').waitFor()
    t.deepEqual(wrong, [])
  })

  test.serial(
    'a withdrawal from the value of the account on goes out by a code, and the form stays open',
    async (t) => {
      const { page, api, goTo, check, wrong } = await asPaid(t)
      // A set-up ends the other sessions of the person, so that of the panel sets the factor up.
      const token = await page.evaluate<string>(`JSON.parse(sessionStorage.getItem('portico.panel')).token`)
      const started = await api.ask('POST', '/v1/second-factor', { token, body: { password: PASSWORD } })
      const { secret } = worked(started).data
      worked(await api.ask('POST', '/v1/second-factor/confirm', { token, body: { code: codeAt(api, secret) } }))
      const policy = { second_factor_from: 10 }
      worked(await api.ask('PATCH', '/v1/account/second-factor', { token, body: policy }))
      await goTo('#/saques/novo')
      await title(page, 'Sacar por Pix')
      await fill(page, { 'Chave Pix': 'maria@example.com', 'Valor em reais': '10' })
      await enter(page, 'Consultar chave')
      await fill(page, { PIN })
      await enter(page, /^Sacar R/)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Código').waitFor()
      await check('the code of a withdrawal')
      await page.keyboard.press('Escape')
      await page.getByText('O código não foi confirmado.').waitFor()
      await fill(page, { PIN })
      await enter(page, /^Sacar R/)
      await dialog.getByLabel('Código').fill('000000')
      await enter(page, 'Confirmar código')
      await dialog.getByText('Código inválido ou já usado.').waitFor()
      await dialog.getByLabel('Código').fill(codeAt(api, secret, 1))
      await enter(page, 'Confirmar código')
      await title(page, 'Saques')
      const { data } = worked(await api.ask('GET', '/recipients', { token }))
      t.deepEqual([data.length, data[0].value], [1, 10])
      t.deepEqual(wrong, [])
    },
  )

  test.serial('secrets are read on request after the password, the key is replaced, the test bank pays', async (t) => {
    const { page, api, merchant, goTo, check, wrong } = await asPaid(t)
    const { token } = merchant
    const readKey = async () => worked(await api.ask('GET', '/v1/account/secrets', { token })).secrets.api_key
    const former = await readKey()
    const answers: Promise<string>[] = []
    page.on('response', (answer) => answers.push(answer.text().catch(() => '')))
    await api.charge(merchant, { name: 'João Pereira', document: '529.982.247-25' })
    await goTo('#/desenvolvedores')
    await page.getByRole('button', { name: /^Pagar: / }).waitFor()
    await check('the developers')
    t.false((await Promise.all(answers)).some((text) => text.includes(former)))
    api.clock.advance(600)
    await press(page, 'Mostrar chave e segredo')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Sua senha').fill('outra senha')
    await enter(page, 'Confirmar')
    await dialog.getByText('Senha atual incorreta.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('A senha não foi confirmada.').waitFor()
    await press(page, 'Mostrar chave e segredo')
    await dialog.waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await page.goForward()
    await press(page, 'Mostrar chave e segredo')
    await dialog.getByLabel('Sua senha').fill(PASSWORD)
    await enter(page, 'Confirmar')
    await page.getByText(former).waitFor()
    await press(page, 'Trocar chave')
    await dialog.getByRole('button', { name: 'Trocar chave' }).click()
    await page.getByText(former).waitFor({ state: 'detached' })
    await page.getByText(await readKey()).waitFor()
    await press(page, 'Criar chave')
    await fill(page, { 'Nome da chave': 'Loja' })
    await dialog.getByLabel('Ver clientes').check()
    await fill(page, { 'Vale até o fim do dia': '2026-12-31', 'Endereços de que pode ser usada': '127.0.0.1, loja' })
    await press(page, 'Criar a chave')
    await page.locator('#key-addresses-error').waitFor()
    await check('a new key')
    await fill(page, { 'Endereços de que pode ser usada': '127.0.0.1, 2001:db8::/32' })
    await press(page, 'Criar a chave')
    await page.getByText('expira em 31/12/2026, 23:59').waitFor()
    await page.getByText('Só de 127.0.0.1, 2001:db8::/32').waitFor()
    const named = `${await page.getByText(/^portico_test_\w{42}$/).textContent()}`
    const use = async () => (await api.ask('GET', '/v1/clients', { token: named })).status
    t.is(await use(), 200)
    await press(page, 'Já copiei')
    await page.getByText(named).waitFor({ state: 'detached' })
    await press(page, 'Substituir Loja')
    await press(page, 'Substituir chave')
    await page.getByText(/^portico_test_/).waitFor()
    await page.getByRole('button', { name: 'Revogar Loja' }).last().click()
    await press(page, 'Revogar chave')
    await page.getByText('Revogada', { exact: true }).waitFor()
    t.is(await use(), 401)
    await press(page, /^Pagar: /)
    await page.getByText('Nenhuma cobrança aguarda pagamento.').waitFor()
    t.deepEqual(wrong, [])
  })

  test.serial(
    'a transfer goes out, a webhook is read and sent again, and the test bank fails on request',
    async (t) => {
      const { page, api, merchant, goTo, read, wrong } = await asPaid(t)
      const other = await api.merchant()
      await api.setStatus(other, 'ACTIVE')
      const secrets = await api.ask('GET', '/v1/account/secrets', { token: other.token })
      await goTo('#/transferencias')
      const { api_key } = worked(secrets).secrets
      await fill(page, { 'Chave de API da conta de destino': api_key, 'Valor em reais': '50,50', Descrição: 'Aluguel' })
      await enter(page, 'Transferir')
      await page.locator('.done').waitFor()
      await goTo('#/extrato')
      const entry = page.getByRole('listitem').filter({ hasText: 'Aluguel' })
      t.regex((await entry.textContent()) ?? '', /-R\$\u00a050,50R\$\u00a0100,00/)

      await goTo('#/desenvolvedores')
      await page.getByText('Sem um endereço, nenhum aviso é enviado.').waitFor()
      const hook = 'https://merchant.example/hook'
      await fill(page, { 'Endereço dos avisos': hook })
      await page.locator('#webhook-pin').fill(PIN)
      await enter(page, 'Salvar endereço')
      await page.getByText('Endereço salvo.').waitFor()
      await page.getByLabel('O banco').selectOption('refuse')
      await enter(page, 'Preparar falha')
      await page.getByText('Pronto: a próxima vez falha.').waitFor()
      t.not((await api.ask('POST', '/invoices', { token: merchant.token, body: MARIA })).status, 200)
      t.is((await read('/invoices')).data[0].status.title, 'failed')
      await api.charge(merchant)
      await api.drain()
      const sent = api.told(hook).length
      await page.getByRole('button', { name: 'charge.created' }).first().press('Enter')
      await page.getByRole('dialog').getByText('"charge.created"').waitFor()
      await page.getByRole('dialog').getByText(/^200/).waitFor()
      await enter(page, 'Enviar de novo')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await api.drain()
      t.is(api.told(hook).length, sent + 1)
      t.deepEqual(wrong, [])
    },
  )

  test.serial('a charge is paid in parts, as the settings accept, and an over-payment is refunded', async (t) => {
    const { page, api, merchant, goTo, read, check, wrong } = await asPaid(t)
    await goTo('#/configuracoes')
    await page.getByLabel('Manter aberta a cobrança paga em parte').check()
    await fill(page, { 'Quanto pode faltar, em reais': '0,5' })
    await page.locator('#partial-pin').fill(PIN)
    await enter(page, 'Salvar pagamentos em partes')
    await page.getByText('Pagamentos em partes salvos.').waitFor()
    t.like((await read('/v1/account')).account, { accept_partial: true, partial_tolerance: 0.5 })
    await fill(page, { 'Juros por atraso': '1', 'Multa por atraso': '2,5' })
    const savesTerms = async () => {
      await page.locator('#terms-pin').fill(PIN)
      await enter(page, 'Salvar juros, multa e desconto')
    }
    await savesTerms()
    t.regex(`${await page.locator('#fine-error').textContent()}`, /no máximo 2%/)
    await fill(page, { 'Multa por atraso': '2' })
    await savesTerms()
    await page.getByText('Juros, multa e desconto salvos.').waitFor()
    const { id, pix } = await api.charge(merchant, { value: 100 })
    await api.fail('create_pix', 'refuse')
    await api.pay(pix.txid, { value: 40 })
    await api.drain()
    await goTo('#/cobrancas')
    await page.getByText('faltam R$ 60,00').waitFor()
    await check('a list with a charge that is paid in part')
    await goTo(`#/cobrancas/${id}`)
    await page.getByText('Multa de 2% e juros de 1% ao mês após o vencimento.').waitFor()
    await page.getByText('Aceita pagamento em partes.').waitFor()
    await page.getByText('Falta pagar').waitFor()
    await page.getByText('O banco recusou o código do que falta.').waitFor()
    t.is(await page.locator('.facts dd').filter({ hasText: 'R$ 60,00' }).count(), 1)
    await press(page, 'Pedir o código do que falta')
    await page.getByText('O banco recusou o código do que falta.').waitFor({ state: 'detached' })
    await api.pay(pix.txid, { value: 80 })
    await press(page, 'Devolver o que veio a mais')
    await check('the refund of an over-payment')
    await page.getByRole('dialog').getByRole('button', { name: 'Devolver' }).press('Enter')
    await page.getByText('R$ 20,00 devolvidos').waitFor()
    await page.getByRole('button', { name: 'Devolver o que veio a mais' }).waitFor({ state: 'detached' })
    await check('a charge that was paid in parts')
    t.deepEqual(wrong, [])
  })

  test.serial('settings show who has the role API, and remove them', async (t) => {
    const { page, api, merchant, goTo, check, wrong } = await asPaid(t)
    const { token } = merchant
    const [heading, rui] = [page.getByRole('heading', { name: 'Usuários de API' }), { role: 3, password: PASSWORD }]
    const body = { name: 'Rui Reis', email: 'rui@example.com', document: '11144477735', ...rui }
    const { data } = worked(await api.ask('POST', '/access/manager/users', { token, body }))
    await goTo('#/configuracoes')
    await page.getByLabel('Perfil de Rui Reis').waitFor()
    t.is(await heading.count(), 0)
    worked(await api.ask('PUT', `/access/manager/users/${data.id}`, { token, body: { role: 5 } }))
    await pollAgain(page)
    await heading.waitFor()
    await page.getByText('Só você trabalha nesta organização.').waitFor()
    await check('the users of the API')
    await press(page, 'Remover')
    await press(page, 'Remover da equipe')
    await heading.waitFor({ state: 'detached' })
    t.deepEqual(worked(await api.ask('GET', '/access/manager/api-tokens', { token })).data, [])
    t.deepEqual(wrong, [])
  })

  test.serial(
    'settings keep the logo and the messages, and the session follows role, renewal and sign-out',
    async (t) => {
      const { page, api, merchant, goTo, check, wrong } = await asPaid(t)
      await goTo('#/configuracoes')
      await page.getByRole('heading', { name: 'Equipe', exact: true }).waitFor()
      await enter(page, 'Equipe')
      await focused(page, 'h2:text-is("Equipe")')
      const image = PNG.sync.write(new PNG({ width: 8, height: 8 }))
      await page.locator('#logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: image })
      await page.getByAltText('O logotipo escolhido').waitFor()
      await page.locator('#logo-pin').fill(PIN)
      await enter(page, 'Salvar logotipo')
      await page.getByText('Logotipo atualizado.').waitFor()
      await page.getByAltText('O logotipo da organização').waitFor()
      t.is(await page.evaluate(`document.querySelector('.logo').naturalWidth`), 8)
      t.is(await page.locator('#logo').inputValue(), '')
      await page.getByRole('button', { name: 'Remover logotipo' }).waitFor()
      await press(page, 'Prévia da mensagem: Quando a cobrança é paga')
      await fill(page, { 'Seu texto, no lugar do padrão': 'Obrigado, volte sempre!' })
      const mail = page.frameLocator('iframe.mail')
      // Headless Chromium sometimes reports the content of the sandboxed frame as hidden.
      await mail.getByText('Obrigado, volte sempre!').waitFor({ state: 'attached' })
      const radius = "getComputedStyle(document.querySelector('.card')).borderRadius"
      t.is(await mail.locator('.card').evaluate(radius), '12px')
      await check('a message')
      await page.keyboard.press('Escape')
      await pollAgain(page)
      await page.getByText('Conta alterada').first().waitFor({ timeout: 15_000 })
      await check('the settings')
      // The answer of the renewal is lost: its repeat keeps the session.
      let lost = 0
      await page.route('**/v1/auth/refresh', async (route) => {
        const answer = await route.fetch()
        lost += 1
        await (lost === 1 ? route.abort() : route.fulfill({ response: answer }))
      })
      const renewed = page.waitForResponse('**/v1/auth/refresh')
      const lostOne = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/auth/refresh'))
      await page.clock.setFixedTime(new Date(Date.parse(NOW) + 3_590_000))
      await pollAgain(page)
      await lostOne
      await pollAgain(page)
      t.is((await renewed).status(), 200)
      t.is(lost, 2)
      await api.setRole(merchant, MANAGER)
      await pollAgain(page)
      await page.getByRole('button', { name: 'Salvar avisos' }).waitFor({ state: 'detached', timeout: 15_000 })
      await press(page, 'Sair de todos os aparelhos')
      await title(page, 'Entrar no painel')
      t.is((await api.ask('GET', '/v1/auth/me', { token: merchant.token })).status, 401)
      t.deepEqual(wrong, [])
    },
  )
}
