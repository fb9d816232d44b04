import { byId } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Delivery, deliveries } from './delivery.ts'

const DIGITS = /^\d{1,15}$/

/** The account's delivery of this id; null for another account's, and for what is no id. */
export const readDelivery =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  async ({ accountId }: Pick<Actor, 'accountId'>, id: string): Promise<Delivery | null> => {
    const delivery = DIGITS.test(id) ? await store.find(byId(deliveries, Number(id))) : null
    return delivery?.accountId === accountId ? delivery : null
  }
