import { defineConfig } from 'tsup'

const doors = {
  core: 'core/mod.ts',
  'adapters/memory': 'adapters/memory/mod.ts',
  'adapters/mongodb': 'adapters/mongodb/mod.ts',
  'adapters/sqlite': 'adapters/sqlite/mod.ts',
}

/** The core and each adapter that embedders use are doors of their own. */
export default defineConfig({
  // The reader is no door: the store starts it as a thread, from the file beside its own.
  entry: { ...doors, 'adapters/reader': 'adapters/sqlite/reader/reader.ts' },
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  dts: { entry: doors },
  splitting: true,
  clean: true,
  silent: true,
  external: [/^node:/],
})
