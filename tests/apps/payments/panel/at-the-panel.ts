import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { DESK, fill, type Open, PHONE } from '../../browser.ts'
import { type Merchant, NOW, openTestApi, PASSWORD, type TestApi, worked } from '../test-api.ts'

type Options = Parameters<Open>[2]

/** Waits for a view, whose title has the focus: the keyboard begins there. */
export const title = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await focused(page, 'h1')
}

/** Lets the timers of a page run for ten seconds at once: what is polled slowly is read again. */
export const pollAgain = (page: Page): Promise<void> => page.clock.fastForward(10_000)

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

/** Presses a button by the keyboard. */
export const enter = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).press('Enter')

/** Waits until an element has the focus. */
export const focused = (page: Page, selector: string): Promise<void> => page.locator(`${selector}:focus`).waitFor()

/** Opens the panel of an app, with the app's time in the browser. Requests to another origin are passed to the app. */
export const openPanel = async (
  t: ExecutionContext,
  open: Open,
  api: TestApi,
  options: Options = {},
  origin = api.url,
) => {
  const seen = await open(t, origin, { viewport: DESK, ...options })
  if (origin !== api.url)
    await seen.page.route(`${origin}/**`, async (route) => {
      const url = route.request().url().replace(origin, api.url)
      await route.fetch({ url }).then(
        (response) => route.fulfill({ response }),
        // A page that is left ends its requests.
        () => {},
      )
    })
  await seen.page.clock.setFixedTime(new Date(NOW))
  await seen.page.goto(`${origin}/panel`)
  return seen
}

/** Signs in by the keyboard. */
export const signIn = async (page: Page, email: string): Promise<void> => {
  await fill(page, { 'E-mail': email, Senha: PASSWORD })
  await page.getByLabel('Senha', { exact: true }).press('Enter')
}

interface SignedIn {
  readonly prepare?: (api: TestApi, merchant: Merchant) => Promise<unknown>
  readonly options?: Options
  readonly env?: Readonly<Record<string, string>>
  readonly origin?: string
}

/** Opens the panel of a new merchant, who is signed in. */
export const signedIn = async (
  t: ExecutionContext,
  open: Open,
  { prepare, options, env = {}, ...at }: SignedIn = {},
) => {
  const api = await openTestApi(t, { env })
  const { origin = api.url } = at
  const merchant = await api.merchant()
  await prepare?.(api, merchant)
  const seen = await openPanel(t, open, api, options, origin)
  const { page } = seen
  await signIn(page, merchant.email)
  await page.getByRole('button', { name: 'Sair', exact: true }).waitFor()
  return {
    ...seen,
    api,
    merchant,
    goTo: (address: string) => page.goto(`${origin}/panel${address}`),
    read: async (path: string) => worked(await api.ask('GET', path, { token: merchant.token })),
    /** Checks the visible view on a phone in the dark; and its colours and width on a desk in the light. */
    check: async (name: string) => {
      await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
      await page.setViewportSize(PHONE)
      t.deepEqual([await seen.findings('html', ['dark']), await seen.overflow()], [[], 0], `${name} on a phone`)
      await page.setViewportSize(DESK)
      t.deepEqual([await seen.colourFindings('light'), await seen.overflow()], [[], 0], `${name} on a desk`)
    },
  }
}
