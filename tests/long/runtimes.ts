import { homedir } from 'node:os'
import { join } from 'node:path'
import { documentedPrograms } from '../package/documents.ts'
import { commandIn, deno, exec, type Packed, packed, type Runtime } from '../package/packed.ts'
import { awayFromPrivate, contracts, onSqlite } from '../package/programs.ts'

const CACHE = join(homedir(), '.cache/portico-runtimes')

export interface Trial {
  readonly runtime: string
  readonly program: string
  readonly result: 'passed' | 'failed' | 'skipped'
  readonly why: string
}

/** A runtime that is there, or why it is not. */
type Found = { readonly runtime: Runtime; readonly version: string } | { readonly why: string }

interface Wanted {
  readonly name: string
  find(): Promise<Found>
}

const linesOf = (error: unknown): readonly string[] => {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  return text.trim().split('\n')
}

const lastLine = (error: unknown): string => linesOf(error).at(-1) ?? ''

/** Matches the error of a program, before its stack. */
const whyOf = (error: unknown): string =>
  linesOf(error).find((line) => /^\S*(Error|error)\b/.test(line)) ?? lastLine(error)

/** Matches the error message of npm, without its code and log path. */
const wordsOfNpm = (error: unknown): string => {
  const said = linesOf(error).filter((line) => /^npm error (?!code |A complete log)/.test(line))
  return said[0] ?? lastLine(error)
}

const versioned = async (runtime: Runtime): Promise<Found> => {
  const { stdout } = await exec(runtime[0], ['--version'])
  return { runtime, version: stdout.trim().split('\n')[0] ?? '' }
}

/** A package of npm whose program is a runtime. */
const installed = (name: string, at: string, ...args: readonly string[]) => ({
  name: `${name} ${at}`.trim(),
  find: (): Promise<Found> =>
    commandIn(join(CACHE, `${name}-${at || 'latest'}`), name, at === '' ? name : `${name}@${at}`)
      .then((command) => versioned([command, ...args]))
      .catch((error) => ({ why: wordsOfNpm(error) })),
})

const RUNTIMES: readonly Wanted[] = [
  installed('node', '20'),
  installed('node', '22'),
  installed('node', '24'),
  installed('node', '26'),
  { name: 'deno', find: () => versioned(deno).catch((error) => ({ why: lastLine(error) })) },
  installed('bun', '', 'run'),
]

const tried = async (pack: Packed, { name, find }: Wanted): Promise<readonly Trial[]> => {
  const found = await find()
  const programs = [...documentedPrograms(), onSqlite, awayFromPrivate, contracts]
  return Promise.all(
    programs.map(async ({ name: program, text, prints }): Promise<Trial> => {
      if ('why' in found) return { runtime: name, program, result: 'skipped', why: found.why }
      const runtime = `${name} (${found.version})`
      try {
        const printed = await pack.run(found.runtime, text)
        const isRight = printed === prints
        return { runtime, program, result: isRight ? 'passed' : 'failed', why: isRight ? '' : `printed ${printed}` }
      } catch (error) {
        return { runtime, program, result: 'failed', why: whyOf(error) }
      }
    }),
  )
}

/** The packed tarball on every runtime that it is made for: those that cannot be had are skipped, and say why. */
export const runtimes = async (): Promise<readonly Trial[]> => {
  const pack = await packed()
  try {
    await pack.install('fast-check')
    const trials: Trial[] = []
    for (const each of RUNTIMES) trials.push(...(await tried(pack, each)))
    return trials
  } finally {
    await pack.remove()
  }
}

/** The trials as a table, and how many came to what. */
export const tableOf = (trials: readonly Trial[]): { readonly table: readonly string[]; readonly count: string } => {
  const lines = trials.map(({ runtime, program, result, why }) => [runtime, program, result, why])
  const widths = [0, 1, 2].map((column) => Math.max(0, ...lines.map((line) => line[column]?.length ?? 0)))
  const padded = (line: readonly string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0))
  const count = (result: Trial['result']) => `${trials.filter((trial) => trial.result === result).length} ${result}`
  return {
    table: lines.map((line) => padded(line).join('  ').trimEnd()),
    count: [count('passed'), count('failed'), count('skipped')].join(', '),
  }
}
