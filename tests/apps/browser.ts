import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ExecutionContext, TestFn } from 'ava'
import jsQRModule from 'jsqr'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { PNG } from 'pngjs'

const jsQR = jsQRModule.default ?? jsQRModule
const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** For root in a container without a graphics card. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-component-update', '--disable-sync']

/** Reports whether Chromium is installed; if not, registers a test that logs it. */
export const hasBrowser = (test: TestFn): boolean => {
  if (existsSync(path)) return true
  test('chromium is not installed', (t) => {
    t.log(`SKIPPED: no ${path}: CHROMIUM_PATH=/path/to/chromium runs these tests`)
    t.pass()
  })
  return false
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

type Scheme = 'light' | 'dark'

/** A page in a browser, with its errors. */
export interface Seen {
  readonly page: Page
  /** Requests to other origins, violations of the policy, and exceptions. */
  readonly wrong: readonly string[]
  /**
   * Returns the serious and critical findings of axe, in the page or in an element: of all rules in the first colour
   * scheme, and of the rules about colours in the others.
   */
  findings(within?: string, schemes?: readonly Scheme[]): Promise<readonly string[]>
  /** Returns those of the rules about colours alone, in one scheme. */
  colourFindings(scheme: Scheme): Promise<readonly string[]>
  /** Returns the number of pixels by which the page is wider than its window. */
  overflow(): Promise<number>
  /** Reads the visible QR code. */
  qrText(): Promise<string | null>
}

export const PHONE = { width: 360, height: 640 }
export const DESK = { width: 1280, height: 800 }

/** Opens an empty page, which may request only this origin. */
export type Open = (t: ExecutionContext, origin: string, options?: BrowserContextOptions) => Promise<Seen>

let launched: Promise<Browser> | undefined

/** Fills fields by their labels. */
export const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}

/** Launches one browser for all test files of a process. */
export const oneBrowser = (test: TestFn): Open => {
  test.after.always(async () => (await launched)?.close())
  return async (t, origin, options = {}) => {
    launched ??= chromium.launch({ executablePath: path, args: ARGUMENTS })
    const context = await (await launched).newContext({ viewport: PHONE, locale: 'pt-BR', ...options })
    if (options.javaScriptEnabled !== false) {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    }
    const page = await context.newPage()
    t.teardown(() => context.close())
    const wrong: string[] = []
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) wrong.push(`requested ${url}`)
    })
    page.on('pageerror', (error) => wrong.push(`threw ${error.message}`))
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) wrong.push(message.text())
    })
    return { page, wrong, ...inspect(page) }
  }
}

/**
 * Run before a page's own script: collects in `shifts` each move of visible elements, and the elements. The parts of a
 * date field, which move a little when it is filled, are below the bound.
 */
export const RECORD_SHIFTS = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      if (value >= 0.0005)
        shifts.push(value.toFixed(4) + ' ' + sources.map(({ node }) => node?.className || node?.nodeName).join(', '))
  }).observe({ type: 'layout-shift', buffered: true })`

/** Waits in the browser until what has changed is painted and reported. */
export const painted =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))'

/** Delivers the answers of an API one after the other, each after the one before it was painted. */
export const slowAnswers = async (page: Page): Promise<void> => {
  let last: Promise<unknown> = Promise.resolve()
  await page.route(
    () => true,
    async (route) => {
      if (route.request().resourceType() === 'fetch') {
        // A page that is left paints no more.
        last = last.then(() => page.evaluate(painted).catch(() => {}))
        await last
      }
      await route.continue().catch(() => {})
    },
  )
}

/** The rules of axe that depend on colours: only these can differ between colour schemes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

const runAxe = async (page: Page, within: string, colorScheme: Scheme, options: object): Promise<readonly string[]> => {
  // Evaluated by the browser, to which the page's policy does not apply. It stays in the document.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe)
  await page.emulateMedia({ colorScheme })
  const found = await page.evaluate<readonly Finding[]>(
    `axe.run('${within}', { resultTypes: ['violations'], ...${JSON.stringify(options)} }).then(({ violations }) => violations)`,
  )
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes.map((node) => node.html).join(' ')}`)
}

const inspect = (page: Page): Pick<Seen, 'findings' | 'colourFindings' | 'overflow' | 'qrText'> => ({
  async findings(within = 'html', schemes = ['light', 'dark']) {
    const found: string[] = []
    for (const [index, scheme] of schemes.entries())
      found.push(...(await runAxe(page, within, scheme, index === 0 ? {} : { runOnly: COLOUR_RULES })))
    return found
  },
  colourFindings: (scheme) => runAxe(page, 'html', scheme, { runOnly: COLOUR_RULES }),
  overflow: () => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  async qrText() {
    const { data, width, height } = PNG.sync.read(await page.locator('.qr img').screenshot({ scale: 'device' }))
    return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null
  },
})
