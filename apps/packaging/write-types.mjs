// Writes the types of the package, a file for each source, and keeps those that its entry points reach.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TYPES = join(ROOT, 'dist/types')
/** `from './charge.ts'`, `import('./charge.ts')`. */
const RELATIVE = /(\bfrom |\bimport\(|\bimport )(['"])(\.[^'"]+)\.ts\2/g

/**
 * `import("fp-ts/lib/Either")`: the compiler leaves out the ending, which programs with the resolution of Node need.
 */
const FP_TS = /(['"])(fp-ts\/lib\/\w+)\1/g

const require = createRequire(import.meta.url)
const { exports } = require('../../package.json')

/** Declarations import `.ts` files; the package contains them as `.js` and `.d.ts`. */
const written = new Set()
const keep = (file) => {
  if (written.has(file)) return
  written.add(file)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(RELATIVE, '$1$2$3.js$2').replace(FP_TS, '$1$2.js$1'))
  for (const [, , , path] of text.matchAll(RELATIVE)) keep(resolve(dirname(file), `${path}.d.ts`))
}

rmSync(TYPES, { recursive: true, force: true })
const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', '.types.json'], { cwd: ROOT, stdio: 'inherit' })
if (status !== 0) process.exitCode = 1
else {
  for (const { types } of Object.values(exports)) if (types !== undefined) keep(join(ROOT, types))
  for (const path of readdirSync(TYPES, { recursive: true })) {
    const file = join(TYPES, path)
    if (file.endsWith('.d.ts') && !written.has(file)) rmSync(file)
  }
}
