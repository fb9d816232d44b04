import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { users } from '../../../../core/real-estate/records/people.ts'
import { testInFull } from '../../../size.ts'
import { DESK, hasBrowser, oneBrowser, PHONE } from '../../browser.ts'
import { openEstateApi, worked } from '../test-api.ts'
import {
  atSignIn,
  employee,
  enter,
  founder,
  openWithIssuer,
  PASSWORD,
  settled,
  signedIn,
  signUp,
} from './at-the-panel.ts'

const LOOK_EVERY_MS = 10_000

/** Returns everything that the browser stores for the panel. */
const keptIn = (page: Page) =>
  page.evaluate<readonly [object, object, string]>('[{ ...localStorage }, { ...sessionStorage }, document.cookie]')

const STANDS_APART = `(() => {
  const alert = document.querySelector('form .alert')
  return alert.getBoundingClientRect().top - alert.previousElementSibling.getBoundingClientRect().bottom >= 8
})()`

const alertIn = (page: Page) => page.getByRole('alert').filter({ visible: true }).innerText()

/** Starts an identity provider on another origin that accepts every sign-in and records its requests. */
const providerElsewhere = async (t: ExecutionContext, tokenOf: () => Promise<string>) => {
  const asked: string[] = []
  const server = createServer(async ({ method, url = '' }, answer) => {
    const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'content-type' }
    if (method !== 'OPTIONS') asked.push(url)
    const body = { idToken: await tokenOf(), refreshToken: 'renews', expiresIn: '3600' }
    answer.writeHead(200, { ...cors, 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  testInFull(
    test.serial,
    'a user stays signed in as long as the window; no token is in an address or stored longer',
    async (t) => {
      const api = await openWithIssuer(t)
      const { email } = await founder(api)
      const seen = await open(t, api.url)
      const { page, wrong } = seen
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(`${api.url}/panel`)
      await enter(page, email)
      await settled(page)
      t.is(await page.getByRole('heading', { level: 1 }).innerText(), 'Imobiliária Aurora Ltda.')
      t.is(await page.locator('#who').innerText(), 'Ana Souza · Administração')
      await page.reload()
      await settled(page)
      const [local, session, cookie] = await keptIn(page)
      t.deepEqual([local, cookie, Object.keys(session)], [{}, '', ['portico.panel.refresh']])
      t.notRegex(JSON.stringify(session), /eyJ/)
      t.deepEqual(
        asked.filter((url) => /eyJ|segredo|oken=/.test(url)),
        [],
      )
      await page.getByRole('button', { name: 'Sair' }).click()
      await page.getByLabel('Senha', { exact: true }).waitFor()
      t.deepEqual(await keptIn(page), [{}, {}, ''])
      t.is(await page.getByText('Imobiliária Aurora').count(), 0)
      await page.reload()
      t.true(await page.getByLabel('Senha', { exact: true }).isVisible())
      t.deepEqual(wrong, [])
    },
  )

  test.serial('a wrong password and too many of them show their messages and open nothing', async (t) => {
    const api = await openWithIssuer(t)
    const { email } = await founder(api)
    const { page, findings } = await atSignIn(t, open, api)
    await enter(page, email, 'errada')
    t.is(await alertIn(page), 'E-mail ou senha não conferem.')
    t.true(await page.evaluate<boolean>(STANDS_APART), 'the alert has air above it')
    t.is(await page.evaluate('document.activeElement.id'), 'password')
    t.is(await page.getByLabel('Senha', { exact: true }).inputValue(), '')
    t.deepEqual(await findings(), [])
    for (let failures = 2; failures <= 6; failures += 1) {
      await enter(page, email, 'errada')
      await page.getByRole('button', { name: 'Entrar', disabled: false }).waitFor()
    }
    t.is(await alertIn(page), 'Muitas tentativas. Espere alguns minutos e tente de novo.')
    t.deepEqual(await keptIn(page), [{}, {}, ''])
  })

  test.serial('a user founds an agency and invites staff, who join by their mail', async (t) => {
    const api = await openWithIssuer(t)
    const { page, wrong, findings } = await atSignIn(t, open, api)
    const check = async () => {
      for (const viewport of [DESK, PHONE]) {
        await page.setViewportSize(viewport)
        t.deepEqual(await findings(), [], `at ${viewport.width}`)
      }
    }
    await page.getByRole('button', { name: 'Criar uma conta' }).click()
    await page.getByLabel('Seu nome').fill('Ana Souza')
    await page.getByLabel('E-mail', { exact: true }).fill('ana@example.com')
    await page.getByLabel('Senha', { exact: true }).fill('123')
    await page.keyboard.press('Enter')
    t.regex(await alertIn(page), /no mínimo 6 caracteres/)
    await page.getByRole('button', { name: 'Criar conta', disabled: false }).waitFor()
    await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Conta sem cadastro' }).waitFor()
    t.is(await page.getByLabel('Como você se chama').inputValue(), 'Ana Souza')
    await page.getByLabel('CNPJ').fill('11.222.333/0001-00')
    await page.getByLabel('Nome da imobiliária').fill('Imobiliária Aurora Ltda.')
    await page.keyboard.press('Enter')
    t.regex(await page.locator('#cnpj-error').innerText(), /CNPJ/)
    await check()
    await page.getByLabel('CNPJ').fill('11.222.333/0001-81')
    await page.getByRole('button', { name: 'Fundar imobiliária' }).click()
    await settled(page)
    t.is(await page.getByRole('heading', { level: 1 }).innerText(), 'Imobiliária Aurora Ltda.')
    await page.getByLabel('Convidar por e-mail').fill('bruno@example.com')
    await page.getByLabel('Papel').selectOption('Financial')
    await page.getByRole('button', { name: 'Enviar convite' }).click()
    await page.getByText('Convite enviado para bruno@example.com.').waitFor()
    await page.locator('#invitations li').waitFor()
    await check()
    const [, token = ''] = /#convite=(\w+)/.exec((await api.mailsTo('bruno@example.com')).at(-1) ?? '') ?? []
    await page.getByRole('button', { name: 'Sair' }).click()
    t.is(await page.locator('#invitations li').count(), 0)
    await page.goto(`${api.url}/panel?again#convite=${token}`)
    await page.getByText('Imobiliária Aurora Ltda. convidou bruno@example.com (Financeiro).').waitFor()
    t.false(page.url().includes(token))
    await page.getByLabel('Seu nome').fill('Bruno Lima')
    await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await settled(page)
    t.is(await page.locator('#who').innerText(), 'Bruno Lima · Financeiro')
    t.true(await page.locator('#team').isHidden())
    t.deepEqual(wrong, [])
  })

  test.serial('a mailed link replaces a forgotten password', async (t) => {
    const api = await openWithIssuer(t)
    const { email } = await founder(api)
    const { page, findings } = await atSignIn(t, open, api)
    await page.getByLabel('E-mail', { exact: true }).fill('unknown@example.com')
    await page.getByRole('button', { name: 'Esqueci a senha' }).click()
    await page.getByText('Não há conta com este e-mail.').waitFor()
    await page.getByLabel('E-mail', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Esqueci a senha' }).click()
    await page.getByText(`Enviamos para ${email}`).waitFor()
    const [, hash = ''] = /\/panel(#mode=\S+)/.exec((await api.mailsTo(email)).at(-1) ?? '') ?? []
    await page.goto(`${api.url}/panel?again${hash}`)
    await page.getByLabel('Nova senha').fill('outra-senha')
    t.deepEqual(await findings(), [])
    await page.keyboard.press('Enter')
    await page.getByText('Senha salva. Entre com ela.').waitFor()
    await enter(page, email, 'outra-senha')
    await settled(page)
    t.pass()
  })

  testInFull(test.serial, 'a role without a dashboard and an unregistered user see an explanation', async (t) => {
    const api = await openWithIssuer(t)
    const admin = await founder(api)
    const owner = await employee(api, admin, 'Owner')
    await signUp(api, 'nova@example.com', 'Nova')
    const { page, wrong, findings } = await atSignIn(t, open, api)
    await enter(page, owner.email)
    await page.getByRole('heading', { name: 'Este painel é da equipe' }).waitFor()
    t.regex(await page.locator('h1 + p').innerText(), /^Olá, Bruno Lima\. Você está como proprietário/)
    t.deepEqual(await findings(), [])
    await page.getByRole('button', { name: 'Entrar com outra conta' }).click()
    await enter(page, 'nova@example.com')
    await page.getByRole('heading', { name: 'Conta sem cadastro' }).waitFor()
    t.deepEqual(wrong, [])
  })

  testInFull(
    test.serial,
    'a user whose new role has no dashboard sees an explanation with the next poll',
    async (t) => {
      const api = await openWithIssuer(t)
      const { userId, email } = await founder(api)
      const { page, wrong } = await open(t, api.url)
      // Time passes as usual until the test advances it.
      await page.clock.install()
      await page.goto(`${api.url}/panel`)
      await enter(page, email)
      await settled(page)
      await api.host.store.commit([patch(users, userId, { set: { role: 'Tenant' }, when: always })])
      await page.clock.fastForward(LOOK_EVERY_MS)
      await page.getByRole('heading', { name: 'Este painel é da equipe' }).waitFor()
      t.is(await page.getByText('Receita por mês').filter({ visible: true }).count(), 0)
      t.deepEqual(wrong, [])
    },
  )

  testInFull(
    test.serial,
    'an expired token is renewed silently; after a change of password the user signs in again',
    async (t) => {
      const api = await openWithIssuer(t)
      const { email } = await founder(api)
      const { page, wrong } = await signedIn(t, open, api, email)
      const renewed = page.waitForResponse((answer) => answer.url().endsWith('/v1/token?key=development'))
      api.clock.advance(3_700)
      t.is((await renewed).status(), 200)
      await settled(page)
      t.true(await page.getByRole('button', { name: 'Sair' }).isVisible())
      // A change of password ends the sessions of the former one.
      const accounts = '/identitytoolkit.googleapis.com/v1/accounts'
      const { idToken } = worked(
        await api.ask('POST', `${accounts}:signInWithPassword`, { body: { email, password: PASSWORD } }),
      )
      worked(await api.ask('POST', `${accounts}:update`, { body: { idToken, password: 'outra-senha' } }))
      api.clock.advance(3_700)
      t.is(await alertIn(page), 'Sua sessão terminou. Entre de novo.')
      await enter(page, email, 'outra-senha')
      await settled(page)
      t.deepEqual(wrong, [])
    },
  )

  testInFull(
    test.serial,
    'the panel signs in at a provider on another origin, at the addresses of its policy',
    async (t) => {
      const holder: { token: () => Promise<string> } = { token: async () => '' }
      const provider = await providerElsewhere(t, () => holder.token())
      const api = await openEstateApi(t, {
        env: {
          IDENTITY_ISSUER: 'https://securetoken.google.com/aurora',
          IDENTITY_AUDIENCE: 'aurora',
          IDENTITY_JWKS_URL: 'https://keys.example.com/jwks',
          IDENTITY_SIGN_IN_URL: provider.url,
          IDENTITY_API_KEY: 'web-key',
        },
      })
      const { uid, email } = await api.agency({ legalName: 'Casa Nova' })
      holder.token = () => api.sign({ sub: uid, email, email_verified: true })
      const { page, wrong } = await atSignIn(t, open, api)
      await enter(page, email)
      await page.getByRole('heading', { name: 'Casa Nova' }).waitFor()
      const address = `${provider.url}/v1/accounts:signInWithPassword?key=web-key`
      t.deepEqual(provider.asked, ['/v1/accounts:signInWithPassword?key=web-key'])
      t.deepEqual([...new Set(wrong)], [`requested ${address}`])
    },
  )
}
