import { run } from '../../../apps/host/run.ts'
import { payments } from '../../../apps/payments/app.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import { sayStarted } from './say-started.ts'

// Both apps, saying where they listen whatever they log.
await run([payments, realEstate], sayStarted)
