/**
 * Payments of an agency by Pix and boleto, on a payments core in the same process. The store of that core is opened with
 * `chargingCollections` too; its worker has `chargingPart`, and the agency's worker the queue that tells what was paid.
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
