/**
 * The APIs as handlers, for servers of `node:http`, Koa or Express, or served as `npm start` does.
 *
 * ```ts
 * const store = await sqliteStore('./data/portico.db', [...paymentsCollections, ...serverPart.collections])
 * const pay = payments(await nodePorts({ store, bank, dataDir: './data', publicUrl: 'https://pay.example.com' }))
 * const api = paymentsApi(pay)
 * koa.use(api.middleware)
 * void api.worker.run()
 * ```
 *
 * `realEstateApi(realEstate(ports))` does the same for the agency.
 */
export type { ApiOptions, Handlers, KoaContext, Mounted } from './http/mount.ts'
export { serverPart } from './http/rates.ts'
export { CannotListen, type RunningServer as Serving, serve, type Timeouts as Patience } from './http/server.ts'
export type { Metrics } from './http/telemetry.ts'
export { type Log, pinoLog } from './http/telemetry.ts'
export { type MountedPayments, type PaymentsApiOptions, paymentsApi } from './payments/payments-api.ts'
export { type MountedRealEstate, type RealEstateApiOptions, realEstateApi } from './real-estate/real-estate-api.ts'
