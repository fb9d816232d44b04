// Runs alone.
import { readFile } from 'node:fs/promises'
import test from 'ava'
import type { Page } from 'playwright-core'
import { hasBrowser, oneBrowser } from '../../browser.ts'
import { codeAt } from '../../given/given.ts'
import { PASSWORD } from '../test-api.ts'
import { signedIn } from './at-the-panel.ts'

/** Presses a button by the keyboard. */
const enter = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).press('Enter')

if (hasBrowser(test)) {
  const open = oneBrowser(test)

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
}
