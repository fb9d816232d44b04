import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../root.ts'

export const exec = promisify(execFile)

const PROGRAM_MS = 120_000

/** What Node 20 needs for the store on SQLite. */
export const SQLITE = '@photostructure/sqlite'

/** What runs a program: the command that the program's file is added to. */
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

/** What an embedder has on disk. */
export interface Weight {
  readonly packages: number
  readonly megabytes: number
  /** The packages that run something while they are installed. */
  readonly scripts: readonly string[]
}

/** A program's folder with the packed tarball installed in it, as an embedder has it. */
export interface Packed {
  readonly home: string
  readonly tarball: string
  /** A folder beside it with nothing but the package, and what that is. */
  readonly bare: string
  readonly inMemory: Weight
  /** With what SQLite needs where the runtime has none. */
  readonly onSqlite: Weight
  /** What the program prints, run in a folder of its own. Rejects where it fails. */
  run(runtime: Runtime, program: string): Promise<string>
  /** Adds a package of ours, as an author of adapters does for the contracts. */
  install(name: string): Promise<unknown>
  remove(): Promise<void>
}

const BYTES_PER_MB = 1_000_000

const weightOf = async (home: string): Promise<Weight> => {
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

/** The program that a package of this folder brings. */
export const porticoIn = (folder: string): readonly [string, ...string[]] => [join(folder, 'node_modules/.bin/portico')]

/** Builds what is to be packed, packs it, and installs the tarball in an empty folder. */
export const packed = async (): Promise<Packed> => {
  const top = await mkdtemp(join(tmpdir(), 'portico-package-'))
  const [home, bare] = [join(top, 'with-sqlite'), join(top, 'bare')]
  await mkdir(home)
  for (const step of ['build', 'write-types'])
    await exec(process.execPath, [`apps/packaging/${step}.mjs`], { cwd: ROOT })
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', home]
  const { stdout } = await exec('npm', packing, { cwd: ROOT })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  await writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module' }))
  const add = (what: string) =>
    exec('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', what], { cwd: home })
  await add(join(home, filename))
  const inMemory = await weightOf(home)
  await cp(join(home, 'node_modules'), join(bare, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const install = (name: string) => add(`${name}@${devDependencies[name]}`)
  await install(SQLITE)
  let programs = 0
  return {
    home,
    tarball: join(home, filename),
    bare,
    inMemory,
    onSqlite: await weightOf(home),
    install,
    async run([command, ...args], program) {
      programs += 1
      const folder = join(home, `program-${programs}`)
      await mkdir(folder)
      await writeFile(join(folder, 'program.mjs'), program)
      return (await exec(command, [...args, 'program.mjs'], { cwd: folder, timeout: PROGRAM_MS })).stdout
    },
    remove: () => rm(top, { recursive: true, force: true }),
  }
}
