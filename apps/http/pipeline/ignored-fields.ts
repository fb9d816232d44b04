import type { Side } from '../../../core/kernel/input/field.ts'
import { type Fields, firstOwn, isObject, tableOn } from '../../../core/kernel/input/table.ts'
import type { AnyRow } from '../rows/row.ts'
import { bodyRuleOf, takesFields } from '../rows/row-defaults.ts'
import type { Step } from './stages.ts'

/** The header of an answer that names the fields of its request that no field of the route takes. */
export const IGNORED_FIELDS = 'X-Ignored-Fields'
const MAX_PATHS = 10
/** Longer names are cut: all paths together stay far below the limits of clients for headers. */
const MAX_NAME = 64
/** Names alone are sent back, and a name of so many digits may be a card number. */
const CARD_NUMBER = /(?:\p{Nd}\D{0,2}){12}/u

/** A name that is taken. */
interface Taken {
  /** The names that go before it: a field is read by the first of its names that was sent. */
  readonly before: readonly string[]
  /** The names within it; null if everything there is taken. */
  readonly inner: Known | null
}

type Known = ReadonlyMap<string, Taken>

const knownIn = (fields: Fields, side: Side): Known =>
  new Map(
    Object.entries(fields).flatMap(([name, { aliases, nested }]) => {
      const inner = nested && knownIn(tableOn(nested, side).fields, side)
      const names = [name, ...aliases]
      return names.map((each, index) => [each, { before: names.slice(0, index), inner }] as const)
    }),
  )

function* unknownIn(value: unknown, known: Known, path: readonly string[] = []): Generator<readonly string[]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* unknownIn(item, known, [...path, `${index}`])
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const taken = known.get(name)
      if (!taken || firstOwn(value, taken.before) !== undefined) yield [...path, name]
      else if (taken.inner !== null) yield* unknownIn(value[name], taken.inner, [...path, name])
    }
  }
}

// A dot within a name is no level, and a lone surrogate has no UTF-8.
const encoded = (name: string): string =>
  encodeURIComponent(name.slice(0, MAX_NAME).replace(/\p{Cs}/gu, '\ufffd')).replaceAll('.', '%2E')

/** Names the ignored fields of a body in the header of its answer, whatever the answer is; null for rows without fields. */
export const ignoredFieldsStep = (row: AnyRow, side: Side): Step | null => {
  if (!takesFields(bodyRuleOf(row))) return null
  const known = knownIn({ ...row.precondition?.fields, ...row.input.body?.fields }, side)
  return ({ ctx, body }) => {
    const paths: string[] = []
    for (const path of unknownIn(body, known)) {
      if (!path.some((name) => CARD_NUMBER.test(name))) paths.push(path.map(encoded).join('.'))
      if (paths.length === MAX_PATHS) break
    }
    if (paths.length > 0) ctx.set(IGNORED_FIELDS, paths.join(','))
    return null
  }
}
