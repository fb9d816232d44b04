import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ExecutionContext, TestFn } from 'ava'
import jsQRModule from 'jsqr'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { PNG } from 'pngjs'

const jsQR = jsQRModule.default ?? jsQRModule
const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** As root in a container, with nothing drawn by a card that is not there. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-component-update', '--disable-sync']

/** Whether there is a browser to test with; registers a test that says so where there is none. */
export const hasBrowser = (test: TestFn): boolean => {
  if (existsSync(path)) return true
  test('chromium: skipped, there is none', (t) => {
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

/** A page as somebody sees it, and what they could not do with it. */
export interface Seen {
  readonly page: Page
  /** What the page asked of others, or was kept from by its policy. */
  readonly wrong: readonly string[]
  /** The serious and critical findings of axe, by day and by night, in the page or in an element of it. */
  findings(within?: string): Promise<readonly string[]>
  /** By how many pixels it is wider than its window. */
  overflow(): Promise<number>
  /** The text of the QR code that is seen. */
  qrText(): Promise<string | null>
}

export const PHONE = { width: 360, height: 640 }

/** Opens a page of this origin; whatever it asks of another is in `wrong`. */
export type Open = (t: ExecutionContext, origin: string, options?: BrowserContextOptions) => Promise<Seen>

/** One browser for a file of tests. */
export const oneBrowser = (test: TestFn): Open => {
  let launched: Promise<Browser> | undefined
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
      if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) wrong.push(`asked ${url}`)
    })
    page.on('pageerror', (error) => wrong.push(`threw ${error.message}`))
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) wrong.push(message.text())
    })
    return { page, wrong, ...looking(page) }
  }
}

/** What of a page is of another colour by night; all else that is looked at stays as it was. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

const looking = (page: Page): Pick<Seen, 'findings' | 'overflow' | 'qrText'> => ({
  async findings(within = 'html') {
    const run = async (colorScheme: 'light' | 'dark', runOnly: object) => {
      await page.emulateMedia({ colorScheme })
      const found = await page.evaluate<readonly Finding[]>(
        `axe.run('${within}', { resultTypes: ['violations'], ...${JSON.stringify(runOnly)} }).then(({ violations }) => violations)`,
      )
      return found
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes.map((node) => node.html).join(' ')}`)
    }
    // Evaluated from outside, where the page's policy is not asked.
    await page.evaluate(axe)
    return [...(await run('light', {})), ...(await run('dark', { runOnly: OF_COLOURS }))]
  },
  overflow: () => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  async qrText() {
    const { data, width, height } = PNG.sync.read(await page.locator('.qr img').screenshot({ scale: 'device' }))
    return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null
  },
})
