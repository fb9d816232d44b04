import { FirestoreServer } from '@firestore-emulator/server'
import { Firestore } from '@google-cloud/firestore'
import type { ExecutionContext } from 'ava'
import { firestoreMirror, type OpenMirror } from '../../../adapters/mirror/firestore-mirror.ts'

export const PROJECT = 'aurora'
const TIMEOUT_MS = 10_000
const POLL_MS = 20

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

/** Listens to the unread notifications of a user, newest first. */
export const unreadOf = (t: Pick<ExecutionContext, 'teardown'>, port: number, uid: string) => {
  const firestore = new Firestore({ projectId: PROJECT, host: `127.0.0.1:${port}`, ssl: false })
  let latest: readonly Readonly<Record<string, unknown>>[] = []
  const items = firestore.collection('notifications').doc(uid).collection('items')
  const stop = items
    .where('isRead', '==', false)
    .orderBy('createdAt', 'desc')
    .onSnapshot((snapshot) => {
      latest = snapshot.docs.map((doc) => ({ id: doc.id, ...doc.data() }))
    })
  t.teardown(async () => {
    stop()
    await firestore.terminate()
  })
  return {
    /** Resolves when exactly these notifications are unread; rejects after 10 s. */
    async until(...ids: readonly string[]) {
      const isReached = () => latest.map(({ id }) => id).join() === ids.join()
      for (let waited = 0; waited < TIMEOUT_MS && !isReached(); waited += POLL_MS)
        await new Promise((done) => setTimeout(done, POLL_MS))
      if (!isReached()) throw new Error(`unread: ${JSON.stringify(latest)}`)
      return latest
    },
    get: async (id: string) => (await items.doc(id).get()).data(),
  }
}
