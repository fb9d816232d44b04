import { type Failure, refusal } from '../../../core/failure.ts'
import { type Either, left, right } from '../../../core/fp.ts'

/** Levels of objects and lists in a body. */
export const MAX_JSON_DEPTH = 64

/** Reports whether recursion through a parsed value cannot exhaust the stack. */
export const isShallow = (value: unknown, levels = MAX_JSON_DEPTH): boolean => {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1))
}

/** A body that is no JSON, with the reason in words for its sender. */
export const malformedJson = (reason: string | null): Either<Failure<'json.malformed', never>, never> =>
  left(refusal('json.malformed', reason))

/** The object that a text of JSON is. Fails: `json.malformed`, with the position of the first character that is wrong. */
export const parseJson = (text: string): Either<Failure<'json.malformed', never>, object> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformedJson(`O erro está na ${placeOf(text, faultIn(text))}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return malformedJson('O corpo deve ser um objeto')
  }
  return isShallow(value) ? right(value) : malformedJson('O corpo tem níveis de aninhamento demais')
}

const placeOf = (text: string, at: number): string => {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  const column = [...(lines.at(-1) ?? '')].length + 1
  return `linha ${lines.length}, coluna ${column}`
}

// The engine's own messages name a position for some faults only, and differ between releases of Node.
const BLANK = /[ \t\n\r]*/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y

/** The end of a match of a sticky pattern, or the place itself. */
const past = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** The token that may follow; `end` closes an object or a list. */
type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end'

/** The position at which a text ceases to be JSON: its length if it only breaks off. */
const faultIn = (text: string): number => {
  const open: string[] = []
  let next: Next = 'value'
  let at = past(BLANK, text, 0)
  for (; at < text.length; at = past(BLANK, text, at)) {
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
      const end = takesValue ? past(SCALAR, text, at) : at
      if (end === at) return at
      next = 'comma or end'
      at = end
    }
  }
  return at
}

/** The end of a string, or the first character of it that is wrong. */
const stringAt = (text: string, start: number): { readonly end: number; readonly isWhole: boolean } => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return { end: at + 1, isWhole: true }
    if (text.charCodeAt(at) < FIRST_VISIBLE) return { end: at, isWhole: false }
    if (text[at] !== '\\') continue
    const end = past(ESCAPE, text, at)
    if (end === at) return { end: at, isWhole: false }
    at = end - 1
  }
  return { end: text.length, isWhole: false }
}

const FIRST_VISIBLE = 0x20
