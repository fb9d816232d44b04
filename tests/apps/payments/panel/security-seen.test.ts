// Runs alone.

import { readFile } from 'node:fs/promises'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { column } from '../../../core/payments/world.ts'
import { fill, hasBrowser, oneBrowser } from '../../browser.ts'
import { codeAt } from '../given/given.ts'
import { PASSWORD, type TestApi, worked } from '../test-api.ts'
import { enter, focused, pollAgain, signedIn, signIn, title } from './at-the-panel.ts'

const MANAGER = 2

/** Sets an authenticator app up in the open dialog, and returns its secret. */
const setUp = async (page: Page, api: TestApi) => {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Sua senha').fill(PASSWORD)
  await enter(page, 'Continuar')
  const secret = `${await dialog.locator('.copyable').textContent()}`.replaceAll(' ', '')
  await dialog.getByLabel('Código que o aplicativo mostra').fill(codeAt(api, secret))
  await enter(page, 'Ativar')
  await dialog.getByText('Guarde os códigos').waitFor()
  await enter(page, 'Já guardei os códigos')
  return secret
}

const ORIGIN = 'https://pay.example.com'

/** Adds a virtual authenticator to the browser of a page. */
const authenticate = async (page: Page) => {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  })
  const credentials = async () => (await devices.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    credentials,
    verify: (isUserVerified: boolean) => devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  /** Opens the panel of a new merchant at the public address, where passkeys work. */
  const atPublicAddress = (t: ExecutionContext, env: Readonly<Record<string, string>> = {}) =>
    signedIn(t, open, { env, origin: ORIGIN })

  test.serial('a user sets the second factor up, replaces its recovery codes, and removes it', async (t) => {
    const { page, api, goTo, check, qrText, wrong } = await signedIn(t, open)
    const dialog = page.getByRole('dialog')
    await goTo('#/configuracoes')
    await enter(page, 'Ativar segundo fator')
    await dialog.getByLabel('Sua senha').fill('outra senha')
    await enter(page, 'Continuar')
    t.is(await page.locator('#set-up-password-error').textContent(), 'Senha atual incorreta.')
    await dialog.getByLabel('Sua senha').fill(PASSWORD)
    await enter(page, 'Continuar')
    const secret = `${await dialog.locator('.copyable').textContent()}`.replaceAll(' ', '')
    t.true((await qrText())?.includes(`secret=${secret}`))
    await check('the set-up')
    await dialog.getByLabel('Código que o aplicativo mostra').fill('000000')
    await enter(page, 'Ativar')
    t.is(await page.locator('#first-code-error').textContent(), 'Código inválido ou já usado.')
    await dialog.getByLabel('Código que o aplicativo mostra').fill(codeAt(api, secret))
    await enter(page, 'Ativar')
    await dialog.getByText('Guarde os códigos').waitFor()
    const codes = await dialog.locator('.codes li').allInnerTexts()
    t.is(codes.length, 10)
    await check('the recovery codes')
    await enter(page, 'Copiar códigos')
    t.is(await page.evaluate('navigator.clipboard.readText()'), codes.join('\n'))
    const download = page.waitForEvent('download')
    await enter(page, 'Baixar como texto')
    const saved = await readFile(await (await download).path(), 'utf8')
    t.true(codes.every((code) => saved.includes(code)))
    await enter(page, 'Já guardei os códigos')
    await page.getByText('Restam 10').waitFor()
    await check('the second factor')

    await enter(page, 'Novos códigos de recuperação')
    await dialog.getByLabel('Código').fill(codes[0] ?? '')
    await enter(page, 'Gerar códigos')
    await dialog.getByText('Guarde os códigos').waitFor()
    const [next = ''] = await dialog.locator('.codes li').allInnerTexts()
    t.false(codes.includes(next))
    await enter(page, 'Já guardei os códigos')
    await enter(page, 'Desativar aplicativo')
    await dialog.getByLabel('Sua senha').fill(PASSWORD)
    await dialog.getByLabel('Código').fill(codes[1] ?? '')
    await dialog.getByRole('button', { name: 'Desativar aplicativo' }).press('Enter')
    t.is(await page.locator('#removal-code-error').textContent(), 'Código inválido ou já usado.')
    await dialog.getByLabel('Sua senha').fill(PASSWORD)
    await dialog.getByLabel('Código').fill(next)
    await check('the removal')
    await dialog.getByRole('button', { name: 'Desativar aplicativo' }).press('Enter')
    await page.getByRole('button', { name: 'Ativar segundo fator' }).waitFor()
    t.deepEqual(wrong, [])
  })

  test.serial(
    'a user without the second factor that the account requires is led to it, and keeps the form',
    async (t) => {
      const { page, api, merchant, goTo, check, wrong } = await signedIn(t, open)
      const { token } = merchant
      await goTo('#/clientes/novo')
      await title(page, 'Novo cliente')
      await fill(page, { Nome: 'João Pereira', 'CPF ou CNPJ': '123.456.789-09', 'E-mail': 'joao@example.com' })
      const policy = { second_factor_required: true }
      const askFactor = async () => worked(await api.ask('PATCH', '/v1/account/second-factor', { token, body: policy }))
      // Not before the request: a poll that met the policy first would open the dialog over the form.
      await page.route('**/v1/clients', (route) => askFactor().then(() => route.continue()), { times: 1 })
      await enter(page, 'Criar cliente')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('exige o segundo fator de todos').waitFor()
      await focused(page, 'dialog *')
      await page.keyboard.press('Escape')
      await page.getByText('Ative o seu para continuar.').waitFor()
      await check('a missing factor')
      t.is(await page.getByLabel('Nome', { exact: true }).inputValue(), 'João Pereira')
      await page.reload()
      await dialog.getByText('exige o segundo fator de todos').waitFor()
      await focused(page, 'dialog *')
      await page.keyboard.press('Escape')
      await enter(page, 'Escola Aurora')
      await setUp(page, api)
      await title(page, 'Novo cliente')
      await page.getByText('Ative o seu').waitFor({ state: 'detached' })
      t.deepEqual(wrong, [])
    },
  )

  test.serial('a trusted device signs in without a code until it is removed', async (t) => {
    const { page, api, merchant, goTo, check, wrong } = await signedIn(t, open)
    await goTo('#/configuracoes')
    await enter(page, 'Ativar segundo fator')
    const secret = await setUp(page, api)
    await enter(page, 'Sair')
    await signIn(page, merchant.email)
    await title(page, 'Confirmar que é você')
    await page.getByLabel('Confiar neste dispositivo por 30 dias').check()
    await fill(page, { Código: '000000' })
    await enter(page, 'Confirmar')
    await page.getByText('Código inválido ou já usado.').waitFor()
    await check('the second step')
    await fill(page, { Código: codeAt(api, secret, 1) })
    await enter(page, 'Confirmar')
    await title(page, 'Escola Aurora')
    await enter(page, 'Sair')
    await signIn(page, merchant.email.toUpperCase())
    await title(page, 'Escola Aurora')
    await goTo('#/configuracoes')
    await page.getByRole('button', { name: /^Remover Chrome/ }).waitFor()
    await check('the trusted devices')
    await enter(page, /^Remover Chrome/)
    await enter(page, 'Remover dispositivo')
    await page.getByText('Marque a opção quando o login pedir o código.').waitFor()
    await enter(page, 'Sair')
    await signIn(page, merchant.email)
    await title(page, 'Confirmar que é você')
    t.deepEqual(wrong, [])
  })

  test.serial(
    'an administrator sets the second-factor policy and confirms a weaker one; a manager may do neither',
    async (t) => {
      const { page, api, merchant, goTo, check, read, wrong } = await signedIn(t, open)
      const policy = async () => Object.values((await read('/v1/account/second-factor')).second_factor)
      const save = 'Definir segundo fator'
      await goTo('#/configuracoes')
      const value = page.getByLabel('Pedir em saques e transferências a partir de')
      await value.fill('muito')
      await enter(page, save)
      await page.getByText('Escreva o valor em reais').waitFor()
      await value.fill('5.000')
      const sum = page.getByLabel('Pedir quando a soma do dia chega a')
      await sum.fill('0')
      await enter(page, save)
      await page.locator('#second_factor_day_from-error').waitFor()
      await sum.fill('8.000,50')
      await enter(page, save)
      await page.getByText('Segundo fator da equipe salvo.').waitFor()
      t.deepEqual(await policy(), [false, 5_000, 8_000.5])
      await check('the policy')
      await value.fill('')
      await enter(page, save)
      const secret = await setUp(page, api)
      await page
        .getByRole('dialog')
        .getByLabel('Código')
        .fill(codeAt(api, secret, 1))
      await enter(page, 'Confirmar código')
      await page.getByText('Segundo fator da equipe salvo.').waitFor()
      t.deepEqual([await value.inputValue(), await sum.inputValue()], ['', '8.000,50'])
      // The sum of a day is still asked of: a colleague joins, and becomes an ADMIN, by a proof.
      const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Adicionar à equipe' }) })
      await form.getByLabel('Nome').fill('Rui Reis')
      await form.getByLabel('E-mail').fill('rui@aurora.example')
      await form.getByLabel('Primeira senha').fill(PASSWORD)
      await form.getByLabel('CPF').fill('529.982.247-25')
      await enter(page, 'Adicionar à equipe')
      const prove = async () => {
        api.clock.advance(30)
        await page
          .getByRole('dialog')
          .getByLabel('Código')
          .fill(codeAt(api, secret, 1))
        await enter(page, 'Confirmar código')
      }
      await prove()
      const role = page.getByLabel('Perfil de Rui Reis')
      const changed = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
      await role.selectOption('1')
      await prove()
      await changed
      t.deepEqual(column(await api.every(memberships), 'roleId'), [1, 1])
      await api.setRole(merchant, MANAGER)
      await pollAgain(page)
      await page.getByRole('button', { name: save }).waitFor({ state: 'detached', timeout: 15_000 })
      t.deepEqual(wrong, [])
    },
  )

  test.serial('an administrator takes the second factor off a member, by a proof of their own', async (t) => {
    const email = 'joao@aurora.example'
    const body = { email, password: PASSWORD }
    const { page, api, goTo, check, wrong } = await signedIn(t, open, {
      prepare: async (api, { token }) => {
        const member = { name: 'João Lima', password_confirmation: PASSWORD, ...body }
        worked(await api.ask('POST', '/v1/users', { token, body: member }))
        const { data } = worked(await api.ask('POST', '/v1/auth/login', { body }))
        const own = { token: data.access_token }
        const { secret } = worked(await api.ask('POST', '/v1/second-factor', { ...own, body })).data
        const code = { code: codeAt(api, secret) }
        worked(await api.ask('POST', '/v1/second-factor/confirm', { ...own, body: code }))
      },
    })
    const logIn = async () => Object.keys(worked(await api.ask('POST', '/v1/auth/login', { body })).data)
    const dialog = page.getByRole('dialog', { name: 'Retirar o segundo fator de João Lima?' })
    const confirm = dialog.getByRole('button', { name: 'Retirar segundo fator' })
    await goTo('#/configuracoes')
    await check('the team')
    await enter(page, 'Retirar segundo fator de João Lima')
    await confirm.waitFor()
    await check('the reset of a factor')
    await confirm.press('Enter')
    const secret = await setUp(page, api)
    t.true((await logIn()).includes('challenge'))
    await page.getByLabel('Código').fill(codeAt(api, secret, 1))
    await enter(page, 'Confirmar código')
    await page.getByText('Segundo fator retirado.').waitFor()
    t.true((await logIn()).includes('access_token'))
    await enter(page, 'Retirar segundo fator de João Lima')
    await confirm.press('Enter')
    await dialog.getByText('O segundo fator não está ativo.').waitFor()
    t.deepEqual(wrong, [])
  })

  test.serial('a passkey is registered, signs in after the password and alone, confirms, and is removed', async (t) => {
    const { page, api, merchant, goTo, check, wrong } = await atPublicAddress(t)
    const dialog = page.getByRole('dialog')
    const authenticator = await authenticate(page)
    await goTo('#/configuracoes')
    await enter(page, 'Cadastrar chave de acesso')
    await fill(page, { 'Nome da chave de acesso': '' })
    await enter(page, 'Cadastrar')
    await page.locator('#passkey-name-error').waitFor()
    await fill(page, { 'Nome da chave de acesso': 'Celular' })
    await check('a new passkey')
    await enter(page, 'Cadastrar')
    await dialog.getByText('Guarde os códigos').waitFor()
    t.like(await authenticator.credentials(), { length: 1, 0: { rpId: 'pay.example.com', isResidentCredential: true } })
    await enter(page, 'Já guardei os códigos')
    await enter(page, 'Renomear Celular')
    await fill(page, { 'Nome da chave de acesso': 'Notebook' })
    await enter(page, 'Salvar nome')
    await page.getByRole('button', { name: 'Remover Notebook' }).waitFor()
    await check('the passkeys')

    await enter(page, 'Sair')
    await signIn(page, merchant.email)
    await title(page, 'Confirmar que é você')
    await enter(page, 'Usar chave de acesso')
    await title(page, 'Escola Aurora')
    await enter(page, 'Sair')
    await title(page, 'Entrar no painel')
    await authenticator.verify(false)
    await enter(page, 'Usar chave de acesso')
    await page.getByText('A chave de acesso não foi confirmada.').waitFor()
    await authenticator.verify(true)
    await check('the sign-in')
    await enter(page, 'Usar chave de acesso')
    await title(page, 'Escola Aurora')

    await goTo('#/configuracoes')
    api.clock.advance(600)
    await enter(page, 'Remover Notebook')
    await enter(page, 'Remover chave de acesso')
    await dialog.getByLabel('Sua senha').fill(PASSWORD)
    await enter(page, 'Confirmar')
    await enter(page, 'Usar chave de acesso')
    await page.getByText('Nenhuma chave de acesso ainda.').waitFor()
    await page.getByRole('button', { name: 'Ativar segundo fator' }).waitFor()
    t.deepEqual(wrong, [])
  })

  test.serial('a server without passkeys offers none', async (t) => {
    const { page, goTo } = await atPublicAddress(t, { PASSKEYS: 'false' })
    await goTo('#/configuracoes')
    await page.getByRole('heading', { name: 'Dispositivos confiáveis' }).waitFor()
    t.is(await page.getByText('have de acesso').count(), 0)
    await enter(page, 'Sair')
    await title(page, 'Entrar no painel')
    t.is(await page.getByText('have de acesso').count(), 0)
  })
}
