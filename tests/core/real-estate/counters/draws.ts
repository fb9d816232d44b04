import { seededRandom } from '../../../../adapters/crypto/random.ts'
import type { Collection } from '../../../../core/kernel/records/collection.ts'
import type { Rec } from '../../../../core/kernel/records/record.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import type { Store } from '../../../../core/ports/store.ts'
import { cnpjOf } from '../../../simulation/actors/people.ts'

type Removable = Rec & { readonly id: string; readonly removedAt: string | null }

const isAny = (): boolean => true
const UNKNOWN_ID = '00000000-0000-4000-8000-999999999999'

/** Random numbers and records of a store, from a seed. */
export const drawsOf = (seed: number, store: Pick<Store, 'scan'>) => {
  const random = seededRandom(seed)
  let named = 0
  const every = async <R extends Removable>(from: Collection<R>): Promise<readonly R[]> => {
    const found: R[] = []
    for await (const each of store.scan(from, always)) if (each.removedAt === null) found.push(each)
    return found
  }
  const below = (count: number): number => new DataView(random.bytes(4).buffer).getUint32(0, true) % count
  const oneOf = <const A>(of: readonly A[]): A => of[below(of.length)] as A
  const recordIn = async <R extends Removable, N>(from: Collection<R>, none: N, is: (record: R) => boolean = isAny) => {
    const found = (await every(from)).filter(is)
    return found.length === 0 ? none : (found[below(found.length)] as R)
  }
  const idIn = async <R extends Removable>(from: Collection<R>, is?: (record: R) => boolean): Promise<string> =>
    (await recordIn(from, { id: UNKNOWN_ID }, is)).id
  const name = (): string => {
    named += 1
    return `n${named}`
  }
  return {
    /** All records that are not removed. */
    every,
    oneOf,
    /** One of the records that match; `none` if there is none. */
    recordIn,
    /** The id of a record, or an unknown id. */
    idIn,
    maybeIn: async <R extends Removable>(from: Collection<R>) => (below(3) === 0 ? null : idIn(from)),
    /** A new text. */
    name,
    cnpj: () => cnpjOf(below(1_000_000)),
  }
}

export type Draws = ReturnType<typeof drawsOf>
