import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rename, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEXT_LOADERS } from '../apps/packaging/text-loaders.ts'
import { ROOT } from './root.ts'

/** All packages go in, but for one that has a binary. */
const BUNDLED = /^(?!@photostructure)/
/** Defines `require` for CommonJS packages. */
const REQUIRE = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
/** The threads that the SQLite store starts from files beside its own. */
const THREADS = { reader: 'adapters/sqlite/reader/reader.ts' }

/** The folder of programs shared by the processes of one test run. */
const SHARED = process.env.TEST_PROGRAMS

const bundled = async (source: string): Promise<string> => {
  const shared = SHARED === undefined ? null : join(SHARED, source.replaceAll('/', '-'))
  if (shared !== null && existsSync(shared)) return programIn(shared)
  const home = await mkdtemp(join(SHARED ?? tmpdir(), 'portico-processes-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  await bundle(source, home)
  if (shared === null) return programIn(home)
  // If another process was first, its program is equal.
  await rename(home, shared).catch(() => {})
  return programIn(shared)
}

const programIn = (home: string): string => join(home, 'program.js')

const bundle = async (source: string, home: string): Promise<void> => {
  // It takes a second to load, and one of many processes needs it.
  const { build } = await import('tsup')
  const threads = Object.entries(THREADS).map(([name, file]) => [name, join(ROOT, file)])
  const entry = { program: join(ROOT, source), ...Object.fromEntries(threads) }
  await Promise.all([
    build({
      config: false,
      entry,
      outDir: home,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      noExternal: [BUNDLED],
      loader: TEXT_LOADERS,
      banner: { js: REQUIRE },
      silent: true,
    }),
    symlink(join(ROOT, 'node_modules'), join(home, 'node_modules')),
    writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module' })),
  ])
}

const made = new Map<string, Promise<string>>()

/**
 * A program as one file. Made once for all starts of a test file: to find and read hundreds of files takes longer than
 * all else in a start.
 */
export const bundleOf = (source: string): Promise<string> => {
  const file = made.get(source) ?? bundled(source)
  made.set(source, file)
  return file
}

/** The program of one process. */
export const program = (): Promise<string> => bundleOf('tests/apps/processes/program.ts')
