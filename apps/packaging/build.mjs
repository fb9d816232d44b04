// Builds `dist` if a source is newer: in `npm ci`, and in a checkout before each program.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DIST = join(ROOT, 'dist')
/** Its time is that of the sources at the beginning of the build. */
const STAMP = 'start.js'

/** The sources of the build. npm writes the last one whenever it changes a package. */
const SOURCES = [
  'core',
  'adapters',
  'apps',
  'tests/contracts',
  'tsup.config.ts',
  'package.json',
  'node_modules/.package-lock.json',
]

const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

// The time of a folder changes when an entry is added or removed.
const newest = (path) =>
  Math.max(
    timeOf(path),
    ...(statSync(path, { throwIfNoEntry: false })?.isDirectory()
      ? readdirSync(path).map((name) => newest(join(path, name)))
      : []),
  )

const isStale = () => {
  const built = timeOf(join(DIST, STAMP))
  return SOURCES.some((source) => newest(join(ROOT, source)) > built)
}

/** The generated part of `portico/client`, which sources import. */
const CLIENT = join(ROOT, 'build/openapi')
const CLIENT_FILES = ['payments.ts', 'payments-facts.ts', 'real-estate.ts', 'real-estate-facts.ts']

const isClientStale = () => {
  const written = Math.min(...CLIENT_FILES.map((file) => timeOf(join(CLIENT, file))))
  return SOURCES.some((source) => newest(join(ROOT, source)) > written)
}

/** Generates the types of the client, if a source is newer than they are. Returns false if that fails. */
const generateClient = () => {
  if (!isClientStale()) return true
  const program = ['--import', join(ROOT, 'apps/packaging/sources.mjs'), join(ROOT, 'apps/packaging/client-types.ts')]
  return spawnSync(process.execPath, program, { cwd: ROOT, stdio: ['ignore', 2, 2] }).status === 0
}

/** Returns the path of tsup; null if it is not installed, as in production. */
const builder = () => {
  try {
    return join(createRequire(import.meta.url).resolve('tsup/package.json'), '../dist/cli-default.js')
  } catch {
    return null
  }
}

/** Builds beside `dist`, which may be in use, then replaces it. */
const build = (program) => {
  const begun = new Date()
  if (!generateClient()) return false
  const made = join(ROOT, 'build', `dist-${process.pid}`)
  const old = join(ROOT, 'build', `old-${process.pid}`)
  const { status } = spawnSync(process.execPath, [program, '--out-dir', made], { cwd: ROOT, stdio: ['ignore', 2, 2] })
  if (status !== 0) return false
  utimesSync(join(made, STAMP), begun, begun)
  if (existsSync(DIST)) renameSync(DIST, old)
  // A simultaneous build that was first has the same result.
  try {
    renameSync(made, DIST)
  } catch {
    rmSync(made, { recursive: true, force: true })
  }
  rmSync(old, { recursive: true, force: true })
  return true
}

/** Builds if a source is newer; returns false if that fails. Without a builder the last build is used. */
export const buildIfStale = () => {
  const program = builder()
  if (program === null || !isStale()) return true
  mkdirSync(join(ROOT, 'build'), { recursive: true })
  return build(program)
}

// For `npm run check:types`: the sources import the generated types.
if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--types-only') && !generateClient())
  process.exitCode = 1
