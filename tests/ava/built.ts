import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Options } from 'tsup'
import { ROOT } from '../root.ts'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const URL_HERE = 'sourceUrl'
const FOLDER_HERE = 'sourceFolder'
const FILE_HERE = 'sourceFile'

/** Whatever a file asks of its own place is answered with where its source is: fixtures and programs are found from there. */
const atTheSource: Plugin = {
  name: 'at-the-source',
  setup: (building) =>
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta')) return { loader: 'ts', contents: text }
      const places = { [URL_HERE]: pathToFileURL(path).href, [FOLDER_HERE]: dirname(path), [FILE_HERE]: path }
      const constants = Object.entries(places).map(([name, place]) => `const ${name} = ${JSON.stringify(place)};`)
      return { loader: 'ts', contents: `${constants.join('')}${text}` }
    }),
}

/** Builds test files, each in the place of its source below a folder, and what they share once. */
export const built = async (files: readonly string[], outDir: string): Promise<void> => {
  await build({
    config: false,
    entry: Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), join(ROOT, file)])),
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    splitting: true,
    sourcemap: true,
    skipNodeModulesBundle: true,
    define: { 'import.meta.url': URL_HERE, 'import.meta.dirname': FOLDER_HERE, 'import.meta.filename': FILE_HERE },
    esbuildPlugins: [atTheSource],
    esbuildOptions: (options) => {
      // The package promises embedders that no file of it does anything by being imported: a test file does.
      options.ignoreAnnotations = true
    },
    silent: true,
  })
}
