import { isBuiltin } from 'node:module'
import { basename } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { docsAssets, fontAssets, licences, panelAssets } from './apps/packaging/build-plugins.ts'
import packageJson from './package.json' with { type: 'json' }

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** What is served or run, and is no door: programs by their names, and the threads that adapters start. */
const PROGRAMS = {
  start: 'apps/main.ts',
  demo: 'apps/demo/main.ts',
  'demo-real-estate': 'apps/demo-real-estate/main.ts',
  audit: 'apps/audit/main.ts',
  reconcile: 'apps/audit/reconcile.ts',
  backup: 'apps/backup/main.ts',
  restore: 'apps/backup/restore.ts',
  reader: 'adapters/sqlite/reader/reader.ts',
  'statement-drawer': 'adapters/documents/statement-drawer.ts',
}

/** Runs in browsers: it is built by itself, and shares no file with what runs in Node. */
const CLIENT = 'client'

/** The entry points of the package, by the name of the file that each is built into: types and sources lie alike. */
const entries: readonly (readonly [name: string, source: string])[] = Object.values(packageJson.exports).flatMap(
  (door) =>
    typeof door === 'string'
      ? []
      : [[basename(door.default, '.js'), door.types.replace(/^\.\/dist\/types\/(.*)\.d\.ts$/, '$1.ts')] as const],
)

/** CommonJS packages ask for what Node has built in, and a module has no `require` to ask with. */
const builtIns: Plugin = {
  name: 'built-ins',
  setup(building) {
    building.onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'built-in' } : undefined,
    )
    building.onLoad({ filter: /.*/, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

const SHARED = { format: 'esm', target: 'es2023', silent: true } satisfies Options

/**
 * Every door and program is a file of one folder, and so is what they share: a failure of the store is of one class,
 * whichever door it comes out of. Packages that are no dependencies go in.
 */
export default defineConfig([
  {
    ...SHARED,
    entry: { ...Object.fromEntries(entries.filter(([name]) => name !== CLIENT)), ...PROGRAMS },
    platform: 'node',
    splitting: true,
    removeNodeProtocol: false,
    // A peer by its types. Copies of it share their state, and the metrics require it where no peer is installed.
    noExternal: ['@opentelemetry/api'],
    esbuildPlugins: [builtIns, licences, docsAssets, fontAssets, panelAssets],
  },
  {
    ...SHARED,
    entry: Object.fromEntries(entries.filter(([name]) => name === CLIENT)),
    platform: 'neutral',
    splitting: false,
  },
])
