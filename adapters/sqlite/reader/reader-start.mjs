// The oldest supported Node cannot start a thread from TypeScript: this file registers the loader first.
if (!('Deno' in globalThis)) (await import('tsx/esm/api')).register()
await import('./reader.ts')
