import { anyDocument } from '../../../core/payments/world.ts'
import { setAccount, setPin } from '../given/merchants.ts'
import { failure, type Merchant, type TestApi, worked } from '../test-api.ts'

export const LINKS = '/billing/payment-links'
export const MARIA = { name: 'Maria da Silva', email: 'maria@example.com', document: '123.456.789-09' }

let payers = 0

/** Returns a new payer, who is no client yet. */
export const stranger = () => {
  payers += 1
  return { name: 'Rui Passos', email: `rui${payers}@example.com`, document: anyDocument() }
}

/** The id and token of a link. */
export interface Known {
  readonly id: string
  readonly token: string
}

/** Creates a link, by default of R$ 100 with all methods. */
export const linkOf = async ({ ask }: TestApi, merchant: Merchant, more: object = {}): Promise<Known> => {
  const body = { title: 'Curso', payment_methods: ['PIX', 'BOLETO', 'CARD'], amount: 100, ...more }
  const { data } = worked(await ask('POST', LINKS, { token: merchant.token, body }))
  return { id: data.id, token: new URL(data.public_url).searchParams.get('token') ?? '' }
}

/** Pays by a link, by default as Maria and by Pix. */
export const payBy = ({ ask }: TestApi, { id, token }: Known, more: object = {}) =>
  ask('POST', `/public/paymentLink/${id}/pay?token=${token}`, { body: { payment_method: 'PIX', ...MARIA, ...more } })

export const openBy = ({ ask }: TestApi, { id, token }: Known) => ask('GET', `/public/paymentLink/${id}?token=${token}`)

/** Returns a link as its owner reads it. */
export const shownTo = async ({ ask }: TestApi, { token }: Merchant, { id }: Known) =>
  worked(await ask('GET', `${LINKS}/${id}`, { token })).data

/** Returns the status and error code of a reply. */
export const told = failure

/** A picture of one pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Sets the PIN and logo of an account, and returns the id of the logo's file. */
export const setLogo = async (api: Pick<TestApi, 'ask'>, owner: Merchant): Promise<string> => {
  await setPin(api, owner)
  const { path_logo } = await setAccount(api, owner, { logo: `data:image/png;base64,${DOT}` })
  return path_logo.split('/').at(-1)
}
