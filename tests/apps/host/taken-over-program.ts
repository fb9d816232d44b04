import { openStore } from '../../../apps/host/open-store.ts'
import { run } from '../../../apps/host/run.ts'
import { payments } from '../../../apps/payments/app.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { sayStarted } from './say-started.ts'

// An app whose store reports, at this signal, its takeover by a newer release, and then accepts no returned ids.
await run([payments], sayStarted, async (url, collections, options) => {
  let isTaken = false
  process.once('SIGUSR2', () => {
    isTaken = true
    options?.superseded?.('a newer release has taken over')
  })
  const store = await openStore(url, collections, options)
  return {
    ...store,
    returnIds: (...ids) => (isTaken ? Promise.reject(new StoreUnavailable('taken over')) : store.returnIds(...ids)),
  }
})
