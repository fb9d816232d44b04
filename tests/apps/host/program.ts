import { run } from '../../../apps/host/run.ts'
import { payments } from '../../../apps/payments/app.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import { sayStarted } from './say-started.ts'

// Both apps; prints their addresses at any log level.
await run([payments, realEstate], sayStarted)
