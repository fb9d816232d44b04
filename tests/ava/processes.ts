import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'

/** A process of AVA, and the test files that it runs. */
export interface Process {
  /** What is built for it: `tests/tidy.test`, or `group-1.test` where it runs several. */
  readonly name: string
  readonly files: readonly string[]
}

/**
 * These wait for processes of their own, for the clock of the machine, or have much to do: nobody shares a process with
 * them, and they start before the others, the longest first.
 */
const LONG: readonly string[] = [
  'tests/apps/releases/next/mongodb.test.ts',
  'tests/apps/crash/sqlite.test.ts',
  'tests/apps/releases/next/sqlite.test.ts',
  'tests/apps/mongodb/faults.test.ts',
  'tests/simulation/simulation.test.ts',
  'tests/apps/crash/mongodb.test.ts',
  'tests/package/package.test.ts',
  'tests/apps/host/stop.test.ts',
  'tests/apps/mongodb/processes.test.ts',
  'tests/apps/host/leaks.test.ts',
  'tests/apps/host/start.test.ts',
  'tests/apps/mongodb/hot-account.test.ts',
  'tests/adapters/mongodb/outages.test.ts',
  'tests/adapters/sqlite/crash.test.ts',
  'tests/apps/rows/slow.test.ts',
  'tests/apps/rows/hostile-requests.test.ts',
  'tests/apps/rows/hostile-values.test.ts',
  'tests/apps/rows/tenants.test.ts',
  'tests/apps/rows/auth.test.ts',
]

/** How much source a process takes that runs several files: what they do is about as much as what they say. */
const BYTES_TOGETHER = 120_000

const alone = (file: string): Process => ({ name: file.replace(/\.ts$/, ''), files: [file] })

/** The processes that run these files, in the order in which they start. */
export const processesOf = (files: readonly string[], isTogether: boolean): readonly Process[] => {
  const known = new Set(files)
  const long = LONG.filter((file) => known.has(file))
  const others = files.filter((file) => !long.includes(file))
  return [...long.map(alone), ...(isTogether ? groupsOf(others) : others.map(alone))]
}

const bytesOf = (file: string): number => statSync(join(ROOT, file)).size

/** Neighbours stay together: they need the same of what is tested. */
const groupsOf = (files: readonly string[]): readonly Process[] => {
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
  return groups.map((group, index) =>
    group.length === 1 ? alone(group[0] ?? '') : { name: `group-${index + 1}.test`, files: group },
  )
}
