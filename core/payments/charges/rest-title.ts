import { always, type Change, type Collection, ensure, orNull, patch, record, t } from '../../kernel/records/record.ts'
import { applyOutcome, type Queue, queueOf, queueParts } from '../../kernel/running/queue.ts'
import { accept, type FactsOf, type Fresh, orThrow, useCase } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { readLinkPlace } from '../bounded-count.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, statusAt } from './charge.ts'
import { findCharge, isTitleOutdated } from './detail.ts'
import { closeSettled, isSettled } from './partial.ts'
import { enqueueRestTitle } from './replace-title.ts'

const wantedTitle = record({
  /** The charge's id, as text. */
  id: t.string,
  accountId: t.number,
  dueAt: orNull(t.string),
  attempts: t.number,
})

/** The charges that were paid in part and whose title is to be replaced by one for the rest. */
export const restTitles: Collection<t.TypeOf<typeof wantedTitle>> = {
  name: 'payments.rest-titles',
  ids: 'text',
  codec: wantedTitle,
  owner: null,
  ...queueParts('accountId'),
}

/** The changes that have the worker replace the title of a charge by one for the rest, with the commit of its cause. */
export const requestRestTitle = (
  { id, accountId, status }: Pick<Charge, 'id' | 'accountId' | 'status'>,
  { steady: dueAt }: Pick<Fresh, 'steady'>,
): readonly Change[] =>
  status === 'pending'
    ? [
        ensure(restTitles, { id: `${id}`, accountId, dueAt, attempts: 0 }),
        patch(restTitles, `${id}`, { set: { dueAt, attempts: 0 }, when: always }),
      ]
    : []

const LEASE_SECONDS = 60
const AT_ONCE = 4
/** The wait for the end of another bank operation of the charge. */
const BUSY_SECONDS = 2

/** The queue that starts the replacement of titles, once no other bank operation of the charge runs. */
export const restTitleQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: restTitles,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    owner: 'accountId',
    handle: async (wanted) => {
      const isBusy = orThrow(await startRestTitle(ports)(Number(wanted.id))())
      const dueAt = isBusy ? addSeconds(ports.clock.steady(), BUSY_SECONDS) : null
      await applyOutcome(ports.store, restTitles, wanted, { dueAt })
    },
  })

/**
 * Starts the replacement of an outdated title, or closes a charge of which the tolerance is left. Returns true if
 * another operation of the charge must end first.
 */
const startRestTitle = (ports: PaymentsPorts) => (chargeId: number) =>
  useCase(
    ports,
    (store) => readOutdated(ports, store, chargeId),
    (facts, fresh) => decideRestTitle(ports, facts, fresh),
  )

const readOutdated = async (ports: PaymentsPorts, store: Store, id: number) => {
  const detail = await findCharge(ports, { id })
  const account = detail && (await store.find(byId(accounts, detail.charge.accountId)))
  return detail && account && { detail, account, place: await readLinkPlace(store, detail.charge) }
}

const decideRestTitle = (
  ports: Pick<PaymentsPorts, 'cipher' | 'bank'>,
  facts: FactsOf<typeof readOutdated> | null,
  fresh: Fresh,
) => {
  if (!facts) return accept(false)
  const { charge } = facts.detail
  if (statusAt(charge, fresh.steady) !== 'pending') return accept(false)
  // A replacement under way may be for another rest: a refund can return the payment that it counts.
  if (charge.operationId !== null) return accept(true)
  if (!isTitleOutdated(charge)) return accept(false)
  if (isSettled(charge, facts.account, fresh.today))
    return accept(false, ...closeSettled(ports.cipher, facts, {}, fresh).changes)
  return accept(false, ...enqueueRestTitle(ports, facts, fresh))
}
