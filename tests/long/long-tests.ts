import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { testFiles } from '../ava/run.ts'
import { ROOT } from '../root.ts'

const IMPORT = /^(?:import|export)\b[^']*'(\.[^']+\.ts)'/gm
const ASKS = 'PORTICO_FULL'

const withinTests = (file: string): boolean => file.startsWith(join(ROOT, 'tests'))

/** A test file and all of `tests/` that it runs on. */
const reachOf = (file: string, known = new Set<string>()): ReadonlySet<string> => {
  // What a test writes down, a program, may import what the test makes.
  if (known.has(file) || !withinTests(file) || !existsSync(file)) return known
  known.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) reachOf(join(dirname(file), path), known)
  return known
}

/** The test files that have more to do when they are run in full: they, or what they run on, ask whether they are. */
export const longTests = (): readonly string[] =>
  testFiles().filter((file) => [...reachOf(join(ROOT, file))].some((each) => readFileSync(each, 'utf8').includes(ASKS)))
