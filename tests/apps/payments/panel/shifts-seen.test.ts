// Runs alone.
import test from 'ava'
import type { Page } from 'playwright-core'
import { DESK, hasBrowser, oneBrowser, PHONE, painted, RECORD_SHIFTS, slowAnswers } from '../../browser.ts'
import { openTestApi, worked } from '../test-api.ts'
import { signedIn } from './at-the-panel.ts'

/** The views that read records. */
const VIEWS = ['', 'cobrancas', 'links', 'clientes', 'extrato', 'saques', 'cartao', 'desenvolvedores', 'configuracoes']

const ROUND_TRIP_MS = 150
const BITS_PER_MS = 1_600
/** For TCP and TLS, before the first request. */
const CONNECTION_TRIPS = 2
/** The first congestion window of TCP: ten segments of 1,460 bytes. Each further round trip doubles it. */
const FIRST_WINDOW = 14_600
const FIRST_PAINT_MS = 1_500
/** The part of a slow phone: to compile and run the script, to lay out and paint. */
const WORK_MS = 300
const SCRIPT_BYTES = 120_000

interface Load {
  /** The number of answers that must arrive one after the other for this one, which is the last of them. */
  readonly depth: number
  readonly bytes: number
}

/** Opens an address, and returns each answer that the browser loads for it, by its URL. */
const loadsOf = async (page: Page, address: string): Promise<ReadonlyMap<string, Load>> => {
  const wire = await page.context().newCDPSession(page)
  const urls = new Map<string, string>()
  const loads = new Map<string, Load>()
  wire.on('Network.requestWillBeSent', ({ requestId, request: { url }, initiator }) => {
    if (url.startsWith('data:')) return
    const cause = initiator.url ?? initiator.stack?.callFrames[0]?.url ?? ''
    urls.set(requestId, url)
    // An answer may be the cause of another one before its end.
    loads.set(url, { depth: 1 + (loads.get(cause)?.depth ?? 0), bytes: 0 })
  })
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) => {
    const url = urls.get(requestId)
    const load = url === undefined ? undefined : loads.get(url)
    if (url !== undefined && load) loads.set(url, { ...load, bytes })
  })
  await wire.send('Network.enable')
  await page.goto(address, { waitUntil: 'networkidle' })
  await wire.detach()
  return loads
}

/** Returns the most time that answers of one depth need after those of the depth before. */
const levelMs = (bytes: number): number => {
  const trips = Math.ceil(Math.log2(bytes / FIRST_WINDOW + 1))
  return trips * ROUND_TRIP_MS + (bytes * 8) / BITS_PER_MS
}

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  // Reckoned from what is sent, since a busy machine paints late.
  test.serial('the first view is painted within 1.5 s at 1.6 Mbit/s and 150 ms a round trip', async (t) => {
    const api = await openTestApi(t)
    const { page } = await open(t, api.url)
    await page.addInitScript(RECORD_SHIFTS)
    const loads = await loadsOf(page, `${api.url}/panel`)
    await page.getByRole('button', { name: 'Entrar' }).waitFor()
    await page.evaluate(painted)
    t.is(await page.evaluate(`performance.getEntriesByName('first-contentful-paint').length`), 1)
    t.deepEqual(await page.evaluate('shifts'), [])
    const bytes = new Map<number, number>()
    for (const load of loads.values()) bytes.set(load.depth, (bytes.get(load.depth) ?? 0) + load.bytes)
    t.deepEqual([...bytes.keys()], [1, 2], 'the page, then its script')
    const ms = [...bytes.values()].reduce((sum, each) => sum + levelMs(each), CONNECTION_TRIPS * ROUND_TRIP_MS)
    t.log(`${[...bytes.values()].join(' and ')} bytes in ${Math.round(ms)} ms`)
    t.true(ms + WORK_MS <= FIRST_PAINT_MS)
    t.true((bytes.get(2) ?? 0) <= SCRIPT_BYTES)
  })

  test.serial('answers that arrive late move nothing that is seen, on a phone and on a desk', async (t) => {
    const views = [...VIEWS]
    const { page, goTo } = await signedIn(t, open, {
      prepare: async (api, merchant) => {
        await api.setStatus(merchant, 'ACTIVE')
        views.push(`cobrancas/${(await api.charge(merchant)).id}`)
        for (const value of [10, 20.5, 1_150.5]) await api.paid(merchant, { value })
        const body = { title: 'Camiseta', amount: 50, payment_methods: ['PIX'] }
        worked(await api.ask('POST', '/billing/payment-links', { token: merchant.token, body }))
      },
    })
    await page.addInitScript(RECORD_SHIFTS)
    await slowAnswers(page)
    const seen = new Map<string, readonly string[]>()
    for (const viewport of [PHONE, DESK]) {
      await page.setViewportSize(viewport)
      await page.reload()
      for (const view of views) {
        await goTo(`#/${view}`)
        await page.evaluate(painted)
        await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
        await page
          .getByText(/^(Somando)?…$/)
          .first()
          .waitFor({ state: 'detached' })
        await page.evaluate(painted)
        const shifts = await page.evaluate<string[]>('shifts.splice(0)')
        if (shifts.length > 0) seen.set(`${view} at ${viewport.width}`, shifts)
      }
    }
    t.deepEqual(seen, new Map())
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}
