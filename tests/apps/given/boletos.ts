import { type Fixture, issued } from './basics.ts'

/** A boleto, known to who has its txid, its code, or whom it asks. */
const boletoCharge: Fixture = (api) => issued(api, { payment_method: 'BOLETO' })

export const boletoFixtures: Readonly<Record<string, Fixture>> = { boletoCharge }
