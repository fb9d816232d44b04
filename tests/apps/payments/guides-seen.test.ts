import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { testInFull } from '../../size.ts'
import { DESK, hasBrowser, oneBrowser } from '../browser.ts'
import { openEstateApi } from '../real-estate/test-api.ts'
import { openTestApi } from './test-api.ts'

/** Waits for a text in the clipboard. */
const CLIPBOARD = `(async () => {
  for (;;) {
    const text = await navigator.clipboard.readText()
    if (text !== '') return text
    await new Promise((done) => setTimeout(done, 50))
  }
})()`

/** Presses the first copy button, and returns its label, its code and the copied text. */
const copied = async (page: Page, within: string) => {
  const block = page.locator(`${within} pre`).first()
  const [label, code] = [await block.getAttribute('data-label'), await block.locator('code').textContent()]
  await page.evaluate('navigator.clipboard.writeText("")')
  await block.getByRole('button', { name: 'Copiar' }).click()
  return { label, code: code ?? '', copy: await page.evaluate<string>(CLIPBOARD) }
}

/** The reference is a large script, and other tests run at the same time. */
const PATIENCE_MS = 120_000

const anchors = (page: Page, within: string) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('${within} :is(h1, h2, h3, h4)[id]')].map(({ id }) => id)`)

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  const showsGuides =
    (openApi: (t: ExecutionContext) => Promise<{ readonly url: string }>) =>
    async (t: ExecutionContext): Promise<void> => {
      const { url } = await openApi(t)
      const early = await open(t, url)
      await early.page.route('**/docs/reference.js*', (route) => route.abort())
      await early.page.goto(`${url}/docs`)
      const first = await copied(early.page, '#first')
      t.is(first.label, 'Terminal')
      t.is(first.copy, first.code)
      t.deepEqual(await early.findings(), [])
      t.is(await early.overflow(), 0)
      t.deepEqual(early.wrong, [])
      const guides = await early.page.getByRole('navigation', { name: 'Guias' }).getByRole('link').allTextContents()
      const ids = await anchors(early.page, '#first')
      t.true(guides.length > 6)
      t.is(new Set(ids).size, ids.length)
      const link = early.page.getByRole('link', { name: 'Ir para produção' })
      await link.click()
      t.true(await early.page.getByRole('heading', { name: 'Ir para produção' }).isVisible())

      const { page, findings } = await open(t, url, { viewport: DESK })
      page.setDefaultTimeout(PATIENCE_MS)
      await page.goto(`${url}/docs${await link.getAttribute('href')}`)
      const text = '.introduction-description'
      const heading = page.locator(`${text} h1`, { hasText: 'Ir para produção' })
      await heading.waitFor()
      await page.waitForFunction(`document.querySelectorAll('${text} pre > button').length > 20 && scrollY > 0`)
      t.deepEqual(
        (await anchors(page, text)).map((id) => id.replace(/^api-1\//, '')),
        ids,
      )
      const bar = (await page.locator('.t-doc__sidebar').innerText()).split('\n')
      t.deepEqual(
        bar.filter((line) => guides.includes(line)),
        guides,
      )
      t.deepEqual(await copied(page, text), first)
      t.deepEqual(await findings(text), [])
    }

  // Serial, since both use the clipboard of the browser.
  test.serial('shows the guides of payments with the reference and without it', showsGuides(openTestApi))
  // The page is the same; the reference is a large script.
  testInFull(
    test.serial,
    'shows the guides of real estate with the reference and without it',
    showsGuides((t) => openEstateApi(t, { usualIdentity: true })),
  )
}
