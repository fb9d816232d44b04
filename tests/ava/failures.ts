import type { Process } from './processes.ts'

/** Test files, each with what failed in it, in AVA's words. */
export type Failures = ReadonlyMap<string, readonly string[]>

/** As AVA shows where a test file is. */
export const shownAs = (file: string): string =>
  file
    .replace(/^tests\//, '')
    .replace(/\.test\.ts$/, '')
    .replaceAll('/', ' › ')

const FAILED = /^✘ \[(?:fail|unexpected pass)\]: (.*)$|^✘ (.* hook for .*)$/
/** These name the process, and no test. */
const BROKEN = /^(?:✘|Uncaught exception|Unhandled rejection|Failed to exit|\d+ tests? (?:was|were) pending)/

/** Returns how many parts of the path of a file the title begins with. AVA omits the common prefix of a run. */
const match = (title: string, file: string): number => {
  const parts = shownAs(file).split(' › ')
  for (let from = 0; from < parts.length; from += 1)
    if (` › ${title}`.includes(` › ${parts.slice(from).join(' › ')} › `)) return parts.length - from
  return 0
}

const filesOf = (title: string, files: readonly string[]): readonly string[] => {
  if (files.length === 1) return files
  const matches = files.map((file) => ({ file, parts: match(title, file) }))
  const most = Math.max(1, ...matches.map(({ parts }) => parts))
  return matches.filter(({ parts }) => parts === most).map(({ file }) => file)
}

/** Reads the failures from the output of AVA. A failed process counts for each of its files. */
export const failuresIn = (printed: string, processes: readonly Process[]): Failures => {
  const failures = new Map<string, string[]>()
  const add = (file: string, what: string) => failures.set(file, [...(failures.get(file) ?? []), what])
  const all = processes.flatMap(({ files }) => files)
  for (const line of printed.split('\n').map((each) => each.trim())) {
    const [, title, hook] = FAILED.exec(line) ?? []
    const named = title ?? hook
    if (named !== undefined) for (const file of filesOf(named, all)) add(file, named)
    else if (BROKEN.test(line))
      for (const { name, files } of processes)
        if (line.includes(`/${name}.js`)) for (const file of files) add(file, line)
  }
  return failures
}
