import { BUSY_WAIT_MS, serveDatabaseThread } from '../connection.ts'
import { executeAll, type RawResult } from '../execute.ts'
import type { Plan } from '../plan.ts'

// The thread that runs long queries.
await serveDatabaseThread<readonly Plan[], readonly RawResult[]>((connection) => {
  connection.get('PRAGMA query_only=1')
  return (plans) => executeAll(connection, plans, BUSY_WAIT_MS)
})
