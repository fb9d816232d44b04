import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'
import { runsAlone } from './selection.ts'

/** A process of AVA, and the test files that it runs. */
export interface Process {
  /** The name of its build: `tests/tidy.test`, or `group-1.test` for several files. */
  readonly name: string
  readonly files: readonly string[]
}

const rowsOf = (app: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `tests/apps/${app}/rows/${name}.test.ts`)
const panelOf = (app: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `tests/apps/${app}/panel/${name}-seen.test.ts`)

/**
 * These have much to do, too, and take seconds to begin, but need the same of what is tested: a process for each of
 * these lists.
 */
const LONG_TOGETHER: readonly (readonly string[])[] = [
  // First what measures, before the memory is full of others' things.
  rowsOf('payments', ['growth', 'hostile-requests', 'hostile-values', 'slow']),
  rowsOf('payments', ['tenants', 'auth', 'success', 'invalid', 'replies-first', 'key-tokens']),
  rowsOf('real-estate', ['growth', 'hostile-requests', 'hostile-values', 'tenants', 'auth', 'success', 'invalid']),
  // These share a browser.
  panelOf('payments', ['receivables', 'panel', 'shifts', 'roles']),
  [
    ...panelOf('payments', ['security', 'money-and-settings']),
    ...panelOf('real-estate', ['board', 'sign-in']),
    'tests/apps/payments/checkout/pages-seen.test.ts',
    'tests/apps/payments/guides-seen.test.ts',
  ],
]

/** The most source of a process that runs several files: run time is roughly proportional. */
const BYTES_TOGETHER = 300_000

const alone = (file: string): Process => ({ name: file.replace(/\.ts$/, ''), files: [file] })

/** The processes that run these files, in the order in which they start. */
export const processesOf = (files: readonly string[], isTogether: boolean): readonly Process[] => {
  const known = new Set(files)
  const inLists = new Set(LONG_TOGETHER.flat())
  const long = files.filter((file) => runsAlone(file) && !inLists.has(file))
  const together = LONG_TOGETHER.map((list) => list.filter((file) => known.has(file)))
  const others = files.filter((file) => ![...long, ...together.flat()].includes(file))
  if (!isTogether) return [...long, ...together.flat(), ...others].map(alone)
  return [...processesFor('long', together), ...long.map(alone), ...processesFor('group', groupsOf(others))]
}

const bytesOf = (file: string): number => statSync(join(ROOT, file)).size

/** Neighbours stay together: they need the same of what is tested. */
const groupsOf = (files: readonly string[]): readonly (readonly string[])[] => {
  const groups: string[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const file of files) {
    const more = bytesOf(file)
    if (bytes + more > BYTES_TOGETHER) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(file)
    bytes += more
  }
  return groups
}

const processesFor = (name: string, lists: readonly (readonly string[])[]): readonly Process[] =>
  lists
    .filter((files) => files.length > 0)
    .map((files, index) => (files.length === 1 ? alone(files[0] ?? '') : { name: `${name}-${index + 1}.test`, files }))
