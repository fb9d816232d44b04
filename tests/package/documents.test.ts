import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { VARIABLES } from '../../apps/host/environment.ts'
import { SET_RETENTION } from '../../core/payments/retention.ts'
import { AS_IT_SHIPS, startCommand } from '../apps/host/process.ts'
import { addedLines } from '../long/adding-a-resource.ts'
import { ROOT } from '../root.ts'
import { allBlocks, DOCUMENTS } from './documents.ts'

const run = promisify(execFile)
const MOST_LINES = 400
const MOST_LINES_OF_README = 250
const MOST_LINES_OF_RESOURCE = 60
const textOf = (document: string): string => readFileSync(join(ROOT, document), 'utf8')

test('README has at most 250 lines, every other document at most 400', (t) => {
  for (const document of DOCUMENTS) {
    const most = document === 'README.md' ? MOST_LINES_OF_README : MOST_LINES
    t.true(textOf(document).trimEnd().split('\n').length <= most, document)
  }
})

/** Commands that other tests run, or that CI runs to start the tests at all. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'tests/apps/host/start.test.ts',
  'npm ci && npm test': '.ci/run',
  'npm ci && npm pack': 'tests/package/packed.ts',
  'npm install ./portico-VERSION.tgz @photostructure/sqlite@1.2.1': 'tests/package/packed.ts',
  'npx portico start': 'tests/package/installed.test.ts',
  'npm install portico': 'tests/package/packed.ts',
  'npm install portico @photostructure/sqlite': 'tests/package/packed.ts',
  'npm install portico mongodb': 'tests/package/installed.test.ts',
}

test('all shell commands of the documents run here, or in another test', async (t) => {
  const { version } = JSON.parse(textOf('package.json'))
  const data = mkdtempSync(join(tmpdir(), 'portico-documents-'))
  const app = startCommand(AS_IT_SHIPS, { STORE_URL: 'memory:', DATA_DIR: data })
  t.teardown(() => {
    app.child.kill('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  })
  const { payments, estate } = await app.ready
  for (const { document, heading, language, text, output } of allBlocks()) {
    if (language !== 'sh') continue
    if (text.startsWith('API=')) {
      const script = text.replace('http://127.0.0.1:3000', payments).replace('http://127.0.0.1:3001', estate)
      const { stdout } = await run('bash', ['-euc', `TOKEN=\n${script}`])
      t.true(stdout.trimEnd().endsWith((output ?? 'no output').trimEnd()), `${document}, ${heading}: ${stdout}`)
    } else
      for (const line of text.trimEnd().split('\n')) {
        const command = line
          .replace(/ +#.*$/, '')
          .trim()
          .replace(version, 'VERSION')
        t.true(existsSync(join(ROOT, RUN_ELSEWHERE[command] ?? 'no test')), `${document}, ${heading}: ${command}`)
      }
  }
})

test('the recipe of a resource takes at most 60 lines in each business, tests included', (t) => {
  for (const document of ['tests/README.md', 'core/README.md']) {
    const lines = addedLines(document)
    t.true(lines > 0 && lines <= MOST_LINES_OF_RESOURCE, `${document}: ${lines}`)
  }
})

test('links of the documents lead to existing files and headings', (t) => {
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-')
  for (const document of DOCUMENTS)
    for (const [, path = '', anchor] of textOf(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
      const target = path === '' ? document : normalize(join(dirname(document), path))
      t.true(existsSync(join(ROOT, target)), `${document}: ${path}`)
      if (anchor === undefined) continue
      const headings = [...textOf(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
      t.true(headings.includes(anchor), `${document}: ${path}#${anchor}`)
    }
})

test('the map in README names existing folders', (t) => {
  const block = allBlocks().find(({ heading }) => heading === 'How the code is organised')
  const lines = (block?.text ?? '').split('\n')
  let top = ''
  for (const line of lines) {
    const [, indent = '', names = ''] = /^( *)((?:[\w-]+\/ ?)+)/.exec(line) ?? []
    if (names === '') continue
    if (indent === '') top = names.trim()
    for (const name of names.trim().split(' '))
      t.true(existsSync(join(ROOT, indent === '' ? name : join(top, name))), line)
  }
  t.not(top, '')
})

test('apps/README.md has the terms of records that the code has by default', (t) => {
  const [, names = '', terms = ''] = /^\| (`RETENTION_DAYS_[^|]*) \| ([^|]*) \|/m.exec(textOf('apps/README.md')) ?? []
  const kinds = [...names.matchAll(/`RETENTION_DAYS_([A-Z_]+)`/g)].map(([, name = '']) =>
    name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  )
  const documented = terms.split(', ').map((term, index) => [kinds[index], term === '`never`' ? null : Number(term)])
  const actual = Object.entries(SET_RETENTION).map(([kind, { days }]) => [kind, days])
  t.deepEqual(Object.fromEntries(documented), Object.fromEntries(actual))
})

test('apps/README.md lists exactly the settings', (t) => {
  const [, table = ''] = /^## Settings\n([\s\S]*?)^## /m.exec(textOf('apps/README.md')) ?? []
  const rows = [...table.matchAll(/^\| (`[^|]*) \|/gm)].map(([, names = '']) => names)
  const listed = rows.flatMap((names) => [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = '']) => name))
  const isFile = (name: string) => name.endsWith('_FILE')
  t.deepEqual([...listed].sort(), VARIABLES.filter((name) => !isFile(name)).sort())
  const [, secrets = ''] = /Each secret can also be read from a file:([\s\S]*?)\n\n/.exec(table) ?? []
  for (const name of VARIABLES.filter(isFile)) t.true(secrets.includes(`\`${name.replace(/_FILE$/, '')}\``), name)
})
