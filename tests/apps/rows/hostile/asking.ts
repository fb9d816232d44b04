import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import type { RowsApi } from '../api-under-test.ts'
import type { Leaf } from '../fields.ts'
import { askAt, type Otherwise, placeOf } from '../places.ts'
import type { RowsSuite } from '../suite.ts'
import type { Reply } from '../wire.ts'

type Fields = Readonly<Record<string, unknown>>

const MOST_SHOWN = 2_000

/** What was answered, and, for whoever reads a failure, what was sent and came back. */
interface Asked extends Reply {
  readonly exchange: string
}

/** Whether a failure is one that the row names itself. */
export const isOwnCode = ({ errors = {} }: AnyRow, code: unknown): boolean => Object.hasOwn(errors, `${code}`)

/**
 * Asks a row again and again, each time with another value of a field; where it refuses by a code of its own, once more of
 * what is made anew: what can be done once was done by an earlier value.
 */
export const askingOf = async <A extends RowsApi>(
  { prepare, anew, wording }: RowsSuite<A>,
  api: A,
  row: AnyRow,
): Promise<(leaf: Leaf, other: (body: Fields) => { readonly body: Fields } | Otherwise) => Promise<Asked>> => {
  const place = placeOf(row)
  let sent = await prepare(api, place)
  return async (leaf, other) => {
    const ask = async (): Promise<Asked> => {
      const otherwise = other(anew(row, sent.body, leaf.name))
      const reply =
        'body' in otherwise
          ? await askAt(api, place, { ...sent, ...otherwise })
          : await askAt(api, place, sent, otherwise)
      return {
        ...reply,
        exchange: `${JSON.stringify(otherwise)} => ${reply.status} ${reply.text}`.slice(0, MOST_SHOWN),
      }
    }
    const reply = await ask()
    if (!isOwnCode(row, wording.codeIn(reply.body))) return reply
    sent = await prepare(api, place)
    return ask()
  }
}
