import { readUseCase } from '../../kernel/running/read-use-case.ts'
import { byId } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { deliveries } from './delivery.ts'

const DIGITS = /^\d{1,15}$/

/** The account's delivery of this id. Fails: `delivery.unknown`, for another account's and for what is no id too. */
export const readDelivery =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: string) =>
    readUseCase('delivery.unknown', async () => {
      const delivery = DIGITS.test(id) ? await store.find(byId(deliveries, Number(id))) : null
      return delivery?.accountId === accountId ? delivery : null
    })
