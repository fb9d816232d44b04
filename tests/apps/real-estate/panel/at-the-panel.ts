import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import type { Open, Seen } from '../../browser.ts'
import type { EstateTestApi } from '../test-api.ts'
import { PASSWORD } from './signed-up.ts'

export const DESK = { width: 1280, height: 800 }

export const enter = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  await page.getByLabel('E-mail', { exact: true }).fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

/** A part of the board, once it shows something. */
export const part = (page: Page, name: string) => page.locator(`[data-part="${name}"]:not([aria-busy])`)

/** Waits until the board is live, and all of it is there. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('#live[data-state=live]').waitFor()
  await page.locator('[data-part][aria-busy]:not([hidden])').first().waitFor({ state: 'detached' })
}

/** The panel as somebody sees it who has just signed in. */
export const signedIn = async (
  t: ExecutionContext,
  open: Open,
  api: EstateTestApi,
  email: string,
  options: Parameters<Open>[2] = {},
): Promise<Seen> => {
  const seen = await open(t, api.url, options)
  await seen.page.goto(`${api.url}/panel`)
  await enter(seen.page, email)
  await settled(seen.page)
  return seen
}

/** What lists say, line by line, without what breaks lines. */
export const linesIn = async (page: Page, name: string): Promise<readonly string[]> => {
  const texts = await part(page, name).locator('li').allInnerTexts()
  return texts.map((text) => text.replaceAll('\u00a0', ' ').replace(/\s*\n\s*/g, ' | '))
}

/** What the tiles say, by their labels. */
export const tilesIn = async (page: Page): Promise<Readonly<Record<string, string>>> => {
  const tiles = await part(page, 'figures').locator('.tile').all()
  const told = tiles.map(async (tile) => {
    const [label, value] = [tile.locator('dt').innerText(), tile.locator('strong').innerText()]
    return [await label, (await value).replaceAll('\u00a0', ' ')] as const
  })
  return Object.fromEntries(await Promise.all(told))
}
