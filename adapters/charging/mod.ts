/**
 * Charges of an agency by Pix and boleto, on a payments core in the same process. Open the store of that core with
 * `chargingCollections` too, run `chargingPart` in its worker, and `chargingQueue`, which notifies of payments, in the
 * agency's.
 *
 * ```ts
 * const pay = payments(ports)
 * const agency = realEstate({ ...estatePorts, charging: embeddedCharging(pay) })
 * pay.worker({ parts: [chargingPart] })
 * agency.worker({ parts: [{ queues: (estate) => [chargingQueue(estate, agency.charging)] }] })
 * ```
 */
export { chargingCollections, chargingPart, chargingQueue } from './charged-orders.ts'
export { embeddedCharging } from './embedded-charging.ts'
