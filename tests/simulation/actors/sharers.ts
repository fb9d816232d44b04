import { isLeft } from '../../../core/failure.ts'
import { eq, isIn, patch } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import type { Environment } from '../environment/environment.ts'
import { ask, type Process } from '../environment/process.ts'
import { type Act, ofMerchant, over, some } from './cast.ts'
import { issueCharge } from './merchants.ts'

/** Consents to receive shares, or revokes a key. */
export const consent = ofMerchant(async (merchant, environment, _cast, process) => {
  const actor = { ...merchant, origin: null }
  const { splitReceivers } = await environment.snapshot()
  const own = splitReceivers.filter(({ accountId }) => accountId === merchant.accountId)
  const old = own.length > 1 && environment.dice.chance(0.3) ? some(environment, own) : null
  const outcome = old
    ? await ask(process, process.pay.splitReceivers.revoke(actor, old.id))
    : await ask(process, process.pay.splitReceivers.create(actor, { name: 'Parte' }))
  environment.trace.note(`consent ${merchant.accountId} ${old?.id ?? 'new'}: ${outcome && !isLeft(outcome)}`)
})

/** Revokes the key of a receiver while a payment that it shares arrives, and another charge names it. */
export const revokeWhilePaid: Act = async (environment, cast) => {
  const { bank, dice, trace } = environment
  const { charges, splitReceivers } = await environment.snapshot()
  const receivers = new Map(splitReceivers.map((each) => [each.key, each]))
  const open = charges.flatMap(({ status, txid, splits }) => {
    const receiver = receivers.get(splits?.[0]?.key ?? '')
    return status === 'pending' && txid !== null && receiver?.revokedAt === null ? [{ txid, receiver }] : []
  })
  const charge = some(environment, open.slice(-8))
  if (!charge) return
  const { id, accountId, createdBy: userId } = charge.receiver
  const revoke: Act = async (_environment, _cast, { life, pay }) => {
    const outcome = await ask({ life }, pay.splitReceivers.revoke({ userId, accountId, origin: null }, id))
    trace.note(`revoke ${id}: ${outcome && !isLeft(outcome)}`)
  }
  const order = { txid: charge.txid, valueCents: dice.pick([null, 100]), endToEndId: null, payer: null }
  await Promise.all([
    bank.pay(order),
    over(environment, cast, revoke),
    over(environment, cast, issueCharge),
    over(environment, cast, issueCharge),
  ])
}

/** Suspends an account, or restores those that are suspended, as an operator does in the store. */
export const suspend: Act = async (environment, cast, process) => {
  const { accounts: held } = await environment.snapshot()
  const suspended = held.filter(({ status }) => status === 'SUSPENDED')
  if (suspended.length > 0) return restore(environment, cast, process)
  const merchant = some(environment, cast.merchants)
  if (merchant) await suspendAccount(environment, process, merchant.accountId)
}

export const suspendAccount = async (
  { trace }: Pick<Environment, 'trace'>,
  { ports }: Process,
  accountId: number,
): Promise<void> => {
  const isOpen = isIn('status', ['ACTIVE', 'INACTIVE'])
  const change = patch(accounts, accountId, { set: { status: 'SUSPENDED' }, when: isOpen })
  const outcome = await ports.store.commit([change]).catch(() => null)
  trace.note(`suspend ${accountId}: ${outcome?.ok}`)
}

export const restore: Act = async (environment, _, process) => {
  const { accounts: held } = await environment.snapshot()
  for (const { id } of held.filter(({ status }) => status === 'SUSPENDED')) {
    const change = patch(accounts, id, { set: { status: 'ACTIVE' }, when: eq('status', 'SUSPENDED') })
    await process.ports.store.commit([change]).catch(() => null)
  }
}
