import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { freePort } from '../../listening.ts'

const START_MS = 20_000

interface Kind {
  readonly replSet?: boolean
  readonly initiate?: boolean
}

/** Starts a server that can be killed and started again on the same port and data. */
export const startMongod = async ({ replSet = true, initiate = replSet }: Kind = {}) => {
  const dbPath = await mkdtemp(join(tmpdir(), 'portico-mongod-'))
  const port = await freePort()
  let ended: Promise<unknown> = Promise.resolve()
  let end = (): void => {}

  const start = async (): Promise<void> => {
    const args = ['--port', `${port}`, '--dbpath', dbPath, '--bind_ip', '127.0.0.1']
    if (replSet) args.push('--replSet', 'rs0')
    const child = spawn(process.env.MONGOMS_SYSTEM_BINARY ?? 'mongod', args, { stdio: 'ignore' })
    ended = new Promise((resolve) => child.once('close', resolve))
    end = () => child.kill('SIGKILL')
    await withAdmin(port, async (client) => {
      const admin = client.db('admin')
      if (!initiate) return
      const members = [{ _id: 0, host: `127.0.0.1:${port}` }]
      await admin.command({ replSetInitiate: { _id: 'rs0', members } }).catch(unlessInitiated)
      while (!(await admin.command({ hello: 1 })).isWritablePrimary)
        await new Promise((resolve) => setTimeout(resolve, 20))
    })
  }
  /** Ends the process at once, as in a crash. */
  const kill = async (): Promise<void> => {
    end()
    await ended
  }
  await start()
  return {
    port,
    /** Returns a URL of a database, for a direct connection. */
    url: (database: string) => `mongodb://127.0.0.1:${port}/${database}?directConnection=true`,
    kill,
    start,
    remove: async (): Promise<void> => {
      await kill()
      await rm(dbPath, { recursive: true, force: true })
    },
  }
}

export type Mongod = Awaited<ReturnType<typeof startMongod>>

const ALREADY_INITIALIZED = 23
const unlessInitiated = (error: unknown): void => {
  if (!(error instanceof Error && 'code' in error && error.code === ALREADY_INITIALIZED)) throw error
}

/** Runs the work when the server listens. */
export const withAdmin = async <T>(port: number, work: (client: MongoClient) => Promise<T>): Promise<T> => {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: START_MS,
    heartbeatFrequencyMS: 500,
  })
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.close()
  }
}
