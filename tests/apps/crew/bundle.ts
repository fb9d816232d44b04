import { rmSync } from 'node:fs'
import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'tsup'

const ROOT = resolve(import.meta.dirname, '../../..')
const PROGRAM = 'tests/apps/crew/program.ts'
/** All packages go in, but for one that has a binary and one that only has files to be read. */
const BUNDLED = /^(?!@photostructure|swagger-ui-dist)/
/** What CommonJS packages ask each other with. */
const REQUIRE = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
/** The thread that the SQLite store starts from the file beside its own. */
const READER = 'adapters/sqlite/reader/reader.ts'

/** Made once for all starts of a test file: to find and read hundreds of files takes longer than all else in a start. */
const bundled = async (): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'portico-crew-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  // As deep as the sources are, since the version is read from there.
  const outDir = join(home, 'apps/host')
  const entry = { program: join(ROOT, PROGRAM), reader: join(ROOT, READER) }
  await Promise.all([
    build({
      config: false,
      entry,
      outDir,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      noExternal: [BUNDLED],
      banner: { js: REQUIRE },
      silent: true,
    }),
    symlink(join(ROOT, 'node_modules'), join(home, 'node_modules')),
    writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module', version: '0' })),
  ])
  return join(outDir, 'program.js')
}

let made: Promise<string> | null = null

/** The program of a process, as one file. */
export const program = (): Promise<string> => {
  made ??= bundled()
  return made
}
