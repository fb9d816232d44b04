/**
 * A typed client of both APIs over `fetch`, for browsers, Deno, Bun and Node. It imports nothing of Node, and no
 * package.
 *
 * ```ts
 * const pay = paymentsClient({ baseUrl: 'https://pay.example.com', auth: { email, password } })
 * const { data: charge } = await pay.post('/invoices', {
 *   body: { value: 150.5, payment_method: 'PIX', due_date: '2030-11-30', name: 'Maria', document: '12345678909' },
 * })
 * for await (const { data } of pay.pages('/invoices', { query: { status_id: [1] } })) console.log(data.length)
 * ```
 *
 * The types are generated from the OpenAPI documents when the package is built: a path, a field or a code that the
 * server does not have is a compile error.
 */
import type { components as PaymentsComponents, paths as PaymentsPaths } from '../../build/openapi/payments.ts'
import { facts as paymentsFacts } from '../../build/openapi/payments-facts.ts'
import type { components as RealEstateComponents, paths as RealEstatePaths } from '../../build/openapi/real-estate.ts'
import { facts as realEstateFacts } from '../../build/openapi/real-estate-facts.ts'
import type { Authentication } from './authentication.ts'
import { type Client, type ClientOptions, clientOf } from './client.ts'

export type { Authentication } from './authentication.ts'
export type { Client, ClientOptions } from './client.ts'
export { type ClientCode, type ErrorCode, type FieldProblem, PorticoError } from './errors.ts'
export type { Method, OperationOf, OptionsOf, ReplyOf } from './operations.ts'
export { verifyWebhook, type WebhookEvent, type WebhookHeaders, type WebhookOptions } from './webhook.ts'
export type { PaymentsComponents, PaymentsPaths, RealEstateComponents, RealEstatePaths }

/** A client of the payments API. */
export type PaymentsClient = Client<PaymentsPaths>

/** A client of the real-estate API. */
export type RealEstateClient = Client<RealEstatePaths>

/** The settings of a client whose tokens the identity provider issues. */
export interface RealEstateClientOptions extends ClientOptions {
  readonly auth?: Extract<Authentication, { readonly token: unknown }>
}

/** Returns a client of the payments API. */
export const paymentsClient = (options: ClientOptions): PaymentsClient => clientOf(paymentsFacts, options)

/** Returns a client of the real-estate API. */
export const realEstateClient = (options: RealEstateClientOptions): RealEstateClient =>
  clientOf(realEstateFacts, options)
