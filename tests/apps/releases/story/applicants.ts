import { anyDocument } from '../../given.ts'
import { PASSWORD, type Shop, worked } from '../../payments/shop.ts'
import type { Known } from '../known.ts'
import type { Outside } from './outside.ts'
import { image } from './people.ts'

interface Pair {
  readonly document: string
  readonly register_id: number
}

const begin = async (shop: Shop, name: string): Promise<Pair & { readonly email: string }> => {
  const email = `${name}@candidata.example`
  const document = anyDocument()
  const body = { name, email, address: 'Rua A, 1, São Paulo', document }
  const { data } = worked(await shop.ask('POST', '/access/register', { body }))
  return { email, document, register_id: data.id }
}

const confirm = async (shop: Shop, outside: Outside, name: string): Promise<Pair> => {
  const { email, ...pair } = await begin(shop, name)
  await shop.drain()
  const code = /^[A-Z]{4}$/m.exec(outside.mailTo(email))?.[0] ?? ''
  worked(await shop.ask('POST', '/access/register/verify', { body: { ...pair, code } }))
  return pair
}

const upload = async (shop: Shop, pair: Pair): Promise<void> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(pair)) form.append(name, `${value}`)
  for (const side of [1, 2]) form.append(`image0${side}`, new File([new Uint8Array(image(side))], `${side}.png`))
  const answer = await fetch(`${shop.url}/access/register/images`, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(await answer.text())
}

/** People who ask for an account, in each state in which that can be, until the bank is away; the one who was registered at once can sign in. */
export const applicants = async (shop: Shop, outside: Outside): Promise<Known> => {
  await begin(shop, 'pendente')
  await confirm(shop, outside, 'confirmada')
  await upload(shop, await confirm(shop, outside, 'aprovada'))
  const [refused, reviewed] = [await confirm(shop, outside, 'recusada'), await confirm(shop, outside, 'analisada')]
  outside.mood({ accounts: 'refused' })
  await upload(shop, refused)
  outside.mood({ accounts: 'away' })
  await upload(shop, reviewed)
  const newcomer = { email: 'completa@candidata.example', password: PASSWORD }
  const body = { ...newcomer, name: 'Completa', document: anyDocument(), account_type: 'PF' }
  await shop.ask('POST', '/access/register-full', { body })
  return newcomer
}

/** Somebody who has still to send their images: what sends them, and hears no answer. */
export const sendingImages = async (shop: Shop, outside: Outside): Promise<() => void> => {
  const pair = await confirm(shop, outside, 'abandonada')
  return () => {
    upload(shop, pair).catch(() => {})
  }
}
