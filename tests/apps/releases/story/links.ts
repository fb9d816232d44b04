import { CARDS, cardBody } from '../../given/cards.ts'
import { linkOf, payBy } from '../../payments/checkout/payer.ts'
import { type Merchant, type TestApi, worked } from '../../payments/test-api.ts'
import type { KnownLink } from '../known.ts'

/** Links of each kind: one that is paid again and again, one that expires, one without a use left, one that somebody pays. */
export const links = async (api: TestApi, owner: Merchant, lastDay: string) => {
  const link = (title: string, more: object = {}): Promise<KnownLink> => linkOf(api, owner, { title, ...more })
  const paid = async (by: KnownLink): Promise<void> => {
    const { data } = worked(await payBy(api, by))
    worked(await api.pay(data.pix.txid))
  }
  const active = await link('Curso de violão', { max_uses: 10, description: 'Por mês', reference_code: 'VIOLAO' })
  await paid(active)
  const expired = await link('Inscrição', { expires_at: lastDay })
  const exhausted = await link('Última vaga', { max_uses: 1 })
  await paid(exhausted)
  const waiting = await link('Boleto do curso')
  worked(await payBy(api, waiting, { payment_method: 'BOLETO' }))
  const processing = await link('Vaga reservada', { max_uses: 1 })
  const { card: printed, address } = cardBody(CARDS.pending)
  const card = { ...printed, expiry: '12/30' }
  worked(await payBy(api, processing, { payment_method: 'CARD', card, address }))
  return { active, expired, exhausted, waiting, processing }
}
