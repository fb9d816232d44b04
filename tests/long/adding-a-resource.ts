import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { exitCode } from '../ava/run.ts'
import { allBlocks, blocksOf, PLACE } from '../package/documents.ts'
import { ROOT } from '../root.ts'

/** A new file, or lines to add to one. */
interface Step {
  readonly kind: 'ts' | 'diff'
  readonly path: string
  readonly text: string
}

/** The steps of the documents that add a resource to both businesses, in order. */
const steps = (blocks = allBlocks()): readonly Step[] =>
  blocks.flatMap(({ language, text }) => {
    const path = PLACE.exec(text)?.[1]
    if ((language !== 'ts' && language !== 'diff') || path === undefined) return []
    return [{ kind: language, path, text: text.replace(PLACE, '') }]
  })

/** Returns the number of lines that the steps of a document add, blank ones aside. */
export const addedLines = (document: string): number =>
  steps(blocksOf(document)).flatMap(({ kind, text }) =>
    text.split('\n').filter((line) => (kind === 'ts' ? line.trim() !== '' : line.startsWith('+'))),
  ).length

/**
 * A file with the lines that a block adds to it: each stands below the line of the file that the block names before it.
 */
const added = (file: string, { path, text }: Step): string => {
  const lines = file.split('\n')
  let at = -1
  let indent = ''
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('+')) {
      at += 1
      lines.splice(at, 0, line === '+' ? '' : indent + line.slice(1))
    } else {
      const places = lines.flatMap((each, place) => (each.trim() === line.trim() ? [place] : []))
      const [place, ...others] = places
      if (place === undefined || others.length > 0) throw new Error(`${path} has ${places.length} times: ${line}`)
      at = place
      indent = /^ */.exec(lines[at] ?? '')?.[0] ?? ''
    }
  }
  return lines.join('\n')
}

/** All that belongs to the project, in a folder of its own. */
const copied = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'portico-resource-'))
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const file of listed.split('\n').filter((each) => each !== '')) cpSync(join(ROOT, file), join(home, file))
  execFileSync('git', ['init', '--quiet'], { cwd: home })
  for (const made of ['node_modules', 'dist']) symlinkSync(join(ROOT, made), join(home, made))
  // An ignored folder is not ignored as a symbolic link.
  writeFileSync(join(home, '.git/info/exclude'), 'node_modules\ndist\n')
  return home
}

/** The tests of `npm test`. */
const COMMANDS = [
  ['run', '-s', 'check'],
  ['run', '-s', 'ava'],
]

const run = (home: string, command: readonly string[]): Promise<number> => {
  const { PORTICO_FULL: _, PORTICO_SEED: __, ...usual } = process.env
  return exitCode(spawn('npm', command, { cwd: home, stdio: 'inherit', env: usual }))
}

/** A copy of the project with the resource added as the documents say. The caller removes its folder. */
const withTheResource = (): { readonly home: string; readonly all: readonly Step[] } => {
  const home = copied()
  const all = steps()
  for (const step of all) {
    const path = join(home, step.path)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, step.kind === 'ts' ? step.text : added(readFileSync(path, 'utf8'), step))
  }
  return { home, all }
}

/** Runs `npm run check` and all of AVA on a copy with the resource added. */
export const addingAResource = async (): Promise<{ readonly isGood: boolean; readonly count: string }> => {
  const { home, all } = withTheResource()
  try {
    const codes: number[] = []
    for (const each of COMMANDS) codes.push(await run(home, each))
    const lines = all.flatMap(({ text }) => text.split('\n').filter((line) => line !== '')).length
    return { isGood: all.length > 0 && codes.every((code) => code === 0), count: `${all.length} files, ${lines} lines` }
  } finally {
    rmSync(home, { recursive: true })
  }
}
