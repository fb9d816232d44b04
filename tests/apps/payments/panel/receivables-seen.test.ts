// Runs alone.

import { readFile } from 'node:fs/promises'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { aCharge } from '../../../core/payments/records.ts'
import { fill, hasBrowser, oneBrowser, PHONE } from '../../browser.ts'
import { CARDS, CVV } from '../given/cards.ts'
import { worked } from '../test-api.ts'
import { focused, openPanel, press, signedIn, signIn, title } from './at-the-panel.ts'

/** Markup, right-to-left text, an emoji, and a word that no line holds. */
const HOSTILE = `<img src=x onerror=alert(1)> مرحبا 🎉 ${'W'.repeat(200)}`

const PAGE_SIZE = 20
const MANY = 1_000
const PAGES = MANY / PAGE_SIZE + 1

/** Sends the form of a field by the keyboard. */
const send = (page: Page, label: string) => page.getByLabel(label, { exact: true }).press('Enter')

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  /** Opens the panel of an active merchant. */
  const asActive = (t: ExecutionContext) =>
    signedIn(t, open, { prepare: (api, merchant) => api.setStatus(merchant, 'ACTIVE') })

  test.serial('a charge is quoted, issued, changed, sent, refunded in parts, and found by its filters', async (t) => {
    const { page, api, goTo, read, check, wrong } = await asActive(t)
    await goTo('#/cobrancas/nova')
    await fill(page, { 'Valor em reais': 'dez' })
    await send(page, 'Valor em reais')
    await page.locator('#document-error').waitFor()
    t.is(await page.locator('#value-error').textContent(), 'Escreva o valor em reais: 150,50.')
    await focused(page, '#value')
    await fill(page, { 'Valor em reais': '1.150,50' })
    await page.getByText('Juros, multa e desconto').press('Enter')
    await fill(page, { Desconto: '10' })
    await page.locator('.quote').getByText('R$ 1.035,45').waitFor()
    const payer = { 'CPF ou CNPJ': '123.456.789-09', 'Nome do cliente': HOSTILE, 'E-mail': 'joao@example.com' }
    await fill(page, payer)
    await fill(page, { 'Multa por atraso': '50' })
    await page.getByLabel('Multa em', { exact: true }).selectOption('ABSOLUTE')
    await send(page, 'Multa por atraso')
    t.regex(`${await page.locator('#fine-error').textContent()}`, /no máximo 2%/)
    await focused(page, '#fine')
    await check('the form of a charge')
    await fill(page, { 'Multa por atraso': '10', 'Juros por atraso': '0,5' })
    await page.getByLabel('Juros em', { exact: true }).selectOption('ABSOLUTE')
    await send(page, 'Nome do cliente')
    await title(page, 'de <img')
    const [stored] = await api.every(charges)
    t.like(stored, { fineHundredths: 1_000, typeFine: 'ABSOLUTE', amountRateHundredths: 50, typeRate: 'ABSOLUTE' })
    const [charge] = (await read('/invoices')).data
    t.like(charge, { value: 1150.5, client: { name: HOSTILE } })
    const terms = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Condições' }) })
    await terms
      .getByText('Hoje se paga R$ 1.035,45. Com R$ 115,05 de desconto. Pode ser paga até 26/11/2026.')
      .waitFor()
    t.deepEqual(await terms.getByRole('listitem').allTextContents(), [
      'Multa de R$\u00a010,00 e juros de R$\u00a00,50 por dia após o vencimento.',
      'Desconto de 10% até 26/11/2026.',
    ])

    await press(page, 'Alterar')
    await fill(page, { Descrição: HOSTILE })
    await send(page, 'Descrição')
    await page.getByText('Alterada').waitFor()
    await focused(page, 'button:text("Alterar")')
    await press(page, 'Copiar Pix')
    t.is(await page.evaluate('navigator.clipboard.readText()'), (await read(`/invoices/${charge.id}`)).data.pix.qrcode)
    await press(page, 'Enviar')
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar' }).press('Enter')
    await page.locator('.chip.waiting').waitFor()
    await api.pay(charge.pix.txid, { value: 1035.45 })
    await page.locator('.chip.paid').waitFor()
    await press(page, 'Devolver')
    await fill(page, { 'Valor em reais': '35,45' })
    await send(page, 'Valor em reais')
    await page.getByText('R$ 35,45 ao todo').waitFor()
    await press(page, 'Devolver')
    t.is(await page.getByLabel('Valor em reais').inputValue(), '1000,00')
    await send(page, 'Valor em reais')
    await page.getByText('R$ 1.035,45 ao todo').waitFor()
    await page.getByRole('button', { name: 'Devolver' }).waitFor({ state: 'detached' })
    await focused(page, 'h2')
    await check('a charge')

    await goTo('#/cobrancas/nova')
    await fill(page, { 'Valor em reais': '10', 'CPF ou CNPJ': '12345678909', 'Nome do cliente': 'João' })
    await page.locator('.known').waitFor()
    await send(page, 'Nome do cliente')
    await page.locator('.blocking').waitFor()
    await focused(page, '.blocking button')
    t.is((await read('/invoices')).meta.total, 1, 'a typed name is not dropped')
    await press(page, 'Usar este cliente')
    await press(page, 'Criar um plano de parcelas')
    await fill(page, { 'Nome do plano': 'Três vezes' })
    await send(page, 'Nome do plano')
    await page.locator('.quote li').nth(2).waitFor()
    await send(page, 'Valor em reais')
    await title(page, 'Cobranças')
    await page.locator('.sums').getByText('4 cobranças').waitFor()
    t.regex((await page.locator('.sums').textContent()) ?? '', /^4 cobranças.*1\.160,50.*1\.035,45$/)
    await check('the list of charges')
    for (const [name, end] of Object.entries({ CSV: 'csv', Excel: 'xlsx', PDF: 'pdf' })) {
      const [file] = await Promise.all([page.waitForEvent('download'), press(page, `Baixar em ${name}`)])
      t.is(file.suggestedFilename(), `cobrancas-2026-11-23.${end}`)
      await page.getByText(/^Arquivo baixado/).waitFor()
    }
    await fill(page, { Busca: 'nada disso' })
    await send(page, 'Busca')
    await page.getByText('Nenhuma cobrança com estes filtros.').waitFor()
    await focused(page, '#search')
    await page.goBack()
    await page.locator('tbody tr').first().waitFor()
    t.is(await page.getByLabel('Busca').inputValue(), '')
    await goTo('#/cobrancas?payment_date_start=2026-01-01&payment_date_end=2026-11-01')
    await page.getByText('O período pode ter no máximo 45 dias.').waitFor()
    await page.getByText('Somando…').waitFor({ state: 'detached' })
    await page.getByText('Filtrar por data').press('Enter')
    await page.locator('#payment_date_end').fill('')
    await page.getByRole('button', { name: 'Filtrar' }).press('Enter')
    await page.getByText('Preencha as duas datas do pagamento.').waitFor()
    await page.locator('#payment_date_end').fill('2026-02-16')
    await page.getByRole('button', { name: 'Filtrar' }).press('Enter')
    t.is(await page.locator('#payment_date_end-error').textContent(), 'O período pode ter no máximo 45 dias.')
    await focused(page, '#payment_date_end')
    await check('a range that is too long')
    await page.locator('#payment_date_end').fill('2026-02-15')
    await page.getByRole('button', { name: 'Filtrar' }).press('Enter')
    await page.getByText('Nenhuma cobrança com estes filtros.').waitFor()
    await page.goBack()
    await page.goBack()
    await page.getByRole('link', { name: /^Cliente: <img.*remover$/ }).click()
    await page.locator('.active-filters').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Pagas', exact: true }).click()
    await page.locator('.sums').getByText('1 cobrança').waitFor()
    t.is(await page.locator('tbody tr').count(), 1)
    t.deepEqual(wrong, [])
  })

  test.serial('a charge is divided with an account by its key, which the account creates and revokes', async (t) => {
    const { page, api, goTo, read, check, wrong } = await asActive(t)
    const other = await api.merchant()
    await api.setStatus(other, 'ACTIVE')
    await api.host.store.commit([patch(accounts, other.id, { set: { name: 'Loja Bia' }, when: always })])
    const { token } = other
    const made = await api.ask('POST', '/v1/split-receivers', { token, body: { name: 'Loja' } })
    const { key } = worked(made).split_receiver
    await goTo('#/cobrancas/nova')
    await fill(page, { 'Valor em reais': '100', 'CPF ou CNPJ': '12345678909' })
    await fill(page, { 'Nome do cliente': 'Maria', 'E-mail': 'maria@example.com', Descrição: 'Aula' })
    await page.getByText('Divisão com outras contas').press('Enter')
    await page.getByRole('button', { name: 'Adicionar conta' }).press('Enter')
    await fill(page, { 'Chave de quem recebe': 'split_x', Parte: 'um terço' })
    await send(page, 'Parte')
    await focused(page, '[name="splits.0.share"]')
    await fill(page, { Parte: '33,33' })
    await send(page, 'Parte')
    await focused(page, '[name="splits.0.account"]')
    await check('a division')
    await fill(page, { 'Chave de quem recebe': key })
    await page.getByRole('button', { name: 'Adicionar conta' }).press('Enter')
    await page.getByRole('button', { name: 'Retirar a conta 2' }).press('Enter')
    await send(page, 'Parte')
    await title(page, 'R$ 100,00 de Maria')
    const [{ pix }] = (await read('/invoices')).data
    await api.pay(pix.txid)
    const shares = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Divisão' }) })
    await shares.getByText('R$ 33,33').waitFor()
    t.regex((await shares.textContent()) ?? '', new RegExp(`Loja Bia33,33% · ${key}`))
    await press(page, 'Devolver')
    await send(page, 'Valor em reais')
    await page.getByText('R$ 33,33 voltam da divisão.').waitFor()
    await check('a divided charge')
    await goTo('#/extrato')
    for (const line of [
      /^Aula.* · Split Repassado · Loja Bia-R\$\s33,33/,
      /^Aula.* · Devolução de Split · Loja BiaR\$\s33,33/,
    ])
      await page.getByRole('listitem').filter({ hasText: line }).waitFor()

    await goTo('#/configuracoes')
    await page.getByText(`Código da conta: ${(await read('/v1/account')).account.code_account}`).waitFor()
    await fill(page, { 'Nome da nova chave': HOSTILE.slice(0, 60), 'Contas que podem usá-la': '1, 2' })
    await send(page, 'Nome da nova chave')
    await page.getByText('Só para 1, 2').waitFor()
    await check('the keys to receive by')
    await page.getByRole('button', { name: /^Revogar <img/ }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Revogar chave' }).press('Enter')
    await page.getByText('Revogada', { exact: true }).waitFor()
    t.is((await read('/v1/split-receivers')).split_receivers[0].status, 'revoked')
    t.deepEqual(wrong, [])
  })

  test.serial('a boleto deleted on one device changes on another, a card is decided, and a link ends', async (t) => {
    const { page, api, merchant, goTo, read, wrong } = await asActive(t)
    const { page: phone } = await openPanel(t, open, api, { viewport: PHONE })
    const payer = { 'CPF ou CNPJ': '12345678909', 'Nome do cliente': 'Maria', 'E-mail': 'maria@example.com' }
    const issueBy = async (method: string, more: Readonly<Record<string, string>> = {}) => {
      await goTo('#/cobrancas/nova')
      await page.getByLabel('Meio de pagamento').selectOption(method)
      await fill(page, { 'Valor em reais': '100', ...payer, ...more })
      await send(page, 'Nome do cliente')
      await title(page, 'R$ 100,00 de Maria')
      return (await read('/invoices')).data[0]
    }
    const { id, boleto } = await issueBy('BOLETO')
    t.is(await page.locator('.copyable').textContent(), boleto.digitableLine)
    const [pdf] = await Promise.all([page.waitForEvent('download'), press(page, 'Baixar PDF')])
    t.is(pdf.suggestedFilename(), `cobranca-${id}.pdf`)
    await signIn(phone, merchant.email)
    await phone.getByRole('button', { name: 'Sair', exact: true }).waitFor()
    await phone.goto(`${api.url}/panel#/cobrancas/${id}`)
    await phone.locator('.chip.pending').waitFor()
    // As if the server restarted: the view stays, and follows again afterwards.
    await phone.route('**/*', (route) => route.abort())
    await phone.getByText('Sem conexão com o servidor.').waitFor()
    await press(page, 'Apagar')
    await press(page, 'Apagar cobrança')
    await title(page, 'Cobranças')
    t.is(await phone.locator('.chip.pending').count(), 1)
    await phone.unroute('**/*')
    await phone.locator('.chip.DELETED').waitFor()
    t.is(await phone.locator('.lost').textContent(), '')

    const card = { 'Nome impresso no cartão': 'MARIA', Validade: '12/30', 'Código de segurança': CVV }
    const street = { 'Rua ou avenida': 'Rua das Flores', Número: '100', Bairro: 'Centro', Cidade: 'São Paulo' }
    const address = { CEP: '01310-100', Estado: 'SP', ...street }
    const byCard = { 'Número do cartão': CARDS.pending, ...card, ...address }
    await issueBy('CREDIT_CARD', byCard)
    const drafts = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
    t.false(drafts.includes(CARDS.pending))
    await page.getByRole('button', { name: /^Recusar: / }).press('Enter')
    await page.locator('.chip.failed').waitFor()
    await issueBy('CREDIT_CARD', byCard)
    await page.getByRole('button', { name: /^Aprovar: / }).press('Enter')
    await page.locator('.chip.paid').waitFor()
    await goTo('#/cartao')
    await page.locator('.lines .chip').getByText('A receber').waitFor()

    const body = { title: 'Camiseta', amount: 50, payment_methods: ['PIX'] }
    const made = await api.ask('POST', '/billing/payment-links', { token: merchant.token, body })
    const { id: link, public_url } = worked(made).data
    await goTo(`#/links/${link}`)
    await press(page, 'Copiar endereço')
    t.is(await page.evaluate('navigator.clipboard.readText()'), public_url)
    await press(page, 'Encerrar')
    await press(page, 'Encerrar link')
    await title(page, 'Links de pagamento')
    const { pathname, search } = new URL(public_url)
    t.is((await api.ask('GET', pathname + search)).status, 404)
    t.deepEqual(wrong, [])
  })

  test.serial('figures lead to their charges, a link pauses, and a client changes without a lost form', async (t) => {
    const { page, api, merchant, goTo, read, check, wrong } = await asActive(t)
    const { id: chargeId, client } = await api.charge(merchant, { value: 40, due_date: '2026-11-25' })
    await api.charge(merchant, { value: 60, due_date: '2026-12-20', payment_method: 'BOLETO' })
    await goTo('#/?dias=365')
    const due = page.locator('.tile').filter({ hasText: 'Vence em 7 dias' }).getByRole('link')
    await due.getByText('R$ 40,00').waitFor()
    await page.locator('svg rect').nth(364).waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Boleto' }).waitFor()
    t.is(await page.locator('svg rect').count(), 365)
    await check('home')
    await due.press('Enter')
    await title(page, 'Cobranças')
    t.deepEqual(await page.locator('.active-filters a').allTextContents(), [
      'Situação: Pendentes ×, remover',
      'Vencimento de 23/11/2026 a 29/11/2026 ×, remover',
    ])
    await page.locator(`tbody a[href="#/cobrancas/${chargeId}"]`).waitFor()

    await goTo('#/links/novo')
    await title(page, 'Novo link')
    const { keyboard } = page
    await keyboard.press('Tab')
    await keyboard.type('Doação')
    for (const key of ['Tab', 'Tab', 'Space', 'Tab']) await keyboard.press(key)
    await keyboard.type('5,00')
    await keyboard.press('Enter')
    await title(page, 'Doação')
    await press(page, 'Pausar')
    await page.getByRole('dialog').waitFor()
    for (const key of ['Tab', 'Enter']) await keyboard.press(key)
    await page.getByText('Pausado', { exact: true }).waitFor()
    await check('a paused link')
    const [link] = (await read('/billing/payment-links')).data
    const { pathname, search } = new URL(link.public_url)
    t.is((await api.ask('GET', pathname + search)).status, 403)
    await press(page, 'Retomar')
    await page.getByText('Ativo', { exact: true }).waitFor()
    t.is((await api.ask('GET', pathname + search)).status, 200)
    await goTo('#/links?status=2')
    await page.getByText('Nenhum link com estes filtros.').waitFor()

    await goTo('#/clientes/novo')
    await fill(page, { 'CPF ou CNPJ': client.document })
    await page.getByRole('link', { name: 'Alterar o cadastro' }).press('Enter')
    await title(page, client.name)
    await fill(page, { Telefone: '11 97777-0000' })
    await page.context().setOffline(true)
    await send(page, 'Telefone')
    await page.locator('form .alert').waitFor()
    await page.getByRole('link', { name: 'Ver todas as cobranças do cliente' }).click()
    await title(page, 'Cobranças')
    await page.context().setOffline(false)
    await page.goBack()
    await title(page, client.name)
    t.is(await page.getByLabel('Telefone').inputValue(), '11 97777-0000')
    await send(page, 'Telefone')
    await page.getByText('Cliente atualizado.').waitFor()
    await check('a client')
    t.is((await read(`/v1/clients/${client.id}`)).client.phone, '11 97777-0000')

    t.deepEqual(wrong, [])
  })

  test.serial('the data of a client are downloaded, and erased when no charge is open', async (t) => {
    const { page, api, merchant, goTo, check, wrong } = await asActive(t)
    const { token } = merchant
    const paid = await api.charge(merchant)
    const waiting = await api.charge(merchant)
    const { id, name } = paid.client
    await api.pay(paid.pix.txid)
    await goTo(`#/clientes/${id}`)
    await title(page, name)
    for (const [button, end] of Object.entries({ JSON: 'json', PDF: 'pdf' })) {
      const [file] = await Promise.all([page.waitForEvent('download'), press(page, `Baixar em ${button}`)])
      t.is(file.suggestedFilename(), `dados-pessoais-${id}.${end}`)
      const bytes = await readFile(await file.path())
      t.true(
        end === 'pdf' ? bytes.toString('latin1').startsWith('%PDF') : JSON.parse(`${bytes}`).data.client.name === name,
      )
    }
    const erase = async () => {
      await page.getByRole('button', { name: 'Eliminar dados pessoais' }).press('Enter')
      const dialog = page.getByRole('dialog')
      await check('the erasure of a client')
      await dialog.getByRole('button', { name: 'Eliminar', exact: true }).press('Enter')
    }
    await erase()
    const blocking = page.getByRole('dialog').getByRole('listitem')
    await blocking.getByText(`Cobrança nº ${waiting.id}`).waitFor()
    t.is(await blocking.count(), 1)
    await check('a blocked erasure')
    await page.keyboard.press('Escape')
    await focused(page, 'button:text("Eliminar dados pessoais")')
    worked(await api.ask('DELETE', `/invoices/${waiting.id}`, { token }))
    await erase()
    await title(page, `Dados do cliente nº ${id} eliminados`)
    await page.getByText('Circular BCB 3.978/2020').first().waitFor()
    t.deepEqual(await page.locator('dt').allTextContents(), [
      'Pagador',
      'Cobranças',
      'Extrato',
      'Devoluções',
      'Auditoria',
    ])
    await check('an erased client')
    t.is((await api.ask('GET', `/v1/clients/${id}`, { token })).status, 404)
    await goTo('#/cobrancas')
    await page.locator('tbody').getByRole('link', { name: 'Dados eliminados' }).first().waitFor()
    await goTo(`#/cobrancas/${paid.id}`)
    await title(page, 'de Dados eliminados')
    await check('a charge of an erased client')
    await page.getByRole('link', { name: 'Dados eliminados' }).click()
    await title(page, 'Cliente não encontrado')
    await page.getByRole('link', { name: 'Ver todos os clientes' }).waitFor()
    t.deepEqual(wrong, [])
  })

  test.serial('a long list follows by pages, each of a bounded document', async (t) => {
    const { page, api, merchant, goTo } = await asActive(t)
    const { id: first, client } = await api.charge(merchant)
    const seeded = Array.from({ length: MANY }, (_, at) =>
      insert(charges, {
        ...aCharge({ id: first + 1 + at, accountId: merchant.id, clientId: client.id, code: `c${at}` }),
        ...{ txid: `t${at}`, pix: null, lapsesAt: null },
      }),
    )
    await api.host.store.commit(seeded)
    await goTo('#/cobrancas?ordem=due_date+asc')
    await page.getByText(`Página 1 de ${PAGES}`).waitFor()
    const nodes = (): Promise<number> => page.evaluate('document.querySelectorAll("*").length')
    const seen = new Set<string>()
    const bound = (await nodes()) + 100
    for (const number of [2, 3, 4]) {
      for (const link of await page.locator('tbody a').all()) seen.add((await link.getAttribute('href')) ?? '')
      await page.getByRole('link', { name: 'Próxima' }).click()
      await page.getByText(`Página ${number} de ${PAGES}`).waitFor()
      t.is(await page.locator('tbody tr').count(), PAGE_SIZE)
      t.true((await nodes()) < bound)
    }
    t.is(seen.size, 3 * PAGE_SIZE)
    await goTo(`#/cobrancas?ordem=due_date+asc&pagina=${PAGES}`)
    await page.getByText(`Página ${PAGES} de ${PAGES}`).waitFor()
    t.is(await page.getByRole('link', { name: 'Próxima' }).count(), 0)
    t.is(await page.locator('tbody tr').count(), 1)
  })
}
