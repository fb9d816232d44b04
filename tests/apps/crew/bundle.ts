import { rmSync } from 'node:fs'
import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'tsup'
import { ROOT } from '../../root.ts'

/** All packages go in, but for one that has a binary and one that only has files to be read. */
const BUNDLED = /^(?!@photostructure|swagger-ui-dist)/
/** What CommonJS packages ask each other with. */
const REQUIRE = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
/** The thread that the SQLite store starts from the file beside its own. */
const READER = 'adapters/sqlite/reader/reader.ts'

const bundled = async (source: string): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'portico-crew-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  // As deep as the sources are, since the version is read from there.
  const outDir = join(home, 'apps/host')
  const entry = { program: join(ROOT, source), reader: join(ROOT, READER) }
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

const made = new Map<string, Promise<string>>()

/**
 * A program as one file. Made once for all starts of a test file: to find and read hundreds of files takes longer than all
 * else in a start.
 */
export const bundleOf = (source: string): Promise<string> => {
  const file = made.get(source) ?? bundled(source)
  made.set(source, file)
  return file
}

/** The program of a process of a crew. */
export const program = (): Promise<string> => bundleOf('tests/apps/crew/program.ts')
