import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { ROOT } from '../root.ts'
import { FULL_TESTS, LONG_TESTS } from './long-tests.ts'
import { testFiles, usualTests } from './run.ts'

test('every test file runs in npm test or in test:long, and none in both but those that have more to do in full', (t) => {
  const runs = [...usualTests(), ...LONG_TESTS, 'tests/tidy.test.ts']
  t.deepEqual([...runs].sort(), [...testFiles()])
  t.deepEqual(
    FULL_TESTS.filter((file) => !usualTests().includes(file)),
    [],
  )
})

const IMPORT = /^(?:import|export) (?:[^'=]* from )?'([^']+)'/gm
const CHANCE = /size\.ts$|^fast-check$/

const asksForChance = (file: string, known = new Set<string>()): boolean => {
  if (known.has(file) || !file.startsWith(join(ROOT, 'tests')) || !existsSync(file)) return false
  known.add(file)
  const names = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, name = '']) => name)
  return names.some(
    (name) => CHANCE.test(name) || (name.startsWith('.') && asksForChance(join(dirname(file), name), known)),
  )
}

test('what draws by chance, or has a size in full, runs in test:long', (t) => {
  const drawing = testFiles().filter((file) => asksForChance(join(ROOT, file)))
  t.deepEqual(
    drawing.filter((file) => !LONG_TESTS.includes(file)),
    [...FULL_TESTS].sort(),
  )
})
