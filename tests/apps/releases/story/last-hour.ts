import { fakeBankConsole } from '../../../../adapters/bank/fake/console.ts'
import { anyDocument, PIN } from '../../given/basics.ts'
import { type Merchant, PASSWORD, type TestApi, worked } from '../../payments/test-api.ts'
import type { Knowledge, KnownCharge } from '../known.ts'
import { issuing } from './money.ts'
import { HOOKS, nobodyThere, type Outside } from './outside.ts'
import { codeIn, hermit, image } from './people.ts'

const WRONG_CODE = '000000'
const TOMORROW = '2026-11-24'

type Codes = Pick<Knowledge, 'verification' | 'recovery' | 'link'>

/** Codes of each flow, used, tried in vain and waiting; a link that sets a password. */
export const codes = async (api: TestApi, outside: Outside): Promise<Codes> => {
  const newcomer = async (name: string): Promise<{ readonly email: string; readonly token: string }> => {
    const email = `${name}@pessoa.example`
    return { email, token: await api.person(email) }
  }
  const mailed = async (email: string): Promise<string> => {
    await api.drain()
    return outside.mailTo(email)
  }
  const post = (path: string, body: object, token?: string) =>
    api.ask('POST', path, { body, ...(token === undefined ? {} : { token }) })
  const verify = (email: string, code: string) => post('/v1/auth/verify-email', { email, code })

  const [eva, fabio, gil, helena] = [
    await newcomer('eva'),
    await newcomer('fabio'),
    await newcomer('gil'),
    await newcomer('helena'),
  ]
  worked(await verify(eva.email, codeIn(await mailed(eva.email))))
  worked(await post('/v1/auth/logout', {}, eva.token))
  const verification = { email: fabio.email, code: codeIn(await mailed(fabio.email)) }
  await verify(fabio.email, WRONG_CODE)

  worked(await post('/v1/auth/forgot-password', { email: gil.email }))
  const recovery = { email: gil.email, code: codeIn(await mailed(gil.email)) }
  const reset = { email: gil.email, code: WRONG_CODE, password: PASSWORD, password_confirmation: PASSWORD }
  await post('/v1/auth/reset-password', reset)

  const document = anyDocument()
  const change = { current_password: PASSWORD, document }
  worked(await api.ask('PUT', '/access/auth/edit', { token: helena.token, body: change }))
  worked(await post('/access/auth/forgot', { email: helena.email, document, url: 'http://localhost/nova-senha' }))
  const token = /token=(\w+)/.exec(await mailed(helena.email))?.[1] ?? ''
  await post('/access/auth/reset', { ...reset, email: helena.email, token: WRONG_CODE })
  return { verification, recovery, link: { email: helena.email, token } }
}

/** What the owner did last: charges for tomorrow, a payer who cannot be reached, files that nothing refers to. */
export const evening = async (api: TestApi, owner: Merchant): Promise<Readonly<Record<string, KnownCharge>>> => {
  const { token } = owner
  const issue = issuing(api, owner)
  const lapsed = await issue({ value: 15, due_date: '2026-11-22', webhook: HOOKS.down })
  const joana = { name: 'Joana Reis', email: 'joana@example.com', phone: '+55 51 99999-0003', document: anyDocument() }
  const reminded = await issue({ value: 16, due_date: TOMORROW, webhook: `${HOOKS.down}/outro`, ...joana })
  const silent = await issue({ value: 17, ...hermit })
  await issue({ value: 17.5, ...hermit })
  const untold = await issue({ value: 18 })
  const untoldCancelled = await issue({ value: 19 })
  const paidLast = await issue({ value: 21 })
  // Kept before it is found that a new mail server asks for its password.
  const logo = `data:image/png;base64,${image(4).toString('base64')}`
  await api.ask('PUT', '/access/account', { token, body: { pin: PIN, logo, smtp: { host: 'outro.example' } } })
  const { data } = worked(await api.ask('GET', '/access/auth/notifications', { token }))
  worked(await api.ask('PUT', `/access/auth/notifications/${data[0].id}/read`, { token }))
  worked(await api.ask('DELETE', `/access/auth/notifications/${data[1].id}`, { token }))
  return { lapsed, reminded, silent, untold, untoldCancelled, paidLast }
}

/** What the bank has in its books and could tell nobody of, since the platform was away. */
export const untold = async ({ host }: TestApi, charges: Readonly<Record<string, KnownCharge>>): Promise<void> => {
  const { store, ids, clock, random } = host
  const notifications = {
    paid: nobodyThere,
    received: nobodyThere,
    cancelled: nobodyThere,
    amountDue: nobodyThere,
  }
  const console = fakeBankConsole({ store, ids, clock, random }, notifications)
  const { untold: paid, untoldCancelled: cancelled } = charges
  await console.pay({ txid: paid?.txid ?? '', valueCents: 1_800 })()
  await console.cancel(cancelled?.txid ?? '')()
}

/** Organizations that the bank has refused, and that it is asked for in vain. */
export const openings = async (api: TestApi, outside: Outside, token: string): Promise<void> => {
  for (const mood of ['refused', 'away'] as const) {
    outside.mood({ accounts: mood })
    const body = { name: `Organização ${mood}`, email: null, document: anyDocument() }
    await api.ask('POST', '/v1/organizations', { token, body })
  }
}
