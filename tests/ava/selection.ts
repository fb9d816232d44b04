import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../root.ts'

/** The markers that a test file may begin with, each on a line of its own: the file itself says where it runs. */
const MARKERS = {
  /**
   * Kills processes at random, waits for real time, loads the machine, measures time, or takes too long for `npm test`.
   */
  long: '// Runs in test:long only.',
  /**
   * Waits for processes of its own or the machine's clock, or has much to do: shares its process with no other file.
   */
  alone: '// Runs alone.',
  /** Races for money: `npm test` runs it on MongoDB too. */
  mongodb: '// Also runs on MongoDB.',
  /** Runs on MongoDB in the long run. */
  longMongodb: '// Also runs on MongoDB, in test:long.',
} as const

type Marker = keyof typeof MARKERS

const headOf = (file: string): readonly string[] => {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  return end < 0 ? lines : lines.slice(0, end)
}

const markersOf = (file: string): readonly string[] => headOf(file).filter((line) => /^\/\/ (Also r|R)uns /.test(line))

const isMarked = (file: string, marker: Marker): boolean => markersOf(file).includes(MARKERS[marker])

export const testFiles = (): readonly string[] =>
  readdirSync(join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('tests', file))
    .sort()

export const marked = (marker: Marker): readonly string[] => testFiles().filter((file) => isMarked(file, marker))

/** Reports whether a file must not share its process. */
export const runsAlone = (file: string): boolean => isMarked(file, 'alone')

/** A step of `npm run check`. */
const CHECKED = 'tests/tidy.test.ts'

/** Returns the test files of `npm test`. */
export const usualTests = (): readonly string[] =>
  testFiles().filter((file) => file !== CHECKED && !isMarked(file, 'long'))

const IMPORT = /^(?:import|export) (?:[^'=]* from )?'([^']+)'/gm
const CHANCE = /size\.ts$|^fast-check$/

const usesChance = (file: string, known: Set<string>): boolean => {
  if (known.has(file) || !file.startsWith(join(ROOT, 'tests')) || !existsSync(file)) return false
  known.add(file)
  const names = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, name = '']) => name)
  return names.some(
    (name) => CHANCE.test(name) || (name.startsWith('.') && usesChance(join(dirname(file), name), known)),
  )
}

/** Returns the test files of `npm test` that draw at random or have a full size: the long run repeats them in full. */
export const testsInFull = (): readonly string[] =>
  usualTests().filter((file) => usesChance(join(ROOT, file), new Set()))

/** Returns markers that are misspelt or contradict each other, by file. */
export const wrongMarkers = (): readonly string[] => {
  const known = new Set<string>(Object.values(MARKERS))
  return testFiles().flatMap((file) => {
    const lines = markersOf(file)
    const isTwice = lines.includes(MARKERS.mongodb) && lines.includes(MARKERS.longMongodb)
    return [...lines.filter((line) => !known.has(line)), ...(isTwice ? ['both markers of MongoDB'] : [])].map(
      (line) => `${file}: ${line}`,
    )
  })
}
