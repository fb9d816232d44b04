import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { LOST } from '../../../core/payments/bank/run-operation.ts'
import type { Store } from '../../../core/ports/store.ts'
import type { Answer } from '../payments/test-api.ts'
import { everyRecord } from './ledger-faults.ts'

/** Whether this tells of a withdrawal that has failed: who began it died before they sent it, and nobody sends it again. */
export const isLost = (body: Answer['body']): boolean =>
  body?.error_code === 'bank.refused' && body.message.includes(LOST)

/** Whether the bank is still to answer. What counts as lost has ended, and is looked for three hours more. */
export const isAsking = async (store: Store): Promise<boolean> =>
  (await everyRecord(store, bankOperations)).some(({ state }) => state === 'asking')
