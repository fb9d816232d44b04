import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Options } from 'tsup'
import { TEXT_LOADERS } from '../../apps/packaging/text-loaders.ts'
import { ROOT } from '../root.ts'
import { shownAs } from './failures.ts'
import type { Process } from './processes.ts'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const URL_HERE = 'sourceUrl'
const FOLDER_HERE = 'sourceFolder'
const FILE_HERE = 'sourceFile'

/**
 * The threads of the product, which start from the build: to load their sources in each takes longer than most tests.
 */
const THREADS = {
  reader: 'adapters/sqlite/reader/reader.ts',
  'statement-drawer': 'adapters/documents/statement-drawer.ts',
}
const THREAD_ENTRY = /\bthreadEntry\(import\.meta\.url\b/g

const TEXT_SCRIPT = '.text.js' satisfies keyof typeof TEXT_LOADERS

/**
 * Answers what else a file asks of its own place with the place of its source: fixtures and programs are found from
 * there.
 */
const atTheSource = (outDir: string): Plugin => ({
  name: 'at-the-source',
  setup: (building) =>
    building.onLoad({ filter: /\.(ts|m?js)$/ }, ({ path }) => {
      if (path.endsWith(TEXT_SCRIPT)) return
      const beside = JSON.stringify(pathToFileURL(join(ROOT, outDir, 'threads.js')).href)
      const text = readFileSync(path, 'utf8').replaceAll(THREAD_ENTRY, `threadEntry(${beside}`)
      const loader = path.endsWith('.ts') ? 'ts' : 'js'
      if (!text.includes('import.meta')) return { loader, contents: text }
      const places = { [URL_HERE]: pathToFileURL(path).href, [FOLDER_HERE]: dirname(path), [FILE_HERE]: path }
      const constants = Object.entries(places).map(([name, place]) => `const ${name} = ${JSON.stringify(place)};`)
      return { loader, contents: `${constants.join('')}${text}` }
    }),
})

/** Packages with binaries or files of their own, and large ones that few tests need. All others are built in. */
const LEFT_OUT = [
  ...'@firestore-emulator @google-cloud @photostructure @redocly ava dejavu-fonts-ttf esbuild firebase'.split(' '),
  ...'medici mongodb-memory-server mupdf openapi-typescript playwright-core tsup typescript zxing-wasm'.split(' '),
]
const BUILT_IN = new RegExp(`^(?!${LEFT_OUT.join('|')})[@\\w]`)

/** Defines `require` for CommonJS packages. */
const REQUIRE = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"

const AVA = /^ava$/
const ENTER = /^enter:/
const TEST_IN_TURN = join(ROOT, 'tests/ava/test-in-turn.ts')

/** Replaces the import of AVA by the module that keeps the files of a process apart. */
const inTurn: Plugin = {
  name: 'in-turn',
  setup(building) {
    building.onResolve({ filter: AVA }, ({ importer }) =>
      importer === TEST_IN_TURN ? { path: 'ava', external: true } : { path: TEST_IN_TURN },
    )
    building.onResolve({ filter: ENTER }, ({ path }) => ({ path, namespace: 'enter' }))
    building.onLoad({ filter: ENTER, namespace: 'enter' }, ({ path }) => ({
      contents: `import { enter } from ${JSON.stringify(TEST_IN_TURN)}; enter(${JSON.stringify(path.replace(ENTER, ''))})`,
      resolveDir: ROOT,
    }))
  },
}

/** A file that brings in all of those that share a process. */
const together = async (files: readonly string[], path: string): Promise<string> => {
  const lines = files.flatMap((file) => [`enter:${shownAs(file)}`, join(ROOT, file)])
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, lines.map((line) => `import ${JSON.stringify(line)}\n`).join(''))
  return path
}

/** Builds what each process runs, below a folder, and what they share once. */
export const built = async (processes: readonly Process[], outDir: string, sourcemap: boolean): Promise<void> => {
  const entries = processes.map(async ({ name, files }) => {
    const [first = '', ...others] = files
    const path = others.length === 0 ? join(ROOT, first) : await together(files, join(ROOT, outDir, `${name}.ts`))
    return [name, path] as const
  })
  await build({
    config: false,
    entry: { ...THREADS, ...Object.fromEntries(await Promise.all(entries)) },
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    splitting: true,
    sourcemap,
    skipNodeModulesBundle: true,
    noExternal: [AVA, ENTER, BUILT_IN],
    loader: TEXT_LOADERS,
    banner: { js: REQUIRE },
    define: { 'import.meta.url': URL_HERE, 'import.meta.dirname': FOLDER_HERE, 'import.meta.filename': FILE_HERE },
    esbuildPlugins: [atTheSource(outDir), inTurn],
    esbuildOptions: (options) => {
      // The package promises embedders that no file of it does anything by being imported: a test file does.
      options.ignoreAnnotations = true
    },
    silent: true,
  })
}
