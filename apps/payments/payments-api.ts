import type { Payments } from '../../core/payments/payments.ts'
import type { PaymentsPart } from '../../core/payments/payments-ports.ts'
import type { BankOptions } from '../bank/open-bank.ts'
import { type BusinessApiOptions, type MountedBusiness, mountBusiness } from '../host/business-api.ts'
import { authSchemesOf } from './api.ts'
import { bankRows } from './bank.ts'
import { documentation, guidesOf, rows } from './catalogue.ts'
import { dialects } from './dialects.ts'
import { messages } from './messages.ts'
import { panelRows } from './panel.ts'

/** The options of the payments API. */
export interface PaymentsApiOptions extends BusinessApiOptions<PaymentsPart>, BankOptions {}

/** The payments API as handlers to mount in a server, and its worker. */
export type MountedPayments = MountedBusiness

/**
 * Creates the payments API over a core, as `npm start` serves it: routes, documentation, `/health`. Open the store of
 * the core with `serverPart.collections` too; throws if its list of collections lacks them.
 *
 * ```ts
 * const api = paymentsApi(pay, { parts: [fakeBankPart(pay.bank)] })
 * const server = createServer(api.handle).listen(3000)
 * void api.worker.run()
 * // … and at the end:
 * await api.close(new Promise((done) => server.close(done)))
 * ```
 */
export const paymentsApi = (core: Payments, options: PaymentsApiOptions = {}): MountedPayments =>
  mountBusiness(core, options, {
    name: 'payments',
    title: 'Portico: pagamentos',
    docs: documentation,
    introduction: guidesOf(core.ports.settings.publicUrl),
    authSchemes: authSchemesOf(core),
    rows: [
      ...rows,
      ...panelRows({ simulates: options.fakeBankConsole ?? false, hasPasskeys: Boolean(core.ports.passkeys) }),
      ...bankRows(core, options),
    ],
    dialects,
    defaultDialect: 'envelope',
    messages,
  })
