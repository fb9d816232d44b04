import test from 'ava'
import { worked } from './test-api.ts'
import { openWithdrawals } from './withdrawals/withdrawing.ts'

const MARKED = ['765.432.109-07', '765.432', '432.109-0', '76543210907', '109-07', '765 432']
const LETTERED = ['12.ABC.345/01DE-35', '12.abc', 'BC.345/01de', '01DE-3', '12abc345']

/** The lists with a search by document, and the searches that find their CPF of digits or CNPJ with letters. */
const lists: readonly (readonly [path: string, searches: readonly string[]])[] = [
  ['/recipients', MARKED],
  ['/recipients/frequent', MARKED],
  ['/legacypay/withdraws', MARKED],
  ['/legacypay/withdraws/recipients', MARKED],
  ['/legacypay/withdraws/recipients/frequent', MARKED],
  ['/invoices', LETTERED],
  ['/clients', LETTERED],
  ['/billing/clients', LETTERED],
  ['/access/manager/users', MARKED],
  ['/access/manager/api-tokens', LETTERED],
]

test('finds documents with and without punctuation, in full and in part, in every list', async (t) => {
  const { api, merchant, get, withdraw } = await openWithdrawals(t)
  const { token } = merchant
  worked(await withdraw(2, '76543210907'))
  await api.charge(merchant, { name: 'Duda', email: 'duda@example.com', document: '12.ABC.345/01DE-35' })
  await api.charge(merchant, { name: 'Outra', email: 'outra@example.com', document: '529.982.247-25' })
  const person = { name: 'Bia', email: 'bia@example.com', document: '765.432.109-07', role: 3, password: '12345' }
  worked(await api.ask('POST', '/access/manager/users', { token, body: person }))
  const program = { name: 'Bot', email: 'bot@example.com', document: '12.ABC.345/01DE-35' }
  worked(await api.ask('POST', '/access/manager/api-tokens', { token, body: program }))
  for (const [path, searches] of lists) {
    const found = async (search: string) => {
      const { body } = await get(`${path}?${new URLSearchParams({ search })}`)
      return body.data.length
    }
    for (const search of searches) t.is(await found(search), 1, `${path} ${search}`)
    for (const search of ['765.433', '12.ABD']) t.is(await found(search), 0, `${path} ${search}`)
  }
})
