import { anyDocument, anyEmail, PASSWORD } from '../given/basics.ts'
import type { Answer } from '../payments/test-api.ts'
import type { Process } from './processes.ts'

export interface Merchant {
  readonly email: string
  readonly token: string
  readonly accountId: number
}

export interface Issued {
  readonly id: number
  readonly code: string
  readonly txid: string
}

/** Returns the body of a successful answer. Throws for any other. */
export const worked = ({ status, text, body }: Answer): Answer['body'] => {
  if (status < 200 || status > 299) throw new Error(`${status} ${text}`)
  return body
}

export const personBody = (email: string) => ({
  name: 'Ana Souza',
  email,
  password: PASSWORD,
  password_confirmation: PASSWORD,
})

export const organizationBody = (document: string) => ({ name: 'Escola Aurora', document })

/** Registers a user; returns the token. */
export const person = async (process: Process, email = anyEmail()): Promise<string> =>
  worked(await process.ask('POST', '/v1/auth/register', { body: personBody(email) })).data.access_token

/** Registers a user with an organization. */
export const merchant = async (process: Process): Promise<Merchant> => {
  const email = anyEmail()
  const token = await person(process, email)
  const body = organizationBody(anyDocument())
  const { organization } = worked(await process.ask('POST', '/v1/organizations', { token, body }))
  return { email, token, accountId: organization.id }
}

export const PIN = '135790'

/** Registers a merchant that may withdraw, with a webhook address. */
export const payer = async (process: Process, webhook: string | null = null): Promise<Merchant> => {
  const owner = await merchant(process)
  const { token, accountId } = owner
  worked(await process.ask('PUT', `/v1/organizations/${accountId}`, { token, body: { status: 'ACTIVE' } }))
  worked(await process.ask('POST', '/access/account/pin', { token, body: { pin: PIN, confirm_pin: PIN } }))
  worked(await process.ask('PUT', '/access/account', { token, body: { webhook_url: webhook, pin: PIN } }))
  return owner
}

/** A withdrawal to order once by its key. */
export interface WithdrawOrder {
  readonly kind: 'withdraw'
  readonly owner: Merchant
  readonly key: string
  readonly valueCents: number
  /** One of its own each: the same to one place again within the hour is refused. */
  readonly account: string
}

/** A body that pays so much out to an account by its data, told by its message. */
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

const PAYER = { name: 'Maria da Silva', email: 'maria@example.com', document: '123.456.789-09' }

/** A body that issues a Pix charge. */
export const chargeBody = (more: Readonly<Record<string, unknown>> = {}) => ({
  value: 10.01,
  payment_method: 'PIX',
  due_date: '2099-12-31',
  ...PAYER,
  ...more,
})

export const issue = async (
  process: Process,
  { token }: Merchant,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Issued> => {
  const { data } = worked(await process.ask('POST', '/invoices', { token, body: chargeBody(more) }))
  return { id: data.id, code: data.code, txid: data.pix.txid }
}

/** Processes items in a number of parallel lanes. */
export const inLanes = async <A, B>(
  lanes: number,
  items: readonly A[],
  act: (item: A, index: number) => Promise<B>,
): Promise<readonly B[]> => {
  const made: B[] = []
  const left = [...items.entries()]
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, item] = next
      made[index] = await act(item, index)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return made
}

/** Returns an item by its index, cyclically. */
export const inTurn = <A>(all: readonly [A, ...A[]], index: number): A => all[index % all.length] ?? all[0]

/** 0, 1, 2 … */
export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

const LOOK_EVERY_MS = 50
/** Longer than any operation that ends. */
export const PATIENCE_MS = 90_000

/** Waits until a condition holds. Rejects after a time-out. */
export const until = async (
  holds: () => Promise<boolean>,
  what = 'the condition',
  patienceMs = PATIENCE_MS,
): Promise<void> => {
  const end = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what} did not hold in time`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
