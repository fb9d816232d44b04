/**
 * A client of the Central Bank's API Pix as a bank: Pix charges and refunds, on the one account of a Pix key. The bank
 * reports received Pix by a webhook, and a sweep of its list finds those that the webhook missed.
 *
 * ```ts
 * const api = pixApi({ url, tokenUrl, clientId, clientSecret, cert, key, pixKey })
 * const store = await sqliteStore('./data/portico.db', [...paymentsCollections, ...pixApiCollections])
 * const pay = payments(await nodePorts({ store, bank: pixApiBank(api), dataDir: './data', publicUrl }))
 * const worker = pay.worker({ parts: [pixApiPart(api, pay.bank, pixApiWebhook(api, webhookUrl, console.warn))] })
 * // … and in the handler of `${webhookUrl}/pix`:
 * await pixApiWebhookEndpoint(pay.ports)(endToEndIdsIn(body.pix))()
 * ```
 */

export type { PixApiReply } from './answers.ts'
export { pixApiBank, pixApiPart } from './bank.ts'
export { type PixApi, type PixApiSettings, pixApi } from './client.ts'
export { endToEndIdsIn, pixApiCollections, pixApiWebhookEndpoint } from './notices.ts'
export { noWebhook, type PixApiWebhook, pixApiWebhook } from './sweep.ts'
