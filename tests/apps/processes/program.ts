import { run } from '../../../apps/host/run.ts'
import { sayStarted } from '../host/say-started.ts'
import { aheadPayments } from './ahead.ts'

// The payments app alone; prints its address.
await run([aheadPayments], sayStarted)
