import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** The code blocks of a document, in order. */
export const blocksOf = (document: string): readonly Block[] => {
  let heading = ''
  const blocks: Block[] = []
  for (const [, title, language, text = '', output] of readFileSync(join(ROOT, document), 'utf8').matchAll(FENCED)) {
    if (title !== undefined) heading = title
    else blocks.push({ document, heading, language: language ?? '', text, output: output ?? null })
  }
  return blocks
}

/** All code blocks of all documents. */
export const allBlocks = (): readonly Block[] => DOCUMENTS.flatMap(blocksOf)
