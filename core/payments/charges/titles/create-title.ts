import { left } from '../../../fp.ts'
import { accept, finishOperation, useCaseOf } from '../../../kernel/running/use-case.ts'
import { parseId } from '../../../kernel/values/text.ts'
import type { BankAnswer, TitleOrder } from '../../../ports/bank.ts'
import { byId } from '../../../ports/store.ts'
import { accounts } from '../../accounts/account.ts'
import { operationsOf } from '../../bank/run-operation.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { makingOf, statusAt } from '../charge.ts'
import { NO_CHARGE } from '../charge-failure.ts'
import { type ChargeDetail, findCharge } from '../find-charge.ts'
import { decideLateTitle, decideTitle, type TitleCode, toldOf } from './decide-title.ts'
import { earlierTitle } from './earlier-title.ts'
import { type MadeTitle, madeOf } from './made-title.ts'
import { CREATE_TITLE, keptOrder, TITLE_LEASE_SECONDS, titleOrder } from './title-order.ts'

const PLACES = 8
const FIRST_WAIT_SECONDS = 5

/** Titles that the bank is asked for; each is known there by its charge's txid. Source: decisions.md §9. */
export const createTitle = (ports: PaymentsPorts) =>
  operationsOf<ChargeDetail | null, TitleOrder, MadeTitle, ChargeDetail, TitleCode>(ports, {
    kind: CREATE_TITLE,
    places: PLACES,
    leaseSeconds: TITLE_LEASE_SECONDS,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    read: (_, { subject: [, id] }) => findCharge(ports, { id: Number(id) }),
    wanted: (_, detail, now) => detail !== null && statusAt(detail.charge, now) === 'pending',
    orderOf: (detail) => orderOf(ports, detail),
    send: sendTitle(ports),
    find: findTitle(ports),
    decide: (...facts) => decideTitle(ports.cipher, ...facts),
    ended: (...facts) => decideLateTitle(ports.cipher, ...facts),
    unknown: NO_CHARGE,
  })

type AtBank = Pick<PaymentsPorts, 'bank'>

/** Asks for a title by its order; an account without a key can have a boleto alone. */
export const sendTitle =
  ({ bank }: AtBank) =>
  async (kept: TitleOrder): Promise<BankAnswer<MadeTitle>> => {
    const order = keptOrder(kept)
    if (order.pixKey === null && order.method !== 'BOLETO')
      return { outcome: 'refused', reason: 'A conta não tem chave Pix.' }
    const answer = await bank.createTitle(order)
    return answer.outcome === 'done' ? { outcome: 'done', value: madeOf(order, answer.value, bank.compe) } : answer
  }

/** What the bank knows of an order. */
export const findTitle =
  ({ bank }: AtBank) =>
  async (kept: TitleOrder): Promise<BankAnswer<MadeTitle | null>> => {
    const order = keptOrder(kept)
    const known = await bank.findTitle(order.txid)
    if (known.outcome !== 'done') return known
    return { outcome: 'done', value: known.value && madeOf(order, known.value, bank.compe) }
  }

const orderOf = async ({ store }: Pick<PaymentsPorts, 'store'>, detail: ChargeDetail | null) => {
  const txid = detail?.charge.txid ?? null
  const account = detail && (await store.find(byId(accounts, detail.charge.accountId)))
  // Only a release until 0.3.0 kept no order, and it had nothing but Pix.
  return txid === null || !account ? null : titleOrder(txid, 'PIX', { ...detail, account })
}

/**
 * Carries on a charge of whose title the bank has said nothing yet, by its id or its txid, for somebody who repeats the request.
 * Whoever comes after the answer is told the same.
 * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`. Source: decisions.md §9.
 */
export const resumeTitle = (ports: PaymentsPorts) => (of: number | string) =>
  useCaseOf<ChargeDetail>()(async (hooks) => {
    const id = parseId(`${of}`)
    const by = id === null ? { txid: `${of}` } : { id }
    const found = await findCharge(ports, by)
    if (!found) return left(NO_CHARGE)
    const moving = earlierTitle(found.charge)
    if (moving.length > 0) await ports.store.commit(moving)
    const { charge } = (moving.length > 0 ? await findCharge(ports, by) : found) ?? found
    const making = makingOf(charge)
    if (making !== null) return createTitle(ports).again(making)(hooks)
    return finishOperation(
      ports,
      () => findCharge(ports, by),
      (detail) => (detail ? accept(toldOf(detail)) : left(NO_CHARGE)),
    )(hooks)
  })
