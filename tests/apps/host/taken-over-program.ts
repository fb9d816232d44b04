import { openStore } from '../../../apps/host/open-store.ts'
import { run } from '../../../apps/host/run.ts'
import { payments } from '../../../apps/payments/app.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { sayStarted } from './say-started.ts'

// An app whose store says, at this signal, that a newer release has taken it over, and takes nothing back from then on.
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
