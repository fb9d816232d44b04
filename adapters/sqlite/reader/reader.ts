import { BUSY_WAIT_MS, retryWhileBusy, serveDatabaseThread } from '../connection.ts'
import { execute, type RawResult } from '../execute.ts'
import type { Plan } from '../plan.ts'

// The thread for long walks.
await serveDatabaseThread<readonly Plan[], readonly RawResult[]>((connection) => {
  connection.get('PRAGMA query_only=1')
  return (plans) =>
    retryWhileBusy(() => connection.snapshot(() => plans.map((plan) => execute(connection, plan))), BUSY_WAIT_MS)
})
