import { isBuiltin } from 'node:module'
import { basename } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { docsAssets, fontAssets, licences, panelAssets } from './apps/packaging/build-plugins.ts'
import { TEXT_LOADERS } from './apps/packaging/text-loaders.ts'
import packageJson from './package.json' with { type: 'json' }

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** Built files that are not entry points of the package: programs by name, and the threads that adapters start. */
const PROGRAMS = {
  start: 'apps/main.ts',
  demo: 'apps/demo/main.ts',
  'demo-real-estate': 'apps/demo-real-estate/main.ts',
  audit: 'apps/audit/main.ts',
  reconcile: 'apps/audit/reconcile.ts',
  'reset-second-factor': 'apps/audit/reset-second-factor.ts',
  backup: 'apps/backup/main.ts',
  restore: 'apps/backup/restore.ts',
  reader: 'adapters/sqlite/reader/reader.ts',
  'statement-drawer': 'adapters/documents/statement-drawer.ts',
}

/** The client also runs in browsers: it is built alone and shares no file with the code for Node. */
const CLIENT = 'client'

/**
 * The entry points of the package with the names of their built files; the path of the types gives that of the source.
 */
const entries: readonly (readonly [name: string, source: string])[] = Object.values(packageJson.exports).flatMap(
  (entry) =>
    typeof entry === 'string'
      ? []
      : [[basename(entry.default, '.js'), entry.types.replace(/^\.\/dist\/types\/(.*)\.d\.ts$/, '$1.ts')] as const],
)

/** Replaces `require` of built-in modules in bundled CommonJS packages: an ES module has no `require`. */
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

/**
 * Escapes characters beyond Latin-1. With one of them, V8 keeps the text of a whole file in two bytes a character for
 * as long as the process runs.
 */
const oneByteTexts: NonNullable<Options['plugins']>[number] = {
  name: 'one-byte-texts',
  renderChunk: (code) => ({
    code: code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  }),
}

const SHARED = { format: 'esm', target: 'es2023', silent: true } satisfies Options

/**
 * Entry points and programs are built together, so that shared modules exist once: an error class of the store is the
 * same from every entry point. Packages that are not dependencies are bundled.
 */
export default defineConfig([
  {
    ...SHARED,
    entry: { ...Object.fromEntries(entries.filter(([name]) => name !== CLIENT)), ...PROGRAMS },
    platform: 'node',
    splitting: true,
    loader: TEXT_LOADERS,
    removeNodeProtocol: false,
    // A peer for its types only. Copies of it share their state, and the metrics need it without the peer.
    noExternal: ['@opentelemetry/api'],
    plugins: [oneByteTexts],
    esbuildPlugins: [builtIns, licences, docsAssets, fontAssets, panelAssets],
  },
  {
    ...SHARED,
    entry: Object.fromEntries(entries.filter(([name]) => name === CLIENT)),
    platform: 'neutral',
    splitting: false,
  },
])
