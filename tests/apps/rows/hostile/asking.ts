import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import type { RowsApi } from '../api-under-test.ts'
import type { Leaf } from '../fields.ts'
import { askAt, type Otherwise, placeOf } from '../places.ts'
import type { RowsSuite } from '../suite.ts'
import type { Reply } from '../wire.ts'

type Fields = Readonly<Record<string, unknown>>

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
): Promise<(leaf: Leaf, other: (body: Fields) => { readonly body: Fields } | Otherwise) => Promise<Reply>> => {
  const place = placeOf(row)
  let sent = await prepare(api, place)
  return async (leaf, other) => {
    const ask = () => {
      const otherwise = other(anew(row, sent.body, leaf.name))
      return 'body' in otherwise ? askAt(api, place, { ...sent, ...otherwise }) : askAt(api, place, sent, otherwise)
    }
    const reply = await ask()
    if (!isOwnCode(row, wording.codeIn(reply.body))) return reply
    sent = await prepare(api, place)
    return ask()
  }
}
