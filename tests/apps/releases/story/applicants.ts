import { anyDocument } from '../../given/basics.ts'
import { PASSWORD, type TestApi, worked } from '../../payments/test-api.ts'
import type { Known } from '../known.ts'
import type { Outside } from './outside.ts'
import { image } from './people.ts'

interface Pair {
  readonly document: string
  readonly register_id: number
}

const begin = async (api: TestApi, name: string): Promise<Pair & { readonly email: string }> => {
  const email = `${name}@candidata.example`
  const document = anyDocument()
  const body = { name, email, address: 'Rua A, 1, São Paulo', document }
  const { data } = worked(await api.ask('POST', '/access/register', { body }))
  return { email, document, register_id: data.id }
}

const confirm = async (api: TestApi, outside: Outside, name: string): Promise<Pair> => {
  const { email, ...pair } = await begin(api, name)
  await api.drain()
  const code = /^[A-Z]{4}$/m.exec(outside.mailTo(email))?.[0] ?? ''
  worked(await api.ask('POST', '/access/register/verify', { body: { ...pair, code } }))
  return pair
}

const upload = async (api: TestApi, pair: Pair): Promise<void> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(pair)) form.append(name, `${value}`)
  for (const side of [1, 2]) form.append(`image0${side}`, new File([new Uint8Array(image(side))], `${side}.png`))
  const answer = await fetch(`${api.url}/access/register/images`, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(await answer.text())
}

/** People who ask for an account, in each state in which that can be, until the bank is away; the one who was registered at once can sign in. */
export const applicants = async (api: TestApi, outside: Outside): Promise<Known> => {
  await begin(api, 'pendente')
  await confirm(api, outside, 'confirmada')
  await upload(api, await confirm(api, outside, 'aprovada'))
  const [refused, reviewed] = [await confirm(api, outside, 'recusada'), await confirm(api, outside, 'analisada')]
  outside.mood({ accounts: 'refused' })
  await upload(api, refused)
  outside.mood({ accounts: 'away' })
  await upload(api, reviewed)
  const newcomer = { email: 'completa@candidata.example', password: PASSWORD }
  const body = { ...newcomer, name: 'Completa', document: anyDocument(), account_type: 'PF' }
  await api.ask('POST', '/access/register-full', { body })
  return newcomer
}

/** Somebody who has still to send their images: what sends them, and hears no answer. */
export const sendingImages = async (api: TestApi, outside: Outside): Promise<() => void> => {
  const pair = await confirm(api, outside, 'abandonada')
  return () => {
    upload(api, pair).catch(() => {})
  }
}
