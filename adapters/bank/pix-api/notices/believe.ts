import { isLeft } from '../../../../core/fp.ts'
import type { BankNotifications } from '../../../../core/ports/bank.ts'
import { idIn, toldIn } from '../client/json.ts'
import type { PixApi } from '../client/pix-api.ts'
import { isForeign, type PixReceived, pixIn, unreadablePix } from '../client/received.ts'
import { answerOf, isNotFound } from '../client/reply.ts'
import type { Notice } from './notices.ts'

/** What becomes of a notice; null where it is to be asked again. */
export type Believed = Notice['outcome']

/** A bank may tell of a payment a little before it knows of it itself. */
const TRIES_OF_UNKNOWN = 8

/**
 * Requests a payment from the bank by the id that was told, and notifies the platform of the bank's answer: nothing else is
 * believed. An answer that cannot be read is reported, and requested again.
 */
export const believe = async (
  api: PixApi,
  notifications: Pick<BankNotifications, 'paid' | 'received' | 'unreadable'>,
  { id, attempts }: Pick<Notice, 'id' | 'attempts'>,
): Promise<Believed> => {
  const reply = await api.ask('GET', `/pix/${id}`)
  if (isNotFound(reply)) return attempts < TRIES_OF_UNKNOWN ? null : 'unfounded'
  const known = answerOf(
    reply,
    (body) => {
      const pix = pixIn(toldIn(body))
      return pix?.endToEndId === id || isForeign(idIn(body.chave), api.pixKey) ? { pix } : null
    },
    (body) => ({ ...unreadablePix(body, id, api.pixKey), id }),
  )
  if (known.outcome === 'unknown' && known.unreadable) await notifications.unreadable(known.unreadable)()
  if (known.outcome !== 'done') return null
  const { pix } = known.value
  return pix === null || isForeign(pix.pixKey, api.pixKey) ? 'foreign' : tell(notifications, pix, api.pixKey)
}

/** Money for a charge is the charge's; any other is the account's. */
const tell = async (
  { paid, received }: Pick<BankNotifications, 'paid' | 'received'>,
  { txid, pixKey: _, ...payment }: PixReceived,
  pixKey: string,
): Promise<Believed> => {
  if (txid !== null) {
    const told = await paid({ ...payment, txid, method: 'pix' })()
    if (!isLeft(told)) return 'taken'
    if (told.left.code !== 'title.unknown') return told.left.tag === 'unavailable' ? null : 'refused'
  }
  const told = await received({ ...payment, txid, pixKey })()
  if (!isLeft(told)) return 'taken'
  // It waits for the account that is to have the key: no money is lost for having come first.
  return told.left.tag === 'unavailable' || told.left.code === 'account.unknown' ? null : 'refused'
}
