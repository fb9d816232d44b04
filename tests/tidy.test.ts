import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import test from 'ava'
import ts from 'typescript'

// The rules of this project that no other tool knows.
const MAX_FILE_LINES = 400
const MAX_FUNCTION_LINES = 60
const MAX_FILES_A_FOLDER = 25
const TOP = new Set([
  'core',
  'adapters',
  'apps',
  'tests',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsup.config.ts',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
])
const VAGUE = /^(utils?|helpers?|common|manager|types|misc|index)$/

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
/** A document for engineers. Other Markdown is a text of the product, in Portuguese. */
const isDocument = (file: string): boolean => basename(file) === 'README.md'
const sources = files.filter((file) => /\.(tsx?|mjs|cjs)$/.test(file) && !file.startsWith('tests/fixtures/'))
const code = sources.filter((file) => /^(core|adapters|apps)\//.test(file))
/** The texts that code imports as strings. */
const texts = files.filter(
  (file) => /^(core|adapters|apps)\/.*\.(css|eta|md|text\.js)$/.test(file) && !isDocument(file),
)
const product = [...code, ...texts]

/** Returns the lines that hold code: blanks and comments do not count, so that reasons are not deleted. */
const codeLines = (source: ts.SourceFile): Set<number> => {
  const lines = new Set<number>()
  const visit = (node: ts.Node) => {
    if (node.getChildCount(source) === 0 && node.getWidth(source) > 0) {
      const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line
      const last = source.getLineAndCharacterOfPosition(node.getEnd()).line
      for (let line = first; line <= last; line += 1) lines.add(line)
    }
    for (const child of node.getChildren(source)) if (child.kind !== ts.SyntaxKind.JSDoc) visit(child)
  }
  visit(source)
  return lines
}

const linesOf = (node: ts.Node, source: ts.SourceFile): readonly [first: number, last: number] => [
  source.getLineAndCharacterOfPosition(node.getStart(source)).line,
  source.getLineAndCharacterOfPosition(node.getEnd()).line,
]

/** Reports whether a function spans more lines than its limit: only then can it have more lines of code. */
const hasLongSpan = (node: ts.Node, source: ts.SourceFile): boolean => {
  const [first, last] = linesOf(node, source)
  if (last - first < MAX_FUNCTION_LINES) return false
  return ts.isFunctionLike(node) || ts.forEachChild(node, (child) => hasLongSpan(child, source)) === true
}

/** Lists functions above the limit. The lines of an inner function count for that one only. */
const longFunctions = (file: string, source: ts.SourceFile, lines: Set<number>): string[] => {
  const long: string[] = []
  const visit = (node: ts.Node, outer: Set<number>) => {
    const own = ts.isFunctionLike(node) && 'body' in node && node.body ? new Set<number>() : null
    const [first, last] = own ? linesOf(node, source) : [0, 0]
    for (let line = first; own && line <= last; line += 1) {
      if (lines.has(line)) own.add(line)
      // Its first and last lines count for the outer function too.
      if (line > first && line < last) outer.delete(line)
    }
    ts.forEachChild(node, (child) => visit(child, own ?? outer))
    if (own && own.size > MAX_FUNCTION_LINES) {
      long.push(`${file}:${first + 1} has ${own.size} lines`)
    }
  }
  visit(source, new Set())
  return long
}

test('the top level holds only the planned folders and files', (t) => {
  const tops = new Set(files.map((file) => file.split('/')[0] ?? '').filter((name) => !name.startsWith('.')))
  t.deepEqual(
    [...tops].filter((name) => !TOP.has(name)),
    [],
  )
})

test('files have at most 400 lines of code, functions at most 60', (t) => {
  const long: string[] = []
  for (const file of code.filter((each) => /\.tsx?$/.test(each))) {
    const text = readFileSync(file, 'utf8')
    const lineCount = text.split('\n').length
    if (lineCount <= MAX_FUNCTION_LINES) continue
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    if (lineCount <= MAX_FILE_LINES && !hasLongSpan(source, source)) continue
    const lines = codeLines(source)
    if (lines.size > MAX_FILE_LINES) long.push(`${file} has ${lines.size} lines`)
    long.push(...longFunctions(file, source, lines))
  }
  t.deepEqual(long, [])
})

/** The formatter wraps code, but no comment. */
const MAX_COMMENT_WIDTH = 120
const COMMENT = /^\s*(\/\/|\/\*\*|\*)/

test('comments are at most 120 characters wide', (t) => {
  const wide = sources.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (line.length > MAX_COMMENT_WIDTH && COMMENT.test(line) ? [`${file}:${at + 1}`] : [])),
  )
  t.deepEqual(wide, [])
})

test('file names are kebab-case and specific', (t) => {
  const stems = [...sources, ...texts].map((file) => ({
    file,
    stem: basename(file, extname(file)).replace(/\.(test|d|config|fixture|text)$/, ''),
  }))
  t.deepEqual(
    stems
      .filter(({ file, stem }) => !file.startsWith('.') && (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem) || VAGUE.test(stem)))
      .map(({ file }) => file),
    [],
  )
})

test('a folder holds at most 25 files', (t) => {
  const counts = new Map<string, number>()
  for (const file of product) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  t.deepEqual(
    [...counts].filter(([, count]) => count > MAX_FILES_A_FOLDER),
    [],
  )
})

test('no folder of product code holds a single file', (t) => {
  const counts = new Map<string, number>()
  for (const file of product) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  t.deepEqual(
    [...counts].filter(([, count]) => count === 1).map(([folder]) => folder),
    [],
  )
})

/**
 * Folders whose sub-folders must not import each other in cycles. The kernel and the ports import each other's types.
 */
const ACYCLIC = ['core/payments', 'core/office', 'core/kernel', 'apps', 'apps/http', 'apps/payments', 'adapters']

/** Returns the imports between the sub-folders of a folder. */
const roomsIn = (folder: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const rooms = new Map<string, Set<string>>()
  const roomOf = (file: string) => file.startsWith(`${folder}/`) && file.slice(folder.length + 1).split('/')
  for (const file of code) {
    const [own = '', within] = roomOf(file) || []
    if (within === undefined) continue
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const [other = '', deep] = roomOf(join(dirname(file), path)) || []
      if (deep !== undefined && other !== own) rooms.set(own, (rooms.get(own) ?? new Set()).add(other))
    }
  }
  return rooms
}

/** Removes rooms that import no remaining room until none is left to remove: the rest is in a cycle, or imports one. */
const cyclicRooms = (rooms: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] => {
  const left = new Map(rooms)
  for (let size = -1; size !== left.size; ) {
    size = left.size
    for (const [room, needs] of left) if (![...needs].some((other) => left.has(other))) left.delete(room)
  }
  return [...left.keys()].sort()
}

test('sub-folders import each other without cycles', (t) => {
  t.deepEqual(
    cyclicRooms(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['a', 'c'])],
        ['d', new Set(['c'])],
      ]),
    ),
    ['a', 'b'],
  )
  for (const folder of ACYCLIC) t.deepEqual(cyclicRooms(roomsIn(folder)), [], folder)
})

test('no code is marked as unfinished, and no type error is silenced', (t) => {
  const marks = /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck)|\bas any\b|\bas unknown as\b/
  const left = code.filter((file) => marks.test(readFileSync(file, 'utf8')))
  t.deepEqual(left, [])
})

test('no test is skipped, and none runs exclusively', (t) => {
  const skipped = sources
    .filter((file) => file.endsWith('.test.ts') && file !== 'tests/tidy.test.ts')
    .filter((file) => /\btest(\.serial)?\.(skip|todo|failing|only)\b/.test(readFileSync(file, 'utf8')))
  t.deepEqual(skipped, [])
})

test('views of a business have different names, unless one shows the fields of the other', (t) => {
  const named = new Map<string, string[]>()
  for (const file of code.filter((each) => /^(core|apps)\/(payments|real-estate)\//.test(each))) {
    const business = file.split('/')[1]
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/\bview\(\s*'(\w+)',(?!\s*\w+\.table,)/g))
      named.set(`${business} ${name}`, [...(named.get(`${business} ${name}`) ?? []), file])
  }
  t.true(named.size > 100)
  t.deepEqual(
    [...named].filter(([, places]) => places.length > 1),
    [],
  )
})

/** Words and openings that are hard to read, each with its ceiling. */
const VAGUE_WORDS = { pattern: /\b(nobody|whoever|somebody|anybody)\b/gi, ceiling: 0 }
const FREE_RELATIVES = {
  pattern: /^[ \t]*(?:\/\*\*|\/\/|\*) ?(?:What|Whether|Who|Whom|Whose|Where|How|The same|That)\b/gm,
  ceiling: 1,
}

test('vague words and comments that open with a free relative stay within their ceilings', (t) => {
  const own = sources.filter((file) => /^(core|adapters|apps|tests)\//.test(file) && file !== 'tests/tidy.test.ts')
  const documents = files.filter(isDocument)
  const count = (pattern: RegExp, list: readonly string[]) =>
    list.reduce((sum, file) => sum + (readFileSync(file, 'utf8').match(pattern)?.length ?? 0), 0)
  t.true(count(VAGUE_WORDS.pattern, [...own, ...documents]) <= VAGUE_WORDS.ceiling)
  t.true(count(FREE_RELATIVES.pattern, own) <= FREE_RELATIVES.ceiling)
})
