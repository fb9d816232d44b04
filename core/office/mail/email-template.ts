import type { Block } from '../../ports/messaging.ts'

/** What a mail says, however it is shown. */
export interface EmailTemplate {
  readonly subject: string
  readonly blocks: readonly Block[]
}

export const text = (...lines: readonly string[]): Block => ({ kind: 'text', text: lines.join('\n') })
export const code = (digits: string): Block => ({ kind: 'code', code: digits })
export const copy = (label: string, content: string): Block => ({ kind: 'copy', label, text: content })
export const link = (label: string, url: string): Block => ({ kind: 'link', label, url })
export const facts = (...shown: readonly (readonly [name: string, value: string])[]): Block => ({
  kind: 'facts',
  facts: shown,
})

const plain = (block: Block): string => {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'code':
      return block.code
    case 'copy':
      return `${block.label}:\n${block.text}`
    case 'link':
      return `${block.label}:\n${block.url}`
    default:
      return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  }
}

/** A mail as plain text, for people and programs alike: codes and addresses stand alone on their lines. */
export const plainText = ({ blocks }: EmailTemplate): string => blocks.map(plain).join('\n\n')
