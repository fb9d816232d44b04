import { isLeft } from '../../fp.ts'
import { applyOutcome, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { orThrow } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { CHARGE_LEASE_SECONDS, charges } from './charge.ts'
import { cancelCharge } from './close.ts'
import { issueCharge } from './issue.ts'

const AT_ONCE = 16
const FIRST_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 600
const MOST_DOUBLINGS = 10

/** With these nothing was recorded; any other failure is an outcome. */
const UNRECORDED: readonly string[] = ['store.busy', 'store.unavailable']

const waitSeconds = (attempts: number): number =>
  Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(attempts, MOST_DOUBLINGS))

/** Charges that were begun, or are to be cancelled, and nobody has heard of since. */
export const chargeQueue = (ports: RealEstatePorts): Queue =>
  queueOf({
    collection: charges,
    owner: 'companyId',
    leaseSeconds: CHARGE_LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async (claimed) => {
      const { id, state, attempts } = claimed
      const outcome = state === 'cancelling' ? await cancelCharge(ports)(id)() : await issueCharge(ports)(id)()
      if (!isLeft(outcome)) return
      if (UNRECORDED.includes(outcome.left.code)) orThrow(outcome)
      const isAway = outcome.left.code === 'charging.unavailable'
      const dueAt = isAway ? addSeconds(ports.clock.steady(), waitSeconds(attempts)) : null
      await applyOutcome(ports.store, charges, claimed, { dueAt })
    },
  })
