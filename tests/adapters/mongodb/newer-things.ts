import { writeSync } from 'node:fs'
import { type MongoOptions, mongoStore } from '../../../adapters/mongodb/mod.ts'
import {
  type AnyCollection,
  all,
  always,
  eq,
  fieldCodecs,
  insert,
  orNull,
  patch,
  type Rec,
  record,
  t,
} from '../../../core/kernel/records/record.ts'
import { byId, StoreUnavailable } from '../../../core/ports/store.ts'
import { thing, thingCollections, things } from '../../fixtures/things.ts'

const newerCodec = record({ ...(fieldCodecs(things.codec) as t.Props), shelf: orNull(t.string) })

export const shelfOf = (id: unknown): string => `s${Number(id) % 3}`

/** Things as a later release keeps them: with a field more that is filled, and another meaning of what is live. */
export const newerThings: AnyCollection = {
  ...things,
  codec: newerCodec as AnyCollection['codec'],
  conditions: { ...things.conditions, live: all(eq('removedAt', null), eq('active', null)) },
  indexes: [...(things.indexes ?? []).slice(1), { eq: 'shelf', sort: 'name' }],
  tallies: [...(things.tallies ?? []).slice(1), { by: ['shelf'], sum: ['valueCents'] }],
  upgrades: { shelf: ({ id }: Rec) => shelfOf(id) },
}

export const newerCollections: readonly AnyCollection[] = [newerThings, ...thingCollections.slice(1)]

/** So short that no test waits for them. */
export const QUICK = { renewMs: 50, voidMs: 1_000 } as const

export const quick = (more: MongoOptions = {}): MongoOptions => ({
  lease: QUICK,
  report: () => {},
  superseded: () => {},
  ...more,
})

/**
 * A process of its own: `older` writes and says each number that was acknowledged, until it is told that it was
 * overtaken; `newer` fills what there is.
 */
const main = async ([url = '', release = '']: readonly string[]): Promise<void> => {
  const say = (line: string): void => void writeSync(1, `${line}\n`)
  const superseded = (line: string): void => {
    say(line)
    process.exit(1)
  }
  const collections = release === 'older' ? thingCollections : newerCollections
  const store = await mongoStore(url, collections, quick({ superseded }))
  say('open')
  if (release !== 'older') return store.close()
  for (let number = 1; ; number += 1) {
    const id = (number % 50) + 1
    try {
      const change = (await store.find(byId(things, id)))
        ? patch(things, id, { add: { valueCents: 1 }, when: always })
        : insert(things, thing(id, { valueCents: 1 }))
      if ((await store.commit([change, insert(things, thing(1_000 + number, { valueCents: 1 }))])).ok) say(`${number}`)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      // Or nothing else would have its turn.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2))
