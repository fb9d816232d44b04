import { run } from '../../../apps/host/run.ts'
import { sayStarted } from '../host/say-started.ts'
import { aheadPayments } from './ahead.ts'

// What a process of a processes runs: the payments app by itself. It says where it listens.
await run([aheadPayments], sayStarted)
