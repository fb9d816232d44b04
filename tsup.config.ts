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
  // What the types say is checked where all of it is: here they are only written down.
  dts: { entry: doors, compilerOptions: { noCheck: true } },
  splitting: true,
  clean: true,
  silent: true,
  external: [/^node:/],
})
