import type { AnyRow } from '../../../apps/http/rows/row.ts'
import type { AnyCollection, Rec } from '../../../core/kernel/records/record.ts'
import type { Answer, Sent } from '../payments/test-api.ts'

/** A test app of either business. */
interface Api {
  ask(method: string, path: string, sent?: Sent): Promise<Pick<Answer, 'status' | 'text'>>
  every<R extends Rec>(from: Pick<AnyCollection, 'name'>): Promise<readonly R[]>
}

type Rooms = Readonly<Record<string, object>>

const collectionsIn = (room: object): readonly AnyCollection[] =>
  'collections' in room ? (room.collections as readonly AnyCollection[]) : []

const VERBS = ['create', 'list', 'show', 'update', 'remove'] as const

/** Returns the resources with all verbs: their collections, and the rows that create and update. */
const plainOf = (rooms: Rooms, rows: readonly AnyRow[]) =>
  Object.entries(rooms).flatMap(([room, module]) => {
    const collections = collectionsIn(module)
    const [create, , , update] = VERBS.map((verb) => rows.find(({ name }) => name === `${room}.${verb}`))
    return collections.length > 0 &&
      create &&
      update &&
      VERBS.every((verb) => rows.some(({ name }) => name === `${room}.${verb}`))
      ? [{ collections, create, update }]
      : []
  })

const sends = async (api: Api, token: string, method: string, path: string, row: AnyRow): Promise<void> => {
  const { status, text } = await api.ask(method, path, { token, body: row.example.request?.body })
  if (status >= 300) throw new Error(`${row.name}: ${status} ${text}`)
}

/** Creates one of each plain resource without records, from the example of its row. */
export const makesPlain = async (api: Api, token: string, rooms: Rooms, rows: readonly AnyRow[]): Promise<void> => {
  for (const { collections, create } of plainOf(rooms, rows)) {
    const held = await Promise.all(collections.map((each) => api.every(each)))
    if (held.every((records) => records.length === 0)) await sends(api, token, 'POST', create.paths[0] ?? '', create)
  }
}

type Held = Readonly<Record<string, readonly Rec[]>>

/** Updates one of each plain resource whose records are unchanged, from the example of its row. */
export const changesPlain = async (
  api: Api,
  token: string,
  rooms: Rooms,
  rows: readonly AnyRow[],
  before: Held,
): Promise<void> => {
  for (const { collections, update } of plainOf(rooms, rows)) {
    const [first] = collections
    const then = before[first?.name ?? '']
    if (!first || !then || then.length === 0) continue
    const now = await api.every(first)
    const texts = new Set(now.map((record) => JSON.stringify(record)))
    if (then.some((record) => !texts.has(JSON.stringify(record)))) continue
    const path = (update.paths[0] ?? '').replace(
      ':id',
      `${now.find((each) => !('removedAt' in each && each.removedAt))?.id}`,
    )
    await sends(api, token, 'PUT', path, update)
  }
}
