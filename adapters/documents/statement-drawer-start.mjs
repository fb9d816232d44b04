// Registers the loader: the oldest supported Node cannot start a thread on a TypeScript file.
if (!('Deno' in globalThis)) (await import('tsx/esm/api')).register()
await import('./statement-drawer.ts')
