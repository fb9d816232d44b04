import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../root.ts'

export const exec = promisify(execFile)

const PROGRAM_MS = 120_000

/** The driver of SQLite on Node 20. */
export const SQLITE = '@photostructure/sqlite'

/** The command that runs a program, without its file. */
export type Runtime = readonly [command: string, ...args: readonly string[]]

export const thisNode: Runtime = [process.execPath]
export const deno: Runtime = [
  join(ROOT, 'node_modules/.bin/deno'),
  'run',
  '--quiet',
  '--allow-all',
  '--node-modules-dir=manual',
]

export const npx = (...args: readonly string[]) => exec('npx', ['--no-install', ...args], { cwd: ROOT })

const INSTALL_MS = 180_000

/** Returns the command of a package of npm, which is installed into a folder of its own unless it is there. */
export const commandIn = async (folder: string, name: string, wanted: string, ...flags: readonly string[]) => {
  const command = join(folder, 'node_modules/.bin', name)
  const isThere = await exec(command, ['--version']).catch(() => null)
  if (isThere) return command
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const options = ['--no-audit', '--no-fund', ...flags, '--prefix', folder]
  // Far from the project's `node_modules/.bin`, where a `node` would run every script of npm.
  await exec('npm', ['install', ...options, wanted], { cwd: tmpdir(), timeout: INSTALL_MS })
  return command
}

const BYTES_PER_MB = 1_000_000

/** Returns the size of an installation, and its packages with install scripts. */
const weightOf = async (home: string) => {
  const modules = join(home, 'node_modules')
  const lock = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>
  }
  const files = await readdir(modules, { recursive: true, withFileTypes: true })
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)))
  const bytes = (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
  return {
    packages: Object.keys(lock.packages).length,
    megabytes: bytes / BYTES_PER_MB,
    scripts: Object.entries(lock.packages).flatMap(([path, { hasInstallScript }]) => (hasInstallScript ? [path] : [])),
  }
}

/** Returns the command of the package in a folder. */
export const porticoIn = (folder: string): readonly [string, ...string[]] => [join(folder, 'node_modules/.bin/portico')]

const runStep = (step: 'build' | 'write-types') => exec(process.execPath, [`apps/packaging/${step}.mjs`], { cwd: ROOT })

const packedInto = async (folder: string): Promise<string> => {
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await exec('npm', packing, { cwd: ROOT })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  return join(folder, filename)
}

/** Makes a folder of programs that contains the package. */
const homeIn = async (top: string) => {
  const home = join(top, 'with-sqlite')
  await mkdir(home)
  await writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module' }))
  let programs = 0
  return {
    home,
    /** Runs a program in its own folder and returns its output. Rejects if it fails. */
    async run([command, ...args]: Runtime, program: string): Promise<string> {
      programs += 1
      const folder = join(home, `program-${programs}`)
      await mkdir(folder)
      await writeFile(join(folder, 'program.mjs'), program)
      return (await exec(command, [...args, 'program.mjs'], { cwd: folder, timeout: PROGRAM_MS })).stdout
    },
    remove: () => rm(top, { recursive: true, force: true }),
  }
}

export type Embedded = Awaited<ReturnType<typeof homeIn>>

const aFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'portico-package-'))

/**
 * Builds and packs the package, and unpacks it into an empty folder beside its dependencies, so that importing any
 * other package fails. Uses no registry, and writes no types.
 */
export const laidOut = async (): Promise<Embedded> => {
  const top = await aFolder()
  await runStep('build')
  const [tarball, embedded] = [await packedInto(top), await homeIn(top)]
  const modules = join(embedded.home, 'node_modules')
  await mkdir(join(modules, 'portico'), { recursive: true })
  await exec('tar', ['-xzf', tarball, '-C', join(modules, 'portico'), '--strip-components=1'])
  const { dependencies, bin } = JSON.parse(await readFile(join(modules, 'portico/package.json'), 'utf8'))
  for (const name of [...Object.keys(dependencies), SQLITE]) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  }
  await mkdir(join(modules, '.bin'))
  await chmod(join(modules, 'portico', bin.portico), 0o755)
  await symlink(join('../portico', bin.portico), join(modules, '.bin/portico'))
  return embedded
}

/** Builds and packs the package, and installs the tarball into an empty folder. */
export const packed = async () => {
  const top = await aFolder()
  await runStep('build')
  await runStep('write-types')
  const [tarball, embedded] = [await packedInto(top), await homeIn(top)]
  const { home } = embedded
  const add = (what: string) =>
    exec('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', what], { cwd: home })
  await add(tarball)
  const inMemory = await weightOf(home)
  const bare = join(top, 'bare')
  await cp(join(home, 'node_modules'), join(bare, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const install = (name: string) => add(`${name}@${devDependencies[name]}`)
  await install(SQLITE)
  const onSqlite = await weightOf(home)
  /** `bare` is a folder with the package alone; `onSqlite` is with the driver of SQLite, if the runtime has none. */
  return { ...embedded, tarball, bare, inMemory, onSqlite, install }
}

export type Packed = Awaited<ReturnType<typeof packed>>
