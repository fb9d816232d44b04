import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { parse } from 'yaml'
import { readEnvironment, VARIABLES } from '../../apps/host/environment.ts'
import { STORE_SECRETS } from '../apps/store-url.ts'
import { ROOT } from '../root.ts'

const exec = promisify(execFile)
const pathOf = (name: string): string => join(ROOT, 'apps/packaging', name)
const textOf = (name: string): Promise<string> => readFile(pathOf(name), 'utf8')

const MOST_EXPOSED = 30

test('the systemd unit is valid, with low exposure', async (t) => {
  const unit = pathOf('portico.service')
  try {
    await exec('systemd-analyze', ['--version'])
  } catch {
    t.log('SKIPPED: there is no systemd-analyze')
    t.pass()
    return
  }
  const { stderr } = await exec('systemd-analyze', ['verify', unit])
  t.notRegex(stderr, /portico/)
  await t.notThrowsAsync(
    exec('systemd-analyze', ['security', '--offline=true', '--no-pager', `--threshold=${MOST_EXPOSED}`, unit]),
  )
})

interface Service {
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly read_only?: boolean
  readonly deploy?: { readonly replicas: number }
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

test('the compose file refers to existing services and secrets, and to accepted settings', async (t) => {
  const { services, secrets } = parse(await textOf('compose.yaml'), { merge: true }) as Compose
  const { portico } = services
  t.like(portico, { read_only: true, deploy: { replicas: 2 }, secrets: Object.keys(secrets) })
  for (const { depends_on = [] } of Object.values(services))
    for (const name of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)) t.true(name in services, name)
  const environment = Object.entries(portico?.environment ?? {})
  t.deepEqual(
    environment.filter(([name]) => !VARIABLES.includes(name)),
    [],
  )
  const inFiles = environment.filter(([name]) => name.endsWith('_FILE'))
  t.deepEqual(
    inFiles.map(([, path]) => path),
    Object.keys(secrets).map((name) => `/run/secrets/${name}`),
  )
  const set = environment.filter(([name]) => !name.endsWith('_FILE'))
  const given = set.map(([name, value]) => [name, value.startsWith('${') ? 'https://portico.example.com' : value])
  t.notThrows(() => readEnvironment({ NODE_ENV: 'production', ...STORE_SECRETS, ...Object.fromEntries(given) }))
})

test('the unit and the container file set known variables, and install this project’s driver version', async (t) => {
  const container = await textOf('Containerfile')
  const [, environment = ''] = /^ENV (.*)$/m.exec(container) ?? []
  const names = [
    ...[...(await textOf('portico.service')).matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name ?? ''),
    ...environment.split(' ').map((word) => word.split('=')[0] ?? ''),
  ]
  t.is(names.length, 7)
  t.deepEqual(
    names.filter((name) => !VARIABLES.includes(name)),
    [],
  )
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  t.true(container.includes(` mongodb@${devDependencies.mongodb} `))
})
