/**
 * The APIs as handlers, to be mounted in a server of `node:http`, Koa or Express, or served as `npm start` does.
 *
 * ```ts
 * const store = await sqliteStore('./data/portico.db', [...paymentsCollections, ...serverPart.collections])
 * const pay = payments(await nodePorts({ store, bank, dataDir: './data', publicUrl: 'https://pay.example.com' }))
 * const api = paymentsApi(pay)
 * koa.use(api.middleware)
 * void api.worker.run()
 * ```
 *
 * `realEstateApi(realEstate(ports))` is the same of the agency.
 */
export type { ApiOptions } from './http/api-options.ts'
export type { Handlers, KoaContext, Mounted } from './http/handlers.ts'
export { CannotListen, type Patience, type Serving, serve } from './http/serve.ts'
export { serverPart } from './http/server-part.ts'
export { type Log, pinoLog } from './http/telemetry/log.ts'
export type { Metrics } from './http/telemetry/metrics.ts'
export { type MountedPayments, type PaymentsApiOptions, paymentsApi } from './payments/payments-api.ts'
export { type MountedRealEstate, type RealEstateApiOptions, realEstateApi } from './real-estate/real-estate-api.ts'
