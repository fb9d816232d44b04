import { join, relative } from 'node:path'
import ts from 'typescript'
import { documentedPrograms } from '../package/documents.ts'
import { ROOT } from '../root.ts'
import { facadeErrors } from './facade-types.ts'

// `npm run check:types`: checks all sources outside the core, which `check:core` checks, the programs of the documents and the
// types of the facade with one compiler: each program of its own would read and bind the sources again.

/** The entry points of the package that the programs of the documents import, as sources. */
const paths = {
  portico: ['./core/mod.ts'],
  'portico/adapters/*': ['./adapters/*/mod.ts'],
  'portico/client': ['./apps/client/mod.ts'],
  'portico/contracts': ['./tests/contracts/mod.ts'],
  'portico/fake-bank': ['./adapters/bank/fake/mod.ts'],
  'portico/http': ['./apps/mod.ts'],
}

/** The programs of the documents by the paths of files that do not exist, and one that must have an error. */
const placeOf = (name: string): string => join(ROOT, 'build', 'programs', `${name}.ts`)
const WRONG = placeOf('wrong')
const programs = new Map([
  ...documentedPrograms().map(({ text }, at): [string, string] => [placeOf(`${at}`), text]),
  [WRONG, `import { unwrap } from 'portico'\nunwrap(1)\n`],
])

const fail = (message: string): never => {
  throw new Error(message)
}

const textOf = ({ messageText }: ts.Diagnostic): string => ts.flattenDiagnosticMessageText(messageText, '\n')

const configuration = () => {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (each: ts.Diagnostic) => fail(textOf(each)) }
  const tsBuildInfoFile = join(ROOT, 'node_modules/.cache/tsc/check.tsbuildinfo')
  const parsed = ts.getParsedCommandLineOfConfigFile(join(ROOT, 'tsconfig.json'), { tsBuildInfoFile }, host)
  return parsed ?? fail('tsconfig.json cannot be read')
}

const compile = () => {
  const { fileNames, options, errors } = configuration()
  const system: ts.System = {
    ...ts.sys,
    readFile: (path, encoding) => programs.get(path) ?? ts.sys.readFile(path, encoding),
    fileExists: (path) => programs.has(path) || ts.sys.fileExists(path),
  }
  const all = { ...options, paths, baseUrl: ROOT, declaration: true }
  return ts.createIncrementalProgram({
    rootNames: [...fileNames, ...programs.keys()],
    options: all,
    configFileParsingDiagnostics: errors,
    host: ts.createIncrementalCompilerHost(all, system),
  })
}

const compiled = compile()
const isOfCore = ({ fileName }: ts.SourceFile): boolean => fileName.startsWith(join(ROOT, 'core/'))
// Checks what has changed since the last run.
while (compiled.getSemanticDiagnosticsOfNextAffectedFile(undefined, isOfCore));
/** The sources of the package, whose declarations it contains. */
const isPublished = ({ fileName }: ts.SourceFile): boolean =>
  /^(adapters|apps|tests\/contracts)\//.test(relative(ROOT, fileName)) && fileName.endsWith('.ts')
const found = [
  ...compiled.getConfigFileParsingDiagnostics(),
  ...compiled.getOptionsDiagnostics(),
  ...compiled.getGlobalDiagnostics(),
  ...compiled
    .getSourceFiles()
    .filter(isPublished)
    .flatMap((file) => compiled.getDeclarationDiagnostics(file)),
  ...compiled
    .getSourceFiles()
    .filter((file) => !isOfCore(file))
    .flatMap((file) => [...compiled.getSyntacticDiagnostics(file), ...compiled.getSemanticDiagnostics(file)]),
]
// Writes the file by which the next run checks only what has changed.
compiled.emit()

const isOf = (path: string) => (each: ts.Diagnostic) => each.file?.fileName === path
const isUnused = ({ file, reportsUnnecessary }: ts.Diagnostic): boolean =>
  reportsUnnecessary !== undefined && programs.has(file?.fileName ?? '')
const expected = found.filter(isOf(WRONG)).map(textOf)
const errors = found.filter((each) => !isOf(WRONG)(each) && !isUnused(each))
const format = { getCanonicalFileName: (name: string) => name, getCurrentDirectory: () => ROOT, getNewLine: () => '\n' }
const lines = [
  ...(errors.length > 0 ? [ts.formatDiagnostics(errors, format).trimEnd()] : []),
  ...(expected.some((text) => text.includes("'number' is not assignable")) ? [] : ['a program with an error has none']),
  ...facadeErrors(compiled.getProgram()),
]
for (const line of lines) console.error(line)
process.exitCode = lines.length > 0 ? 1 : 0
