import { BUSY_WAIT_MS, patiently, serve } from '../connection.ts'
import { execute, type Raw } from '../execute.ts'
import type { Plan } from '../plan.ts'

// The thread for long walks.
await serve<readonly Plan[], readonly Raw[]>((connection) => {
  connection.get('PRAGMA query_only=1')
  return (plans) =>
    patiently(() => connection.snapshot(() => plans.map((plan) => execute(connection, plan))), BUSY_WAIT_MS)
})
