import { type Fault, fakeBankConsole, fakeBankPart } from '../../../adapters/bank/fake/mod.ts'
import { chargingPart } from '../../../adapters/charging/charged-orders.ts'
import { scryptHasher } from '../../../adapters/crypto/hasher.ts'
import { memoryLog } from '../../../adapters/telemetry/log.ts'
import { portsOf, publicUrlOf } from '../../../apps/bank/payments-ports.ts'
import { type Either, isLeft } from '../../../core/fp.ts'
import { type Payments, payments } from '../../../core/payments/payments.ts'
import { anyDocument, anyEmail } from '../given/basics.ts'
import { type EstateTestApi, type Person, worked } from './test-api.ts'

const HOME = { address: '127.0.0.1', device: null }
const PASSWORD = 'segredo-123'

const right = <V>(outcome: Either<unknown, V>): V => {
  if (isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
  return outcome.right
}

/** The payments app's side of an agency's store: its core, its worker and the console of its bank. */
export const paymentsOf = async ({ host }: Pick<EstateTestApi, 'host'>) => {
  const ports = await portsOf(host, publicUrlOf(host.settings), memoryLog())
  const pay = payments({ ...ports, hasher: scryptHasher({ logN: 4 }) })
  const worker = pay.worker({ parts: [fakeBankPart(pay.bank), chargingPart] })
  const console = fakeBankConsole(pay.ports, pay.bank)
  return {
    pay,
    drain: () => worker.drain(),
    fail: async (id: Fault['id'], mode: Fault['mode'], times = 1) => right(await console.fail({ id, mode, times })()),
    /** The bank ends a title of its own accord. */
    ended: async (txid: string) => right(await console.cancel(txid)()),
    /** The payer's bank pays a title. */
    paid: async (txid: string, more: Readonly<{ valueCents?: number; method?: 'pix' | 'boleto' }> = {}) =>
      right(await console.pay({ txid, ...more })()),
  }
}

/** Opens a payment account; its API key. */
export const anApiKey = async (
  pay: Payments,
  { name = 'Padaria Central', email = anyEmail(), document = anyDocument() } = {},
): Promise<string> => {
  const { accessToken } = right(await pay.people.register({ name: 'Ana', email, password: PASSWORD }, HOME)())
  const before = right(await pay.sessions.authenticate(accessToken, HOME)())
  right(await pay.openings.open(before, { name, email: null, document })())
  const caller = right(await pay.sessions.authenticate(accessToken, HOME)())
  const inAccount = async () =>
    right(await pay.access.resolveAccount(caller, { account: null, organization: null }, 'v1')())
  right(await pay.organizations.update(await inAccount(), { status: 'ACTIVE' })())
  return right(await pay.access.readAccount(await inAccount())()).secrets?.apiKey ?? ''
}

/** That an agency is paid into an account. */
export const payInto = async (api: EstateTestApi, { token }: Pick<Person, 'token'>, apiKey: string): Promise<void> => {
  worked(await api.ask('PUT', '/api/company/payment-account', { token, body: { apiKey } }))
}
