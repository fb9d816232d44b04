import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../root.ts'

/** The documents for readers of the repository; CHANGELOG is none of them. */
export const DOCUMENTS = ['README.md', 'core/README.md', 'apps/README.md', 'adapters/README.md', 'tests/README.md']

/** The first line of a block that adds or changes a file of the repository: its path. */
export const PLACE = /^(?:\/\/|#) (\S+)\n/

/** A fenced code block of a document. */
export interface Block {
  readonly document: string
  /** The heading above it. */
  readonly heading: string
  readonly language: string
  readonly text: string
  /** The `text` block that follows it at once: the output of the program. Null without one. */
  readonly output: string | null
}

const FENCED = /^#+ (.*)$|^ *```(\w*)\n([\s\S]*?)^ *```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm

export const blocksOf = (document: string): readonly Block[] => {
  let heading = ''
  const blocks: Block[] = []
  for (const [, title, language, text = '', output] of readFileSync(join(ROOT, document), 'utf8').matchAll(FENCED)) {
    if (title !== undefined) heading = title
    else blocks.push({ document, heading, language: language ?? '', text, output: output ?? null })
  }
  return blocks
}

export const allBlocks = (): readonly Block[] => DOCUMENTS.flatMap(blocksOf)

export interface Program {
  readonly name: string
  readonly text: string
  /** The text without types, if it has any. */
  readonly runs?: string
  readonly prints: string
}

/** The programs of the documents for embedders, each with its documented output. */
export const documentedPrograms = (): readonly Program[] =>
  allBlocks()
    .filter(({ language, text }) => ['js', 'ts'].includes(language) && !PLACE.test(text))
    .map(({ document, heading, text, output }) => {
      if (output === null) throw new Error(`${document}: the program under "${heading}" has no output`)
      return { name: `${document}: ${heading}`, text, runs: withoutTypes(text), prints: output }
    })

/** Returns a program without its types, which some runtimes do not accept. */
const withoutTypes = (text: string): string =>
  ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext } })
    .outputText
