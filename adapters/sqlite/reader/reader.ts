import { execute, type Raw } from '../ask/execute.ts'
import type { Plan } from '../ask/plan-kinds.ts'
import { BUSY_WAIT_MS, patiently } from '../file/patience.ts'
import { serve } from '../thread/serve.ts'

// The thread for long walks.
await serve<readonly Plan[], readonly Raw[]>((connection) => {
  connection.get('PRAGMA query_only=1')
  return (plans) =>
    patiently(() => connection.snapshot(() => plans.map((plan) => execute(connection, plan))), BUSY_WAIT_MS)
})
