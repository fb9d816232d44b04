import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentedPrograms } from '../package/documents.ts'
import { ROOT } from '../root.ts'
import { facadeErrors } from './facade-types.ts'

// `npm run check:types`: checks all sources, the programs of the documents and the types of the facade. The native
// compiler (`npm run tsc`) has no interface to programs yet: the facade is read with the compiler written in
// JavaScript.

/** The entry points of the package that the programs of the documents import, as sources. */
const paths = {
  portico: ['../../core/mod.ts'],
  'portico/adapters/*': ['../../adapters/*/mod.ts'],
  'portico/client': ['../../apps/client/mod.ts'],
  'portico/contracts': ['../../tests/contracts/mod.ts'],
  'portico/fake-bank': ['../../adapters/bank/fake/mod.ts'],
  'portico/http': ['../../apps/mod.ts'],
}

const FOLDER = 'build/programs'

/** A program with an error, to see that programs are checked. */
const WRONG = { name: 'wrong', text: `import { unwrap } from 'portico'\nunwrap(1)\n` }

/** Writes the programs of the documents, and a configuration for all sources and them. */
const writePrograms = (): void => {
  const folder = join(ROOT, FOLDER)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const programs = [...documentedPrograms().map(({ text }, at) => ({ name: `${at}`, text })), WRONG]
  for (const { name, text } of programs) writeFileSync(join(folder, `${name}.ts`), text)
  const configuration = {
    extends: '../../tsconfig.json',
    compilerOptions: { declaration: true, paths, tsBuildInfoFile: '../../node_modules/.cache/tsc/check.tsbuildinfo' },
    include: ['.', ...['core', 'adapters', 'apps', 'tests', 'tsup.config.ts'].map((each) => `../../${each}`)],
    exclude: ['core/globals.d.ts', 'apps/*/browser', 'apps/*/panel/browser'].map((each) => `../../${each}`),
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
}

/** Returns what the compiler prints: a line for each error, with indented lines for its reasons. */
const compiled = (): readonly string[] => {
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc')
  const args = [compiler, '--pretty', 'false', '-p', FOLDER]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  return `${stdout}${stderr}`.split(/\n(?! )/).filter((line) => line !== '')
}

/** Something that a program of a document declares and does not use. */
const isUnused = (line: string): boolean => line.startsWith(FOLDER) && /error TS6(133|192|196|198):/.test(line)
/** A declaration that cannot be written of a source that the package does not contain. */
const isUnpublished = (line: string): boolean => /^tests\/(?!contracts\/).*: error TS4\d{3}:/.test(line)
const isExpected = (line: string): boolean => line.startsWith(`${FOLDER}/${WRONG.name}.ts`)

writePrograms()
const found = compiled()
const lines = [
  ...found.filter((line) => !isUnused(line) && !isUnpublished(line) && !isExpected(line)),
  ...(found.some((line) => isExpected(line) && line.includes("'number' is not assignable"))
    ? []
    : ['a program with an error has none']),
  ...facadeErrors(),
]
for (const line of lines) console.error(line)
process.exitCode = lines.length > 0 ? 1 : 0
