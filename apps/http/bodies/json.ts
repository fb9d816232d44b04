import { type Either, type Failure, left, refusal, right } from '../../../core/failure.ts'

/** The limit of nested objects and lists in a body. */
export const MAX_JSON_DEPTH = 64

/** Reports whether recursion through a parsed value cannot exhaust the stack. */
export const isShallow = (value: unknown, levels = MAX_JSON_DEPTH): boolean => {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1))
}

export const malformedJson = (reason: string | null): Either<Failure<'json.malformed', never>, never> =>
  left(refusal('json.malformed', reason))

/** Parses a JSON object. Fails: `json.malformed`, with the position of the first wrong character. */
export const parseJson = (text: string): Either<Failure<'json.malformed', never>, object> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformedJson(`O erro está na ${positionOf(text, findFault(text))}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return malformedJson('O corpo deve ser um objeto')
  }
  return isShallow(value) ? right(value) : malformedJson('O corpo tem níveis de aninhamento demais')
}

const positionOf = (text: string, at: number): string => {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  const column = [...(lines.at(-1) ?? '')].length + 1
  return `linha ${lines.length}, coluna ${column}`
}

// The engine's own messages contain a position only for some faults, and differ between releases of Node.
const BLANK = /[ \t\n\r]*/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y
const FIRST_VISIBLE = 0x20

/** Returns the end of a match of a sticky pattern, or `at` without a match. */
const skip = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** The token that may follow; `end` closes an object or a list. */
type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end'

/** Returns the index of the first character that is not JSON; the length of the text if it is incomplete. */
const findFault = (text: string): number => {
  const open: string[] = []
  let next: Next = 'value'
  let at = skip(BLANK, text, 0)
  for (; at < text.length; at = skip(BLANK, text, at)) {
    const sign = text.charAt(at)
    const takesValue: boolean = next.startsWith('value')
    if (sign === '"' && (takesValue || next.startsWith('name'))) {
      const { end, isWhole } = stringAt(text, at)
      if (!isWhole) return end
      next = takesValue ? 'comma or end' : 'colon'
      at = end
    } else if (takesValue && (sign === '{' || sign === '[')) {
      open.push(sign === '{' ? '}' : ']')
      next = sign === '{' ? 'name or end' : 'value or end'
      at += 1
    } else if (next.endsWith('or end') && sign === open.at(-1)) {
      open.pop()
      next = 'comma or end'
      at += 1
    } else if (next === 'colon' && sign === ':') {
      next = 'value'
      at += 1
    } else if (next === 'comma or end' && sign === ',' && open.length > 0) {
      next = open.at(-1) === '}' ? 'name' : 'value'
      at += 1
    } else {
      const end = takesValue ? skip(SCALAR, text, at) : at
      if (end === at) return at
      next = 'comma or end'
      at = end
    }
  }
  return at
}

/** Returns the end of a string, or the index of its first wrong character. */
const stringAt = (text: string, start: number): { readonly end: number; readonly isWhole: boolean } => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return { end: at + 1, isWhole: true }
    if (text.charCodeAt(at) < FIRST_VISIBLE) return { end: at, isWhole: false }
    if (text[at] !== '\\') continue
    const end = skip(ESCAPE, text, at)
    if (end === at) return { end: at, isWhole: false }
    at = end - 1
  }
  return { end: text.length, isWhole: false }
}
