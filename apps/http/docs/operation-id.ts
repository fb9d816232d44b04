import type { AnyRow } from '../rows/row.ts'

const wordsOf = (path: string): readonly string[] => path.split(/[/_.-]/).filter((word) => /^[a-z]\w*$/.test(word))

/** Words in camel case: what generated clients call a method. */
export const camelCase = (words: string): string =>
  words.replace(/[^\dA-Za-z]+(.)?/g, (_, first: string | undefined) => first?.toUpperCase() ?? '')

/**
 * The id of an operation: its row's name in camel case; under another path with the words that tell it from the first
 * (`chargesIssueBilling`), by another method with that (`usersUpdatePatch`).
 */
export const operationIdOf = (
  { name, paths: [first = ''], methods: [usual] }: AnyRow,
  path: string,
  method: string,
) => {
  const known = new Set([...wordsOf(first), ...name.split(/[.-]/)])
  const others = wordsOf(path).filter((word) => !known.has(word))
  return camelCase(
    [
      name,
      ...(path === first ? [] : [(others.length > 0 ? others : wordsOf(path)).join('-')]),
      ...(method === usual ? [] : [method.toLowerCase()]),
    ].join('.'),
  )
}
