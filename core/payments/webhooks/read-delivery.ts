import { readUseCase } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type DeliveryReader, deliveries, ifReadable } from './delivery.ts'

const DIGITS = /^\d{1,15}$/

/**
 * Returns the account's delivery of this id. Fails: `delivery.unknown`, also for a delivery of another account, for one whose record
 * the reader may not read, and for a text that is no id.
 */
export const readDelivery =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  (reader: DeliveryReader, id: string) =>
    readUseCase('delivery.unknown', async () =>
      ifReadable(reader, DIGITS.test(id) ? await store.find(byId(deliveries, Number(id))) : null),
    )
