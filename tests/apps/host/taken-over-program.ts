import { openStore } from '../../../apps/host/open-store.ts'
import { run } from '../../../apps/host/run.ts'
import { payments } from '../../../apps/payments/startable.ts'
import { sayStarted } from './say-started.ts'

// An app whose store says, at this signal, that a newer release has taken it over.
await run([payments], sayStarted, async (url, collections, options) => {
  process.once('SIGUSR2', () => options?.superseded?.('a newer release has taken over'))
  return openStore(url, collections, options)
})
