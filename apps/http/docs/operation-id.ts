import type { AnyRow } from '../rows/row.ts'

const wordsOf = (path: string): readonly string[] => path.split(/[/_.-]/).filter((word) => /^[a-z]\w*$/.test(word))

/**
 * What programs call an operation: its row's name; under another path with the words that tell it from the first
 * (`charges.issue.billing`), by another method with that (`users.update.patch`).
 */
export const operationIdOf = (
  { name, paths: [first = ''], methods: [usual] }: AnyRow,
  path: string,
  method: string,
) => {
  const known = new Set([...wordsOf(first), ...name.split(/[.-]/)])
  const others = wordsOf(path).filter((word) => !known.has(word))
  return [
    name,
    ...(path === first ? [] : [(others.length > 0 ? others : wordsOf(path)).join('-')]),
    ...(method === usual ? [] : [method.toLowerCase()]),
  ].join('.')
}
