import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'
import { built } from './built.ts'

const TEST = /\.test\.ts$/

/** All test files, from the project's folder. */
export const testFiles = (): readonly string[] =>
  readdirSync(join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' })
    .filter((file) => TEST.test(file))
    .map((file) => join('tests', file))
    .sort()

interface Options extends Pick<SpawnOptions, 'env' | 'stdio'> {
  /** AVA's own. */
  readonly flags?: readonly string[]
}

/**
 * Builds these test files and starts AVA over them: to find and compile hundreds of sources in each of its processes takes
 * longer than most tests. What is built is of this run alone, and goes with it.
 */
export const startAva = async (files: readonly string[], { flags = [], ...options }: Options = {}) => {
  const home = `build/${process.pid}`
  process.once('exit', () => rmSync(join(ROOT, home), { recursive: true, force: true }))
  await built(files, home)
  const args = [join(ROOT, 'node_modules/ava/entrypoints/cli.mjs'), ...flags, `${home}/**`]
  const ava = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', ...options })
  // This process ends after it, so that it can clear what was built.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ava.kill(signal))
  return ava
}

/** What a process exits with. */
export const exitCode = (child: ChildProcess): Promise<number> =>
  new Promise((done) => child.on('close', (code) => done(code ?? 1)))

const isWithin =
  (file: string) =>
  (place: string): boolean =>
    file === place || file.startsWith(`${place.replace(/\/$/, '')}/`)

/** Runs what a command line asks for: files and folders of `tests/` choose, all of it where there are none; the rest is AVA's. */
export const runAva = async (asked: readonly string[], env = process.env): Promise<number> => {
  const places = asked.filter((each) => each.startsWith('tests/'))
  const unknown = places.filter((place) => !existsSync(join(ROOT, place)))
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(' and no ')}`)
  const files = testFiles().filter((file) => places.length === 0 || places.some(isWithin(file)))
  const flags = asked.filter((each) => !places.includes(each))
  return exitCode(await startAva(files, { flags, env }))
}
