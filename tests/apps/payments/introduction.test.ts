import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { introductionOf } from '../../../apps/payments/introduction.ts'
import { openTestApi } from './test-api.ts'

const run = promisify(execFile)
const hasCurl = (): Promise<boolean> =>
  run('curl', ['--version']).then(
    () => true,
    () => false,
  )

/** The blocks of a text that are commands. */
const commandsOf = (text: string): string => [...text.matchAll(/```sh\n([^`]*)```/g)].map(([, block]) => block).join('')

test('the commands of the introduction work as they stand, from nobody to a balance', async (t) => {
  if (!(await hasCurl())) {
    t.log('SKIPPED: there is no curl')
    return t.pass()
  }
  const api = await openTestApi(t)
  const directory = await mkdtemp(join(tmpdir(), 'portico-introduction-'))
  t.teardown(() => rm(directory, { recursive: true }))
  const { stdout } = await run('sh', ['-euc', commandsOf(introductionOf(api.url))], { cwd: directory })
  t.regex(stdout, /"access_token":/)
  t.regex(stdout, /"name":"Escola Aurora"/)
  t.regex(stdout, /"qrcode":"000201/)
  t.regex(stdout, /"balance":150\.5\b/)
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
