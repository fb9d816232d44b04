import { MongoMemoryReplSet } from 'mongodb-memory-server'
import { type MongoStore, mongoStore } from '../../../adapters/mongodb/mod.ts'
import { stop } from '../../adapters/mongodb/stop.ts'
import { benchCollections } from '../records.ts'
import { type Raw, rawDriver } from './raw.ts'

/** A server with nothing on it. */
export interface Stage {
  /** A database of its own, as the store of this project. */
  store(): Promise<MongoStore>
  /** A database of its own, through the driver alone. */
  raw(): Promise<Raw>
  /** The URL of another one. */
  url(): string
}

/** Does something with a replica set of one member that is started for it. */
export const onReplicaSet = async <A>(act: (stage: Stage) => Promise<A>): Promise<A> => {
  const server = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
  const open: { close(): Promise<unknown> }[] = []
  let databases = 0
  const url = (): string => {
    databases += 1
    return server.getUri(`bench${databases}`)
  }
  const kept = <T extends { close(): Promise<unknown> }>(one: T): T => {
    open.push(one)
    return one
  }
  try {
    return await act({
      store: async () => kept(await mongoStore(url(), benchCollections)),
      raw: async () => kept(await rawDriver(url())),
      url,
    })
  } finally {
    for (const one of open) await one.close()
    await stop(server)
  }
}
