import { anyDocument, anyEmail, PASSWORD, PIN } from '../../../core/payments/world.ts'
import { type Answer, type Sent, worked } from '../../rows/wire.ts'

// The givens of a test of the payments API, which any client makes over HTTP: the test API, a process, a benchmark.
// They have the names of the givens over the facade (`tests/core/payments/world.ts`).

/** A client of the payments API. */
export interface Asking {
  ask(method: string, path: string, sent?: Sent): Promise<Answer>
}

/** A user with an organization. */
export interface Merchant {
  readonly email: string
  readonly token: string
  readonly id: number
  readonly uuid: string
}

type Over = Readonly<Record<string, unknown>>

const FAR_DAY = '2099-12-31'

/** The body of a charge. */
export const MARIA = {
  value: 150.5,
  payment_method: 'PIX',
  due_date: '2026-11-30',
  name: 'Maria da Silva',
  email: 'maria@example.com',
  document: '123.456.789-09',
}

export const personBody = (email: string) => ({
  name: 'Ana Souza',
  email,
  password: PASSWORD,
  password_confirmation: PASSWORD,
})

export const organizationBody = (document: string) => ({
  name: 'Escola Aurora',
  email: 'financeiro@aurora.example',
  document,
})

/** Registers a user; returns the token. */
export const person = async ({ ask }: Asking, email = anyEmail(), over: Over = {}): Promise<string> =>
  worked(await ask('POST', '/v1/auth/register', { body: { ...personBody(email), ...over } })).data.access_token

/** Registers a user with an organization, which is inactive. */
export const merchant = async (api: Asking, email = anyEmail(), document = anyDocument()): Promise<Merchant> => {
  const token = await person(api, email)
  const body = organizationBody(document)
  const { organization } = worked(await api.ask('POST', '/v1/organizations', { token, body }))
  return { email, token, id: organization.id, uuid: organization.uuid }
}

type Owner = Pick<Merchant, 'token' | 'id'>

/** Lets an account send money. */
export const activate = async ({ ask }: Asking, { token, id }: Owner): Promise<void> => {
  worked(await ask('PUT', `/v1/organizations/${id}`, { token, body: { status: 'ACTIVE' } }))
}

/** Sets the PIN of an account. */
export const setPin = async ({ ask }: Asking, { token }: Pick<Merchant, 'token'>): Promise<void> => {
  worked(await ask('POST', '/access/account/pin', { token, body: { pin: PIN, confirm_pin: PIN } }))
}

/** Changes the settings of an account that has a PIN. */
export const setAccount = async ({ ask }: Asking, { token }: Pick<Merchant, 'token'>, change: Over) =>
  worked(await ask('PUT', '/access/account', { token, body: { pin: PIN, ...change } })).account

/** Returns the API key of an account. */
export const apiKeyOf = async ({ ask }: Asking, { token }: Pick<Merchant, 'token'>): Promise<string> =>
  worked(await ask('GET', '/access/account', { token })).account.token

/** Issues a Pix charge and returns it as the API shows it. */
export const charge = async ({ ask }: Asking, { token }: Pick<Merchant, 'token'>, over: Over = {}) =>
  worked(await ask('POST', '/invoices', { token, body: { ...MARIA, ...over } })).data

/** Pays a title at the embedded bank. */
export const pay = ({ ask }: Asking, txid: string, over: Over = {}): Promise<Answer> =>
  ask('POST', '/fake-bank/payments', { body: { txid, ...over } })

/** Issues a charge, which is paid, and returns it as it was issued. */
export const paid = async (api: Asking, of: Pick<Merchant, 'token'>, over: Over = {}) => {
  const issued = await charge(api, of, over)
  worked(await pay(api, (issued.pix ?? issued.boleto).txid))
  return issued
}

/** Activates an account, sets its PIN, and pays it so many reais. */
export const fund = async <M extends Owner>(api: Asking, owner: M, reais = 0): Promise<M> => {
  await activate(api, owner)
  await setPin(api, owner)
  if (reais > 0) await paid(api, owner, { value: reais, due_date: FAR_DAY })
  return owner
}

/** Registers a merchant that may withdraw, with a webhook address. */
export const payer = async (api: Asking, webhook: string | null = null): Promise<Merchant> => {
  const owner = await fund(api, await merchant(api))
  await setAccount(api, owner, { webhook_url: webhook })
  return owner
}

/** The body of a charge of R$ 10.01 that is not due for years, also by the clock of the machine. */
export const chargeBody = (over: Over = {}) => ({ ...MARIA, value: 10.01, due_date: FAR_DAY, ...over })

export interface Issued {
  readonly id: number
  readonly code: string
  readonly txid: string
}

/** Issues a Pix charge of R$ 10.01 and returns its ids. */
export const issue = async (api: Asking, of: Pick<Merchant, 'token'>, over: Over = {}): Promise<Issued> => {
  const { id, code, pix } = await charge(api, of, chargeBody(over))
  return { id, code, txid: pix.txid }
}

/** A withdrawal to order once by its key. */
export interface WithdrawOrder {
  readonly kind: 'withdraw'
  readonly owner: Merchant
  readonly key: string
  readonly valueCents: number
  /** Each order needs its own: a repeat to one account within the hour is refused. */
  readonly account: string
}

/** The body of a withdrawal to the data of an account, with its key as the message. */
export const payOutBody = (order: Pick<WithdrawOrder, 'key' | 'valueCents' | 'account'>) => ({
  bank_code: '341',
  branch: '0001',
  account: order.account,
  beneficiary_name: 'Maria da Silva',
  beneficiary_document: '12345678909',
  amount: order.valueCents / 100,
  mensagem: order.key,
  pin: PIN,
})
