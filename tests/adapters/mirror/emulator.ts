import { createServer } from 'node:net'
import { FirestoreServer } from '@firestore-emulator/server'
import { Firestore } from '@google-cloud/firestore'
import type { ExecutionContext } from 'ava'
import { firestoreMirror, type OpenMirror } from '../../../adapters/mirror/firestore-mirror.ts'

export const PROJECT = 'aurora'
const PATIENCE_MS = 10_000
const LOOK_MS = 20

/** A port that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })

/** A database that stands in for Google's, started anew at a port. */
export const emulatorAt = async (t: Pick<ExecutionContext, 'teardown'>, port: number): Promise<void> => {
  const server = new FirestoreServer()
  await server.start(port)
  t.teardown(() => server.stop())
}

export const mirrorAt = (t: Pick<ExecutionContext, 'teardown'>, port: number, timeoutMs = 2_000): OpenMirror => {
  const mirror = firestoreMirror({ projectId: PROJECT, emulatorHost: `127.0.0.1:${port}`, timeoutMs })
  t.teardown(() => mirror.close())
  return mirror
}

/** An app that listens to somebody's unread notifications, the newest first, as the specification has it. */
export const unreadOf = (t: Pick<ExecutionContext, 'teardown'>, port: number, uid: string) => {
  const firestore = new Firestore({ projectId: PROJECT, host: `127.0.0.1:${port}`, ssl: false })
  let shown: readonly Readonly<Record<string, unknown>>[] = []
  const items = firestore.collection('notifications').doc(uid).collection('items')
  const stop = items
    .where('isRead', '==', false)
    .orderBy('createdAt', 'desc')
    .onSnapshot((snapshot) => {
      shown = snapshot.docs.map((doc) => ({ id: doc.id, ...doc.data() }))
    })
  t.teardown(async () => {
    stop()
    await firestore.terminate()
  })
  return {
    /** Resolves when it shows these ids; rejects with what it shows after 10 s. */
    async until(...ids: readonly string[]) {
      const isThere = () => shown.map(({ id }) => id).join() === ids.join()
      for (let waited = 0; waited < PATIENCE_MS && !isThere(); waited += LOOK_MS)
        await new Promise((done) => setTimeout(done, LOOK_MS))
      if (!isThere()) throw new Error(`it shows ${JSON.stringify(shown)}`)
      return shown
    },
    get: async (id: string) => (await items.doc(id).get()).data(),
  }
}
