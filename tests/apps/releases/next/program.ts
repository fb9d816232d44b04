import { run } from '../../../../apps/host/run.ts'
import { sayStarted } from '../../host/say-started.ts'
import { aheadPayments } from '../../processes/ahead.ts'
import { openAsNext } from './tables.ts'

// The payments app of a release after this one: the same rooms over tables that say more.
const twins = (process.env.TWINS ?? '').split(',').map(Number)
await run([aheadPayments], sayStarted, openAsNext(twins))
