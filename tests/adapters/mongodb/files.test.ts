import test from 'ava'
import { type MongoStore, mongoStore } from '../../../adapters/mongodb/mod.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { bytesIn, filesContract } from '../../contracts/files.ts'
import { claims } from '../../fixtures/things.ts'
import { contractTests } from '../contract-tests.ts'
import { onReplicaSet } from './replica-set.ts'

const LARGE = Buffer.alloc(600_000, 7)

onReplicaSet(test, (server) => {
  const opening = () => {
    const url = server.url()
    const opened: MongoStore[] = []
    return {
      url,
      open: async () => {
        const store = await mongoStore(url, [claims])
        opened.push(store)
        return store.files
      },
      close: async () => {
        for (const store of opened) await store.close()
      },
    }
  }

  const openFiles = async () => {
    const { open, close } = opening()
    return { files: await open(), second: open, close }
  }
  contractTests(test, 'mongodb', filesContract({ open: openFiles }))

  const withChunks = async () => {
    const { url, open, close } = opening()
    const db = await server.db(url)
    return { files: await open(), close, chunks: db.collection<{ _id: string }>('_file-chunks') }
  }

  test('mongodb files: no chunks remain of replaced, removed or incomplete versions', async (t) => {
    const { files, close, chunks } = await withChunks()
    t.teardown(close)
    await files.write('one', LARGE)
    t.is(await chunks.countDocuments(), 3)
    await files.write('one', Buffer.from('x'))
    t.is(await chunks.countDocuments(), 1)
    // As left by a process that ended during a write.
    await chunks.insertOne({ _id: 'one/half-written/000000' })
    await chunks.insertOne({ _id: 'two/half-written/000000' })
    t.deepEqual(await bytesIn(await files.open('one')), Buffer.from('x'))
    t.is(await files.open('two'), null)
    await files.remove('one')
    await files.remove('two')
    t.is(await chunks.countDocuments(), 0)
  })

  test('mongodb files: a file that is removed during a read is an error, never a part of the file', async (t) => {
    const { files, close } = await withChunks()
    t.teardown(close)
    await files.write('one', LARGE)
    const chunks = await files.open('one')
    await files.remove('one')
    await t.throwsAsync(bytesIn(chunks), { instanceOf: StoreUnavailable })
  })

  test('mongodb files: an unreachable database is StoreUnavailable', async (t) => {
    const { files, close } = await withChunks()
    await close()
    await t.throwsAsync(files.write('one', LARGE), { instanceOf: StoreUnavailable })
    await t.throwsAsync(files.open('one'), { instanceOf: StoreUnavailable })
    await t.throwsAsync(files.remove('one'), { instanceOf: StoreUnavailable })
  })
})
