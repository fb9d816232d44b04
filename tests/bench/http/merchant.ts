import { apiClient } from '../../../apps/demo/demo.ts'
import { anyDocument, anyEmail, PASSWORD } from '../../apps/given/basics.ts'
import { burst } from './load.ts'
import { requestOf } from './wire.ts'

/** Registers somebody with an organization of their own; gives their token. */
export const merchant = async (url: string): Promise<string> => {
  const ask = apiClient(url)
  const secret = { password: PASSWORD, password_confirmation: PASSWORD }
  const person = { name: 'Ana Souza', email: anyEmail(), ...secret }
  const { data } = await ask<{ data: { access_token: string } }>('/v1/auth/register', { body: person })
  const token = data.access_token
  await ask('/v1/organizations', { body: { name: 'Escola Aurora', document: anyDocument() }, token })
  return token
}

/** Who pays: so many, so that the charges of a page are not all of the same client. */
const payers = Array.from({ length: 100 }, (_, index) => ({
  name: `Maria da Silva ${index}`,
  email: `maria${index}@example.com`,
  document: anyDocument(),
}))

export const chargeBody = (number: number) => ({
  value: 150.5,
  payment_method: 'PIX',
  due_date: '2040-11-30',
  description: 'Mensalidade de novembro',
  ...(payers[number % payers.length] ?? {}),
})

/** The requests that issue charges to all of them in turn. */
export const issuing = (token: string, more: object = {}) => {
  const requests = payers.map((_, index) => requestOf('POST', '/invoices', token, { ...chargeBody(index), ...more }))
  return (number: number): Buffer => requests[number % requests.length] ?? Buffer.alloc(0)
}

/** Issues so many charges. */
export const issueMany = (url: string, token: string, count: number): Promise<void> => burst(url, count, issuing(token))
