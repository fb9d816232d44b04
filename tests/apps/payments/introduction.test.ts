import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { introductionOf } from '../../../apps/payments/introduction.ts'
import { introductionOf as estateIntroductionOf } from '../../../apps/real-estate/introduction.ts'
import { openEstateApi } from '../real-estate/test-api.ts'
import { openTestApi } from './test-api.ts'

const run = promisify(execFile)
const hasCurl = (): Promise<boolean> =>
  run('curl', ['--version']).then(
    () => true,
    () => false,
  )

/** The blocks of a text that are commands. */
const commandsOf = (text: string): string => [...text.matchAll(/```sh\n([^`]*)```/g)].map(([, block]) => block).join('')

/** Runs the commands of an introduction; null where there is no curl. */
const printedBy = async (t: ExecutionContext, introduction: string): Promise<string | null> => {
  if (!(await hasCurl())) {
    t.log('SKIPPED: there is no curl')
    t.pass()
    return null
  }
  const directory = await mkdtemp(join(tmpdir(), 'portico-introduction-'))
  t.teardown(() => rm(directory, { recursive: true }))
  return (await run('sh', ['-euc', commandsOf(introduction)], { cwd: directory })).stdout
}

test('the commands of the introduction work as they stand, from sign-up to a withdrawal', async (t) => {
  const api = await openTestApi(t)
  const stdout = await printedBy(t, introductionOf(api.url))
  if (stdout === null) return
  t.regex(stdout, /"access_token":/)
  t.regex(stdout, /"name":"Escola Aurora"/)
  t.regex(stdout, /"qrcode":"000201/)
  t.regex(stdout, /"balance":150\.5\b/)
  t.regex(stdout, /"balance":50\.5\b[^\n]*$/)
})

test('so do those of the agency, from sign-up to a property and the dashboard', async (t) => {
  const api = await openEstateApi(t, { usualIdentity: true })
  const stdout = await printedBy(t, estateIntroductionOf(api.url, true))
  if (stdout === null) return
  t.regex(stdout, /"role":"Admin"/)
  t.regex(stdout, /"code":"AP-101"/)
  t.regex(stdout, /"total":1\b/)
  const { body } = await api.ask('GET', '/openapi.json')
  t.is(body.info.description, estateIntroductionOf(body.servers[1].url, true))
  t.notRegex(estateIntroductionOf(api.url, false), /identitytoolkit/)
})

test('the root names the documentation, and the panel where there is one: a page for browsers, else a text', async (t) => {
  const [payments, estate] = [await openTestApi(t), await openEstateApi(t)]
  const page = { headers: { accept: 'text/html,*/*;q=0.8' } }
  t.regex((await payments.ask('GET', '/', page)).text, /<a href="docs">\/docs<\/a>/)
  t.is((await payments.ask('GET', '/')).text, 'ok')
  const { text } = await estate.ask('GET', '/', page)
  for (const path of ['docs', 'panel']) t.true(text.includes(`<a href="${path}">/${path}</a>`))
  const plain = await estate.ask('GET', '/')
  t.regex(plain.text, /^\/docs: .*\n\/panel: .*\n$/)
  t.regex(plain.headers.get('link') ?? '', /<docs>; rel="service-doc"/)
})

test('the document begins with it, at the place where the API is', async (t) => {
  const { body } = await (await openTestApi(t)).ask('GET', '/openapi.json')
  t.is(body.info.description, introductionOf(body.servers[1].url))
})

test('its table has every status of a refusal that issuing a charge can get', async (t) => {
  const { body } = await (await openTestApi(t)).ask('GET', '/openapi.json')
  const told = [...body.info.description.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, cell]) => cell.split(', '))
  const refusals = Object.keys(body.paths['/invoices'].post.responses).filter((status) => /^4|^503/.test(status))
  t.deepEqual(
    refusals.filter((status) => !told.includes(status)),
    [],
  )
})
