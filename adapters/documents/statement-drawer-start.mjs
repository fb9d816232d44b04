// The oldest supported Node starts no thread on TypeScript, with or without a loader: this file brings the loader in.
if (!('Deno' in globalThis)) (await import('tsx/esm/api')).register()
await import('./statement-drawer.ts')
