import { isLeft } from '../../../core/failure.ts'
import { eq, patch } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import type { NewCharge } from '../../../core/payments/charges/new-charge.ts'
import type { Environment } from '../environment/environment.ts'
import { ask } from '../environment/process.ts'
import { type Act, type Merchant, some } from './cast.ts'

const PERCENTS = [1, 333, 3_333, 5_000, 10_000] as const
const SHARED_CENTS = [1, 99, 500, 5_000] as const
const BEARERS = ['ISSUER', 'RECEIVER'] as const

/** Draws the splits of a charge: some of them of keys that do not serve, or of more than the value. */
export const someSplits = async (environment: Environment, { accountId }: Merchant): Promise<Partial<NewCharge>> => {
  const { dice } = environment
  const { splitReceivers } = await environment.snapshot()
  const keys = splitReceivers.filter((each) => each.accountId !== accountId || dice.chance(0.1)).slice(-6)
  if (keys.length === 0 || dice.chance(0.25)) return {}
  const splits = Array.from({ length: dice.pick([1, 1, 2]) }, () => {
    const share = dice.chance(0.6)
      ? { percentHundredths: dice.pick(PERCENTS) }
      : { amountCents: dice.pick(SHARED_CENTS) }
    return { key: dice.pick(keys).key, ...share, feeBearer: dice.pick(BEARERS) }
  })
  return { splits }
}

/** Consents to receive shares, or revokes a key. */
export const consent: Act = async (environment, cast, process) => {
  const merchant = some(environment, cast.merchants)
  if (!merchant) return
  const actor = { ...merchant, origin: null }
  const { splitReceivers } = await environment.snapshot()
  const own = splitReceivers.filter(({ accountId }) => accountId === merchant.accountId)
  const old = own.length > 1 && environment.dice.chance(0.3) ? some(environment, own) : null
  const outcome = old
    ? await ask(process, process.pay.splitReceivers.revoke(actor, old.id))
    : await ask(process, process.pay.splitReceivers.create(actor, { name: 'Parte' }))
  environment.trace.note(`consent ${merchant.accountId} ${old?.id ?? 'new'}: ${outcome && !isLeft(outcome)}`)
}

/** Suspends an account, or restores those that are suspended, as an operator does in the store. */
export const suspend: Act = async (environment, cast, process) => {
  const { accounts: held } = await environment.snapshot()
  const suspended = held.filter(({ status }) => status === 'SUSPENDED')
  if (suspended.length > 0) return restore(environment, cast, process)
  const merchant = some(environment, cast.merchants)
  const account = held.find(({ id }) => id === merchant?.accountId)
  if (!account) return
  const change = patch(accounts, account.id, { set: { status: 'SUSPENDED' }, when: eq('status', account.status) })
  await process.ports.store.commit([change]).catch(() => null)
  environment.trace.note(`suspend ${account.id}`)
}

/** Restores the suspended accounts. */
export const restore: Act = async (environment, _, process) => {
  const { accounts: held } = await environment.snapshot()
  for (const { id } of held.filter(({ status }) => status === 'SUSPENDED')) {
    const change = patch(accounts, id, { set: { status: 'ACTIVE' }, when: eq('status', 'SUSPENDED') })
    await process.ports.store.commit([change]).catch(() => null)
  }
}
