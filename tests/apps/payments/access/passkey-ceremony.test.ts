import test from 'ava'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../../../core/payments/world.ts'
import { hasBrowser, oneBrowser } from '../../browser.ts'
import { user } from '../given/basics.ts'
import { openTestApi, type TestApi, worked } from '../test-api.ts'

const ORIGIN = 'https://pay.example.com'
const open = oneBrowser(test)

/** Runs in the page: each ceremony passes the options of the server to the browser, and its result back unchanged. */
const CEREMONIES = `
  window.send = async (path, body, token) => {
    const authorization = token ? { authorization: 'Bearer ' + token } : {}
    const headers = { 'content-type': 'application/json', ...authorization }
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, ...(await answer.json()) }
  }
  window.register = async (token) => {
    const { data } = await send('/v1/second-factor/passkeys/options', {}, token)
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data.public_key)
    const credential = (await navigator.credentials.create({ publicKey })).toJSON()
    return send('/v1/second-factor/passkeys', { name: 'Navegador', ceremony: data.ceremony, credential }, token)
  }
  window.use = async (begin, end, more) => {
    const { data } = await send(begin, more)
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data.public_key)
    const credential = (await navigator.credentials.get({ publicKey })).toJSON()
    return send(end, { ...more, ceremony: data.ceremony, credential })
  }`

/** Serves an empty page at the public address, and passes its requests to the API on this machine. */
const servePage = (page: Page, { url }: TestApi): Promise<unknown> =>
  page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: '<title>Portico</title>' })
    return route.fulfill({ response: await route.fetch({ url: `${url}${pathname}` }) })
  })

interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the test reads the reply freely, and fails if it differs
  readonly data: any
}

if (hasBrowser(test))
  test('Chromium registers a passkey, and logs in by it after the password and alone', async (t) => {
    const api = await openTestApi(t)
    const { page } = await open(t, ORIGIN)
    await servePage(page, api)
    await page.goto(`${ORIGIN}/`)
    await page.evaluate(CEREMONIES)
    const devices = await page.context().newCDPSession(page)
    await devices.send('WebAuthn.enable')
    const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      },
    })
    const run = (script: string) => page.evaluate<Reply>(script)
    const { token, body } = await user(api)
    worked(await api.ask('POST', '/v1/auth/confirm-password', { token, body: { password: PASSWORD } }))

    const registered = await run(`register('${token}')`)
    t.deepEqual([registered.status, registered.data.recovery_codes.length], [201, 10])
    const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId })
    t.deepEqual(
      credentials.map(({ rpId, isResidentCredential }) => [rpId, isResidentCredential]),
      [['pay.example.com', true]],
    )

    const { challenge } = worked(await api.ask('POST', '/v1/auth/login', { body })).data
    const begin = '/v1/second-factor/proofs/passkey-options'
    const second = await run(`use('${begin}', '/v1/auth/second-step/passkey', { challenge: '${challenge}' })`)
    const alone = await run(`use('/v1/auth/login/passkey-options', '/v1/auth/login/passkey', {})`)
    for (const { status, data } of [second, alone]) {
      t.deepEqual([status, data.user.email], [200, body.email])
      t.is((await api.ask('GET', '/v1/second-factor/passkeys', { token: data.access_token })).status, 200)
    }

    await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    const refused = `use('/v1/auth/login/passkey-options', '/v1/auth/login/passkey', {}).catch(({ name }) => ({ status: name }))`
    t.is(`${(await run(refused)).status}`, 'NotAllowedError', 'the device did not verify the person')
  })
