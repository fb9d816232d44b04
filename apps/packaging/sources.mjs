// Runs programs from the sources: `node --import ./apps/packaging/sources.mjs PROGRAM`. Adds to tsx the imports of
// texts as strings (`text-loaders.ts`).
import * as nodeModule from 'node:module'
import 'tsx'
import { load } from './text-imports.mjs'

// Node 20 has no hooks in the thread of the program.
if (nodeModule.registerHooks) nodeModule.registerHooks({ load })
else nodeModule.register('./text-imports.mjs', import.meta.url)
